import assert from 'node:assert/strict';
import { taskEvidenceSchema } from '../../../src/contracts/taskEvidence';
import { documentText } from '../../../src/base/json';
import { observedChanges } from '../../../src/core/handoff/bundle';
import { taskEvidence } from '../../../src/core/mission/evidence/taskEvidence';
import { fold } from '../../../src/core/mission/evolve';
import { lastLeft, outputsInEvidence } from '../../../src/core/mission/evidence/outputs';
import { laneOf, ranBeside } from '../../../src/core/model/lanes';
import type { MissionEvent } from '../../../src/core/model/events';
import type { JournalEntry } from '../../../src/core/model/journalEntry';
import type { Mission } from '../../../src/core/model/state';
import { review } from '../../../src/core/view/review';
import { play } from '../../scenarios/play';

type Entries = readonly JournalEntry<MissionEvent>[];

/** The same journal on a machine whose clock is set back by an hour after the last entry that `before` holds for. */
function setBack(entries: Entries, before: (event: MissionEvent) => boolean): Entries {
  const last = entries.findLastIndex(({ event }) => before(event));
  assert.notEqual(last, -1);
  return entries.map((entry, index) =>
    index <= last ? entry : { ...entry, at: new Date(Date.parse(entry.at) - 3_600_000).toISOString() },
  );
}

const folded = (entries: Entries): Mission => fold(entries) as Mission;

describe('a clock that is set back by an hour while a mission runs', () => {
  const { entries } = play({
    tasks: [{ task_id: 'T1' }, { task_id: 'T2', depends_on: ['T1'] }],
    world: { 'T1#1': { changes: ['src/a'] }, 'T2#1': { changes: ['src/a'] } },
  });
  const mission = folded(setBack(entries, ({ type, ...event }) => type === 'AttemptEnded' && is(event, 'T1')));

  it('leaves the later task of two the one that left the file they both wrote, in a handoff', () => {
    const ends = mission.rows.map(({ attempts }) => attempts[0]?.ended_at ?? '');
    assert.ok((ends[0] ?? '') > (ends[1] ?? ''), 'the clock was not set back between them');
    assert.deepEqual(
      observedChanges(mission.rows).map(({ path, task_id }) => [path, task_id]),
      [['src/a', 'T2']],
    );
  });

  it('leaves it so where only their evidence is read', () => {
    const tasks = mission.rows.map((row) => {
      const document = documentText(taskEvidence(mission, row, []));
      const outputs = outputsInEvidence(taskEvidenceSchema.parse(JSON.parse(document)));
      return { task_id: row.task.task_id, outputs };
    });
    assert.deepEqual(
      lastLeft(tasks).map(({ path, task_id }) => [path, task_id]),
      [['src/a', 'T2']],
    );
  });

  const left = (task_id: string, run: string | null, at: string): Parameters<typeof lastLeft>[0][number] => {
    const before = { kind: 'unknown', why: 'what it held was not recorded' } as const;
    return { task_id, outputs: [{ path: 'src/a', sha256: 'A'.repeat(64), at, before, run }] };
  };
  const lastOf = (tasks: Parameters<typeof lastLeft>[0]): readonly string[] =>
    lastLeft(tasks).map(({ task_id }) => task_id);

  it('leaves it so beside what a revision carried over, which has no run', () => {
    const [carried, early, late] = [
      left('C', null, '2026-01-01T10:05:00.000Z'),
      left('T1', 'runs/m1/5-T1', '2026-01-01T10:10:00.000Z'),
      left('T2', 'runs/m1/6-T2', '2026-01-01T10:01:00.000Z'),
    ];
    for (const order of [
      [carried, early, late],
      [late, carried, early],
      [early, late, carried],
      [late, early, carried],
    ])
      assert.deepEqual(lastOf(order), ['T2']);
  });

  it('leaves a validation the last one, of which the evidence has no run', () => {
    const worker = left('T1', 'runs/m1/1-T1', '2026-01-01T10:00:00.000Z');
    const validated = left('T2', null, '2026-01-01T10:05:00.000Z');
    for (const order of [
      [worker, validated],
      [validated, worker],
    ])
      assert.deepEqual(lastOf(order), ['T2']);
  });

  it('leaves it so in the review of the changes', () =>
    assert.deepEqual(
      review(mission, ['T1', 'T2']).files.map(({ path, tasks }) => [path, tasks]),
      [['src/a', ['T1', 'T2']]],
    ));

  it('hides no lane that ran beside another one, and invents none', () => {
    const tasks = [{ task_id: 'A' }, { task_id: 'B', paths: ['lib'] }];
    const two = play({ tasks, max_parallel: 2, slow: ['A', 'B'] }).entries;
    const end = two.findIndex(({ event }) => event.type === 'AttemptEnded');
    const { event: last } = two[end] ?? assert.fail();
    const ended = last.type === 'AttemptEnded' ? last.task_id : assert.fail();
    const other = ended === 'A' ? 'B' : 'A';
    const until = folded(setBack(two.slice(0, end + 1), ({ type }) => type === 'AttemptStarted'));
    const lane = laneOf(until, other);
    assert.ok(lane);
    assert.deepEqual(
      ranBeside(until, lane).map(({ row }) => row.task.task_id),
      [ended],
    );
    const start = entries.findLastIndex(({ event }) => event.type === 'AttemptStarted');
    const begun = folded(
      setBack(entries.slice(0, start + 1), ({ type, ...event }) => type === 'AttemptEnded' && is(event, 'T1')),
    );
    const second = laneOf(begun, 'T2');
    assert.ok(second);
    assert.deepEqual(ranBeside(begun, second), []);
  });
});

function is(event: object, task: string): boolean {
  return 'task_id' in event && event.task_id === task;
}
