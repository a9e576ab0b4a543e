import assert from 'node:assert/strict';
import path from 'node:path';
import { planFiles } from '../../src/adapters/planFiles';
import { ThreadCaller } from '../../src/adapters/threadCalls';
import type { Finding } from '../../src/core/plan/finding';
import { checkPlan, checkPlanText } from '../../src/engine/planCheck';
import type { PlanCall } from '../../src/extension/diagnostics/planThread';

const script = path.resolve('dist-test/extension/programs/planThread.program.js');

describe('plans judged in a thread', function () {
  this.timeout(30_000);
  const judge = new ThreadCaller<null, PlanCall, readonly Finding[]>({ script, name: 'plans', data: null });
  after(() => judge.close());

  it('has the findings of the one validation, for texts and for files', async () => {
    const at = path.resolve('docs/plans/PLAN_X.json');
    const text = '{ "plan_id": "X", "status": "DRAFT" }';
    assert.deepEqual(
      await judge.call({ path: at, text, options: { defaultWorker: 'codex' } }),
      checkPlanText(planFiles, text, at, { defaultWorker: 'codex' }).findings,
    );
    const missing = path.resolve('docs/plans/PLAN_NOT_THERE.json');
    const found = await judge.call({ path: missing, text: null, options: {} });
    assert.deepEqual(found, (await checkPlan(planFiles, missing)).findings);
    assert.equal(found.length, 1);
  });

  it('answers calls under way before it closes, and starts anew afterwards', async () => {
    const call = { path: '/docs/plans/PLAN_X.json', text: '[]', options: {} };
    const [first] = await Promise.all([judge.call(call), judge.close()]);
    assert.deepEqual(await judge.call(call), first);
  });

  it('rejects when its program cannot be started', async () => {
    const none = new ThreadCaller<null, PlanCall, unknown>({ script: `${script}.none`, name: 'plans', data: null });
    await assert.rejects(none.call({ path: '/x', text: '', options: {} }), /Cannot find module/);
  });
});
