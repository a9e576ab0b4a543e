import assert from 'node:assert/strict';
import { decide } from '../../../src/core/mission/decide';
import { pendingEffects } from '../../../src/core/mission/effects';
import { evolve, fold } from '../../../src/core/mission/evolve';
import type { MissionEvent } from '../../../src/core/model/events';
import type { InputBody } from '../../../src/core/model/inputs';
import type { Mission } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';
import { answer } from '../../scenarios/world';

const at = '2026-01-02T00:00:00.000Z';

/** A large workspace is read for minutes, and a person cancels the mission meanwhile. */
describe('files of an accepted milestone that are read to the end after the mission has ended', () => {
  const { entries } = play({
    milestones: [
      { id: 'M1', title: 'First', validate: { verify: [['true']] } },
      { id: 'M2', title: 'Second' },
    ],
    tasks: [
      { task_id: 'T1', milestone: 'M1' },
      { task_id: 'T2', milestone: 'M2' },
    ],
  });
  const asked = fold(entries.slice(0, entries.findIndex(({ event }) => event.type === 'AcceptanceAsked') + 1));

  it('leave its rows, its milestone and its journal as the evidence has them', () => {
    assert.ok(asked);
    const ended = endedMeanwhile(asked);
    assert.deepEqual(
      [ended.execution, ...ended.rows.map(({ task, status }) => `${task.task_id} ${status}`)],
      ['REPORTED', 'T1 done', 'validate-M1 done', 'T2 canceled'],
    );
    for (const tree_sha256 of ['A'.repeat(64), 'B'.repeat(64), null])
      assert.deepEqual(
        take(ended, { type: 'TreeWasRead', task_id: 'validate-M1', tree_sha256, head: null, reason: 'read' }),
        [],
      );
  });
});

/** Everything is done but the read. */
function endedMeanwhile(asked: Mission): Mission {
  const cancel: InputBody = {
    ...{ type: 'Command', command_id: 'cancel', command: { type: 'CancelMission' }, reason: 'no longer needed' },
    ...{ expected_seq: null, from_worker: false, identified: true, owner_was_absent: false, active_elsewhere: null },
  };
  let mission = after(asked, cancel);
  for (;;) {
    const effect = pendingEffects(mission).find(({ kind }) => kind !== 'readTree');
    const report = effect && answer(effect, mission, undefined, {}, () => at);
    if (!report) return mission;
    mission = after(mission, report);
  }
}

function after(mission: Mission, body: InputBody): Mission {
  const { run_id, last_seq } = mission;
  return take(mission, body).reduce(
    (state, event, index) => evolve(state, { seq: last_seq + index + 1, run_id, at, event }),
    mission,
  );
}

function take(mission: Mission, body: InputBody): readonly MissionEvent[] {
  const fresh = { launch_id: 'l', session_id: 's', nonce: 'n' };
  const actor = { kind: body.type === 'Command' ? 'human' : 'runner', name: 'ada' } as const;
  return decide(mission, { at, actor, fresh, body });
}
