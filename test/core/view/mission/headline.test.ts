import assert from 'node:assert/strict';
import { evolve, fold } from '../../../../src/core/mission/evolve';
import type { Attempt } from '../../../../src/core/model/attempt';
import type { Mission } from '../../../../src/core/model/state';
import { headline, stageText } from '../../../../src/core/view/mission/headline';
import { play } from '../../../scenarios/play';

/** A mission whose lanes are these, each with its stage. */
function withLanes(...lanes: readonly (readonly [task: string, stage: Attempt['stage']['at']])[]): Mission {
  const { entries } = play({ tasks: [{ task_id: 'T1' }] });
  const first = entries.findIndex(({ event }) => event.type === 'AttemptStarted');
  const mission = entries
    .slice(0, first + 1)
    .reduce<Mission | null>((folded, entry) => evolve(folded, entry), null) as Mission;
  const [lane] = mission.lanes;
  assert.ok(lane);
  return {
    ...mission,
    lanes: lanes.map(([task_id, at]) => ({ ...lane, task_id, stage: { ...lane.stage, at } as Attempt['stage'] })),
  };
}

describe('the headline of a mission', () => {
  it('is one sentence, however many lanes', () => {
    const cases = [
      [withLanes(), 'Between two tasks.'],
      [withLanes(['T1', 'running']), 'Task T1 runs.'],
      [withLanes(['T1', 'observing']), 'Task T1: observing what changed.'],
      [withLanes(['T1', 'running'], ['T3', 'running']), '2 tasks run: T1, T3.'],
      [
        withLanes(['T1', 'running'], ['T2', 'judging'], ['T3', 'running']),
        '3 lanes: T1, T3 running; T2 judging the result.',
      ],
      [
        withLanes(...Array.from({ length: 16 }, (_, n) => [`T${n}`, n < 12 ? 'running' : 'observing'] as const)),
        '16 lanes: 12 running; 4 observing what changed.',
      ],
    ] as const;
    for (const [mission, expected] of cases) assert.equal(headline(mission, false), expected);
  });

  it('names what starts: the worker or the verify commands', () => {
    const starting = { at: 'starting', launch_id: 'l' } as const;
    assert.equal(stageText({ ...starting, purpose: { kind: 'worker' } }), 'starting the worker');
    assert.equal(stageText({ ...starting, purpose: { kind: 'verify', index: 0 } }), 'starting the verify commands');
  });

  it('says that no task has started, before the first', () => {
    const { entries } = play({ tasks: [{ task_id: 'T1' }] });
    const locked = entries.findIndex(({ event }) => event.type === 'PlanLocked');
    const mission = fold(entries.slice(0, locked + 1));
    assert.ok(mission);
    assert.equal(headline(mission, false), 'No task has started yet.');
  });

  it('says what still finishes when a person is needed', () => {
    const mission = withLanes(['T2', 'running'], ['T3', 'running']);
    const pausedBy = (reason: string): Mission => ({
      ...mission,
      hold: { ...mission.hold, kind: 'paused', reason } as Mission['hold'],
    });
    const beside = 'What runs finishes, nothing new starts. 2 tasks run: T2, T3.';
    assert.equal(headline(pausedBy('Lunch.'), false), `Lunch. ${beside}`);
    assert.equal(headline(pausedBy('Paused by Ada: is that right?'), false), `Paused by Ada: is that right? ${beside}`);
    // A person's words end as the person ended them.
    assert.equal(headline(pausedBy('Paused by Ada: wrong one'), false), `Paused by Ada: wrong one. ${beside}`);
  });

  it('names what is blocked and what waits for it, where the reason stands beside it', () => {
    const { mission } = play({
      tasks: [
        { task_id: 'api' },
        { task_id: 'ui', depends_on: ['api'] },
        { task_id: 'docs', depends_on: ['api', 'ui'] },
        { task_id: 'other', depends_on: ['docs'] },
      ],
      world: { 'api#1': { end: { exit_code: 3 } } },
    });
    assert.match(headline(mission, false), /^Task api is blocked: .*3/);
    assert.equal(headline(mission, false, 'named'), 'Task api is blocked. ui, docs wait for it.');
    const rows = mission.rows.map((row) => (row.task.task_id === 'ui' ? { ...row, status: 'blocked' as const } : row));
    assert.equal(headline({ ...mission, rows }, false, 'named'), 'Tasks api, ui are blocked. docs waits for them.');
  });
});
