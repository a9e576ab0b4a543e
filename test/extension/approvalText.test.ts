import assert from 'node:assert/strict';
import { planFiles } from '../../src/adapters/planFiles';
import { approvalOverview } from '../../src/engine/approvalOverview';
import { planApproval } from '../../src/engine/planApproval';
import { checkPlanText } from '../../src/engine/planCheck';
import { planTemplate } from '../../src/core/plan/template';
import { approvalPage, approvalText } from '../../src/extension/approvalText';
import type { ApprovalSummary } from '../../src/core/plan/approvalSummary';

function summaryOf(change: (plan: Record<string, unknown>) => void): ApprovalSummary {
  const plan = JSON.parse(
    planTemplate('agent', { plan_id: 'p', created_at: '2026-01-01T00:00:00Z', planner: 'x' }),
  ) as Record<string, unknown>;
  change(plan);
  const check = checkPlanText(planFiles, JSON.stringify(plan), null);
  const approval = planApproval(planFiles, check, null, {
    approved_by: 'Ada',
    approved_at: '2026-01-02T00:00:00Z',
    note: null,
    recovery_allow: null,
  });
  assert.ok(approval.ok, JSON.stringify(check.findings));
  return approvalOverview(check, approval);
}

describe('text of the approval dialog', () => {
  it('names tasks, paths, risk, confinement, recovery, environment and hash', () => {
    const summary = summaryOf(() => undefined);
    const text = approvalText(summary).toString();
    for (const part of [
      'risk level 1',
      'T1 (claude)',
      'docs/notes',
      'claude: ',
      'file_level_only',
      'add_directory, skip_git_repo_check, trust_workspace',
      'the base list only',
      summary.plan_sha256,
    ]) {
      assert.ok(text.includes(part), `${part} in\n${text}`);
    }
  });

  it('says when nothing may be corrected', () => {
    const text = approvalText(
      summaryOf((plan) => Object.assign(plan['execution'] as object, { recovery: { allow: [] } })),
    ).toString();
    assert.match(text, /Allowed without asking again: nothing\./);
  });

  it('stays short for a long plan, and says what it leaves out', () => {
    const summary = summaryOf((plan) => {
      const [task] = plan['tasks'] as [object];
      plan['tasks'] = Array.from({ length: 40 }, (_, index) => ({
        ...task,
        task_id: `T${index}`,
        paths: [`docs/notes/${index}`],
      }));
    });
    const text = approvalText(summary).toString();
    assert.ok(text.split('\n').length < 45, text);
    assert.match(text, /\.\.\. and 32 more \(Show Everything\)/);
    assert.match(approvalPage(summary).toString(), /T39 \(claude\)/);
  });

  it('shows every command line behind Show Everything', () => {
    assert.match(approvalPage(summaryOf(() => undefined)).toString(), /verify: node -e "/);
  });
});
