import assert from 'node:assert/strict';
import { agentNames } from '../../../src/contracts/vocabulary/workers';
import { planTemplate } from '../../../src/core/plan/template';
import { isSoundDraft, editorFindings } from '../../../src/core/view/plan/editorFindings';
import { checkPlanText } from '../../../src/engine/plans/check';
import { timelessPlanFiles } from './cases';

const facts = { plan_id: 'p-1', created_at: '2026-01-01T00:00:00Z', planner: 'Ada' };

describe('a new plan', () => {
  for (const worker of agentNames)
    it(`lacks only its approval, and delegates only to whom it names: ${worker}`, () => {
      const content = planTemplate('agent', { ...facts, worker });
      const { text, findings } = checkPlanText(timelessPlanFiles, content, '/ws/docs/plans/PLAN_p-1.json', {
        workspaceDir: '/ws',
      });
      assert.ok(isSoundDraft(editorFindings(text.value, findings)), JSON.stringify(findings));
      const plan = text.value as { tasks: { worker?: string }[]; execution: { delegation: { claude_code: boolean } } };
      assert.equal(plan.tasks[0]?.worker, worker);
      assert.equal(plan.execution.delegation.claude_code, worker === 'claude');
    });

  it('names no worker where none was chosen', () => {
    assert.doesNotMatch(planTemplate('agent', facts), /"worker"/);
  });
});
