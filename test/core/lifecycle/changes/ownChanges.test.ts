import assert from 'node:assert/strict';
import { ownChanges } from '../../../../src/core/lifecycle/changes/ownChanges';
import { fold } from '../../../../src/core/mission/evolve';
import type { Attempt, EndedAttempt } from '../../../../src/core/model/attempt';
import type { Mission } from '../../../../src/core/model/state';
import type { RawChange } from '../../../../src/core/observation/change';
import { caseSensitive } from '../../../../src/core/paths/compare';
import { play } from '../../../scenarios/play';

/** A deletion has no time of its own: it bears that of the folder, here one after the end of every process. */
const gone: RawChange = {
  path: 'lib/made-again.txt',
  kind: 'deleted',
  before_sha256: 'AB',
  after_sha256: null,
  resolved_path: null,
  changed_at: '2026-01-31T23:00:00.000Z',
  detail: null,
};

describe('what a lane answers for when another one ends while it is observed', () => {
  const tasks = [{ task_id: 'A' }, { task_id: 'B', paths: ['lib'] }];
  const { entries } = play({ tasks, max_parallel: 2, slow: ['A', 'B'] });
  const observed = entries.findIndex(({ event }) => event.type === 'ChangesObserved');
  const mission = fold(entries.slice(0, observed)) as Mission;
  const [first] = mission.lanes as readonly [Attempt];

  /** Plays as if the other lane had ended so many seconds after the worker of the first one. */
  const own = (seconds: number): readonly RawChange[] => {
    const over = Date.parse(first.launches[0]?.end?.ended_at ?? '');
    const ended_at = new Date(over + seconds * 1000).toISOString();
    const other = mission.rows.find(({ task }) => task.task_id !== first.task_id);
    const { stage: _stage, ...record } = mission.lanes.find((lane) => lane !== first) ?? first;
    const attempt: EndedAttempt = {
      ...record,
      ended_at,
      ended_seq: mission.last_seq + 1,
      outcome: 'PASS',
      failure: null,
    };
    const after: Mission = {
      ...mission,
      lanes: [first],
      rows: mission.rows.map((row) => (row === other ? { ...row, lock: 'released', attempts: [attempt] } : row)),
    };
    return ownChanges(after, first, [gone], { comparison: caseSensitive, until: 'worker_end' }).own;
  };

  it('leaves to the other lane what was seen in the middle of its work', () => assert.deepEqual(own(1), []));
  it('answers for what went after the other had ended and before its own worker had', () =>
    assert.deepEqual(own(-1), [gone]));
});
