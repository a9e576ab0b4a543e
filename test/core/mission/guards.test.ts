import assert from 'node:assert/strict';
import { fold } from '../../../src/core/mission/evolve';
import { assertEntryGuards } from '../../../src/core/mission/decide';
import type { EventOf } from '../../../src/core/model/events';
import { rowOf, type Mission, type TaskRow } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';

type Moved = EventOf<'RowTransitioned'>;

const { entries } = play({
  tasks: [
    { task_id: 'T1', paths: ['src'] },
    { task_id: 'T2', depends_on: ['T1'], paths: ['lib'] },
  ],
  world: { 'T1#1': { changes: ['src/a'] }, 'T2#1': { changes: ['lib/a'], end: { exit_code: 1 } } },
  script: [{ at: 'idle', command: { type: 'CancelMission' } }],
});

/** The decision in which a task became something, and the mission as it left it. */
function decision(task_id: string, to: Moved['to']): { readonly event: Moved; readonly mission: Mission } {
  const found = entries.find(
    ({ event }) => event.type === 'RowTransitioned' && event.task_id === task_id && event.to === to,
  );
  assert.ok(found?.event.type === 'RowTransitioned', `${task_id} never became ${to}`);
  return { event: found.event, mission: fold(entries.filter(({ at }) => at <= found.at)) as Mission };
}

const inRow =
  (task_id: string, change: (row: TaskRow) => Partial<TaskRow>) =>
  (mission: Mission): Mission => ({
    ...mission,
    rows: mission.rows.map((row) => (row.task.task_id === task_id ? { ...row, ...change(row) } : row)),
  });
const lastAttempt = (change: object) =>
  inRow('T1', ({ attempts }) => ({
    attempts: attempts.map((attempt) => ({ ...attempt, ...change })),
  }));

describe('the entry guards of the contract', () => {
  it('hold for what the runner decides', () => {
    for (const [task_id, to] of [
      ['T1', 'in_progress'],
      ['T1', 'done'],
      ['T2', 'blocked'],
      ['T2', 'canceled'],
    ] as const) {
      const { event, mission } = decision(task_id, to);
      assert.equal(rowOf(mission, task_id).status, to);
      assertEntryGuards(mission, [event]);
    }
  });

  for (const [what, task_id, to, broken, words] of [
    [
      'a dependency is not done',
      'T2',
      'in_progress',
      inRow('T1', () => ({ status: 'blocked' })),
      /T1, which it depends on, is not done/,
    ],
    ['its lock is not held', 'T1', 'in_progress', inRow('T1', () => ({ lock: 'none' })), /lock is not held/],
    [
      'another task holds a part of its lock scope',
      'T1',
      'in_progress',
      inRow('T2', ({ task }) => ({ lock: 'held', task: { ...task, paths: ['src/deep'] } })),
      /T2 holds a part/,
    ],
    ['its attempt did not pass', 'T1', 'done', lastAttempt({ outcome: 'HALT' }), /did not pass/],
    ['no attempt was made', 'T1', 'done', inRow('T1', () => ({ attempts: [] })), /did not pass/],
    [
      'its result was not valid',
      'T1',
      'done',
      lastAttempt({ claim: { kind: 'invalid', problems: ['?'] } }),
      /no valid result/,
    ],
    [
      'its result may not be taken over',
      'T1',
      'done',
      lastAttempt({ claim: { kind: 'valid', result: { status: 'done' }, refused: { code: 'SCOPE_VIOLATION' } } }),
      /taken over/,
    ],
    ['its lock is still held', 'T1', 'done', inRow('T1', () => ({ lock: 'held' })), /still held/],
    ['a block has no code', 'T2', 'blocked', inRow('T2', () => ({ code: null })), /code and a reason/],
    ['no packet says why', 'T2', 'blocked', (mission: Mission) => ({ ...mission, packets: [] }), /no open packet/],
    ['its end has no reason', 'T2', 'canceled', inRow('T2', () => ({ reason: ' ' })), /has a reason/],
  ] as const) {
    it(`refuse ${to} where ${what}: nothing is journalled`, () => {
      const { event, mission } = decision(task_id, to);
      assert.throws(() => assertEntryGuards(broken(mission), [event]), words);
    });
  }
});
