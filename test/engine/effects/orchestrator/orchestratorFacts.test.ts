import assert from 'node:assert/strict';
import { orchestratorLimits } from '../../../../src/contracts/vocabulary/orchestrator';
import type { Session } from '../../../../src/core/model/session';
import type { Mission, TaskRow } from '../../../../src/core/model/state';
import { missionFacts } from '../../../../src/engine/effects/orchestrator/orchestratorFacts';
import { play } from '../../../scenarios/play';

/** A mission of so many tasks as a session of the last one sees it. */
function facts(count: number, given: { readonly description: string; readonly reason: string }) {
  const { mission } = play({
    orchestrator: { worker: 'claude', model: null },
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    world: { 'T1#1': { claim: 'invalid' } },
  });
  const [row] = mission.rows;
  const [session] = mission.sessions;
  assert.ok(row && session);
  const rows = Array.from({ length: count }, (_, n): TaskRow => {
    const task = { ...row.task, task_id: `T${n}`, description: given.description };
    return { ...row, task, reason: given.reason };
  });
  const many: Mission = { ...mission, rows };
  const own: Session = { ...session, task_id: `T${count - 1}` };
  const result = missionFacts(many, own);
  const answer = { schema_version: '1.0.0', id: '0'.repeat(36), ok: true, result };
  return { result, tasks: result.facts['tasks'] as { task_id: string; description?: string }[], answer };
}

describe('what a session reads of its mission', () => {
  it('is every task in full where that fits', () => {
    const { tasks, result } = facts(20, { description: 'Do it.', reason: 'Its worker ended.' });
    assert.deepEqual([tasks.length, tasks[0]?.description, result.untrusted.length], [20, 'Do it.', 20]);
    assert.equal(result.facts['tasks_left_out'], undefined);
  });

  for (const [what, count, text] of [
    ['long reasons', 60, '"€'.repeat(5000)],
    ['long descriptions', 400, '\u0000'.repeat(2000)],
    ['many tasks', 5000, 'Do it.'],
  ] as const)
    it(`fits into an answer that the mission tools can read, with ${what}`, () => {
      const { tasks, result, answer } = facts(count, { description: text, reason: text });
      const bytes = Buffer.byteLength(JSON.stringify(answer));
      assert.ok(bytes <= orchestratorLimits.answer, `${bytes} bytes`);
      assert.equal(tasks[0]?.task_id, `T${count - 1}`, 'its own task comes first');
      assert.equal(tasks.length + Number(result.facts['tasks_left_out']), count);
      assert.ok(result.untrusted.length > 0);
    });
});
