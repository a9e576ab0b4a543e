import assert from 'node:assert/strict';
import type { TaskView } from '../../../src/contracts/page/missionView';
import type { MissionEvent } from '../../../src/core/model/events';
import { fold } from '../../../src/core/mission/evolve';
import { missionView } from '../../../src/core/view/mission/missionView';
import { play } from '../../scenarios/play';
import type { Scenario } from '../../scenarios/scenario';

/** The row of T1 right after the last event of this type. */
function rowAfter(type: MissionEvent['type'], scenario: Omit<Scenario, 'title' | 'then'>): TaskView {
  const { entries } = play(scenario);
  const at = entries.findLastIndex(({ event }) => event.type === type);
  const mission = fold(entries.slice(0, at + 1));
  const row = mission && missionView(mission, [], new Map(), true).tasks[0];
  assert.ok(at >= 0 && row);
  return row;
}

describe('the row of a task that runs', () => {
  it('has no reason, because the words of the journal for a start say nothing to a person', () => {
    assert.equal(rowAfter('WorkerStarted', { tasks: [{ task_id: 'T1' }] }).reason, '');
    const again = rowAfter('WorkerStarted', {
      tasks: [{ task_id: 'T1', worker: 'claude' }],
      world: { 'T1#1': { claim: 'invalid' } },
      script: [{ at: 'idle', command: { type: 'RetryTask', task_id: 'T1' } }],
    });
    assert.deepEqual([again.status, again.reason], ['in_progress', '']);
  });

  it('counts the verify commands of the attempt that waits for a person', () => {
    const waits = rowAfter('MemoryCompared', {
      tasks: [{ task_id: 'T1', worker: 'claude', intent: 'architecture', verify: [['a']] }],
      world: { 'T1#1': { remembers: ['architecture/store = files, no database'] } },
    });
    assert.deepEqual([waits.status, waits.verified.ran, waits.verified.passed], ['in_progress', 1, 1]);
  });
});
