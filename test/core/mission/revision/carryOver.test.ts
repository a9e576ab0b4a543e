import assert from 'node:assert/strict';
import { asLeft, type Left } from '../../../../src/base/fileState';
import {
  carriable,
  carryProblems,
  changedFields,
  doneTasks,
  type CarryReading,
} from '../../../../src/core/mission/revision/carryOver';
import { outputsOf } from '../../../../src/core/mission/evidence/outputs';
import type { Mission } from '../../../../src/core/model/state';
import type { PlannedTask } from '../../../../src/core/plan/approvedPlan';
import { play } from '../../../scenarios/play';

/** T1 leaves src/a, T2 changes it and leaves src/b, T3 is blocked. */
const mission = withBytesOfItsOwn(
  play({
    tasks: [{ task_id: 'T1' }, { task_id: 'T2', depends_on: ['T1'] }, { task_id: 'T3', depends_on: ['T2'] }],
    world: {
      'T1#1': { changes: ['src/a'] },
      'T2#1': { changes: ['src/a', 'src/b'] },
      'T3#1': { end: { exit_code: 3 } },
    },
  }).mission,
);

/** In the played world every file has the same bytes: here T2 leaves others in src/a. */
function withBytesOfItsOwn(played: Mission): Mission {
  const text = JSON.stringify(played, (_key, value: unknown) =>
    isRowOfT2(value)
      ? (JSON.parse(JSON.stringify(value).replaceAll('2'.repeat(64), '4'.repeat(64))) as unknown)
      : value,
  );
  return JSON.parse(text) as Mission;
}

function isRowOfT2(value: unknown): boolean {
  const { task, attempts } = (value ?? {}) as {
    readonly task?: { readonly task_id: string };
    readonly attempts?: unknown;
  };
  return task?.task_id === 'T2' && attempts !== undefined && !JSON.stringify(value).includes('4'.repeat(64));
}

/** The disk as the done tasks left it. */
function reading(of: Mission = mission, changes: Readonly<Record<string, Left>> = {}): CarryReading {
  const tasks = doneTasks(of);
  return {
    evidence: new Map(tasks.map(({ task_id }) => [task_id, null])),
    found: new Map([
      ...tasks.flatMap(({ outputs }) => outputs.map(({ path, ...output }) => [path, asLeft(output)] as const)),
      ...Object.entries(changes),
    ]),
  };
}

/** The plan with these tasks marked. */
function marked(ids: readonly string[], edit: (task: PlannedTask) => Partial<PlannedTask> = () => ({})): PlannedTask[] {
  const from = new Map(doneTasks(mission).map((task) => [task.task_id, task.from]));
  return mission.plan.tasks.map((task) => ({
    ...task,
    ...(ids.includes(task.task_id) && { carried_from: from.get(task.task_id) ?? from.get('T1')! }),
    ...edit(task),
  }));
}

const problems = (tasks: readonly PlannedTask[], now = reading()): string[] =>
  carryProblems(tasks, mission, now).map(({ task_id, reason }) => `${task_id}: ${reason}`);

describe('what a revision carries over', () => {
  it('are done tasks whose evidence and files are as they were', () => {
    const { carried, problems: none } = carriable(mission, mission.plan.tasks, reading());
    assert.deepEqual([carried.map(({ task_id }) => task_id), none], [['T1', 'T2'], []]);
    assert.deepEqual(problems(marked(['T1', 'T2'])), []);
  });

  it('is no task that is open, unknown, or named with other evidence', () => {
    assert.match(problems(marked(['T1', 'T2', 'T3']))[0]!, /^T3: it is blocked in mission M/);
    assert.match(
      problems(marked(['T1', 'T2'], ({ task_id }) => (task_id === 'T1' ? { task_id: 'T9' } : {})))[0]!,
      /^T9: .* no such task/,
    );
    const forged = { plan_id: 'P', mission_id: 'M', evidence_sha256: 'E'.repeat(64) };
    assert.match(
      problems(marked(['T1', 'T2'], ({ task_id }) => (task_id === 'T1' ? { carried_from: forged } : {})))[0]!,
      /^T1: the evidence it names is not the one/,
    );
  });

  it('is no task of which any field that says what it is was changed; limits and priority may', () => {
    const values: Partial<PlannedTask>[] = [
      { description: 'other' },
      { worker: 'claude' },
      { command: ['false'] },
      { model: 'opus' },
      { tier: 'A' },
      { intent: 'refactor' },
      { prompt: 'more' },
      { requires: ['more'] },
      { paths: ['src', 'more'] },
      { forbidden_paths: ['src/x'] },
      { acceptance_criteria: ['more'] },
      { verify: [['true']] },
      { writes: false },
    ];
    for (const value of values) {
      const [field = ''] = Object.keys(value);
      const tasks = marked(['T1', 'T2'], ({ task_id }) => (task_id === 'T1' ? value : {}));
      assert.match(problems(tasks)[0] ?? field, new RegExp(`^T1: it is another task .*\\(${field} changed\\)`));
      assert.deepEqual(carriable(mission, tasks, reading()).carried, [], `${field}: T2 rests on T1`);
    }
    const timed = marked(['T1', 'T2'], () => ({ timeout_seconds: 99, priority: 'critical', max_runtime_seconds: 9 }));
    assert.deepEqual(problems(timed), []);
  });

  it('is compared by what a milestone is validated for as well', () => {
    const unit = (validate: object): PlannedTask => {
      const milestones = [{ id: 'M1', title: 'First', validate: { worker: 'claude' as const, ...validate } }];
      const { plan } = play({ milestones, tasks: [{ task_id: 'T1', milestone: 'M1' }] }).mission;
      return plan.tasks.find(({ validator }) => validator)!;
    };
    const before = unit({ assertions: ['It starts.', 'It stops.'] });
    assert.deepEqual(changedFields(before, unit({ assertions: ['It starts.', 'It stops.'] })), []);
    assert.deepEqual(changedFields(before, unit({ assertions: ['It starts.'] })), ['validate']);
    assert.deepEqual(changedFields(before, unit({ assertions: ['It starts.', 'It stops.'], failure_limit: 20 })), [
      'validate',
    ]);
  });

  it('is a task behind a milestone only while what was accepted before it is as it was', () => {
    const tasks = [
      { task_id: 'T1', milestone: 'M1' },
      { task_id: 'T2', milestone: 'M2' },
      { task_id: 'T3', milestone: 'M3', depends_on: ['T2'] },
    ];
    const milestones = (verify: string) => [
      { id: 'M1', title: 'First', validate: { verify: [[verify]] } },
      { id: 'M2', title: 'Second' },
      { id: 'M3', title: 'Third' },
    ];
    const world = { 'T3#1': { end: { exit_code: 3 } } };
    const validated = play({ milestones: milestones('a'), tasks, world }).mission;
    const now = reading(validated);
    const outcome = (planned: readonly PlannedTask[]): readonly unknown[] => {
      const { carried, problems: again } = carriable(validated, planned, now);
      return [carried.map(({ task_id }) => task_id), again.map(({ task_id, reason }) => `${task_id}: ${reason}`)];
    };
    assert.deepEqual(outcome(validated.plan.tasks), [['T1', 'T2'], []]);
    const others = play({ milestones: milestones('b'), tasks, world }).mission.plan.tasks;
    assert.deepEqual(outcome(others), [
      ['T1'],
      ['T2: it comes after validate-M1, which validates something else now (verify changed)'],
    ]);
    const added = play({ milestones: milestones('a'), tasks: [...tasks, { task_id: 'T4', milestone: 'M1' }], world });
    assert.deepEqual(outcome(added.mission.plan.tasks), [
      ['T1'],
      ['T2: it comes after validate-M1, and T4 before it is done again'],
    ]);
    // The same of a plan that marks them, in which they wait for nothing.
    const from = new Map(doneTasks(validated).map((task) => [task.task_id, task.from]));
    const marks = tasks.map((task) => ({
      ...task,
      ...(task.task_id !== 'T3' && { carried_from: from.get(task.task_id)! }),
    }));
    const judged = (verify: string): readonly string[] =>
      carryProblems(play({ milestones: milestones(verify), tasks: marks }).mission.plan.tasks, validated, now).map(
        ({ task_id, reason }) => `${task_id}: ${reason}`,
      );
    assert.deepEqual(judged('a'), []);
    assert.deepEqual(judged('b'), [
      'T2: it comes after validate-M1, which validates something else now (verify changed)',
    ]);
  });

  it('is no task of which a file or the evidence changed, and none that rests on it', () => {
    const other: readonly [Left, string][] = [
      [{ kind: 'file', sha256: 'E'.repeat(64), mode: '644' }, 'has another content'],
      [{ kind: 'nothing' }, 'is gone'],
      [{ kind: 'link', target: 'src/a' }, 'is a link now, and was a file'],
      [{ kind: 'folder' }, 'is a folder now, and was a file'],
      [{ kind: 'special' }, 'is neither file nor link now, and was a file'],
      [{ kind: 'behind_link' }, 'is reached through a link now'],
      [{ kind: 'unknown', why: 'nobody looked' }, 'cannot be compared: nobody looked'],
    ];
    for (const [changed, how] of other) {
      const now = reading(mission, { 'src/b': changed });
      assert.deepEqual(problems(marked(['T1', 'T2']), now), [`T2: src/b ${how}`]);
      assert.deepEqual(
        carriable(mission, mission.plan.tasks, now).carried.map(({ task_id }) => task_id),
        [],
      );
    }
    const unseen = { ...reading(), evidence: new Map([['T1', 'its evidence is gone']]) };
    assert.deepEqual(problems(marked(['T1', 'T2']), unseen), [
      'T1: its evidence is gone',
      'T2: its evidence was not looked for',
    ]);
    const { carried, problems: told } = carriable(mission, mission.plan.tasks, {
      ...reading(),
      evidence: new Map([...reading().evidence, ['T1', 'its evidence is not as it was written']]),
    });
    assert.deepEqual(
      [carried, told.map(({ task_id, reason }) => `${task_id}: ${reason}`)],
      [[], ['T1: its evidence is not as it was written', 'T2: it depends on T1, which is not carried over']],
    );
  });

  it('a file that a later task changed counts for the earlier one only with that task', () => {
    assert.deepEqual(problems(marked(['T1'])), ['T1: src/a has another content']);
  });

  it('is a task after which a person put back what blocked it, and which then left nothing there', () => {
    const gone = { how: 'gone', attempt: 2, at: '2026-01-01T00:00:00Z' } as const;
    const listed = { path: 'src/b', kind: 'added', before_sha256: null, found_sha256: null } as const;
    const entry = {
      ...listed,
      resolved_path: null,
      detail: null,
      why: 'changed',
      category: 'external_change',
    } as const;
    const of = (settled: typeof gone | null): Mission => ({
      ...mission,
      rows: mission.rows.map((row) =>
        row.task.task_id === 'T2' ? { ...row, outstanding: [{ ...entry, attempt: 1, settled }] } : row,
      ),
    });
    const now = reading(mission, { 'src/b': { kind: 'nothing' } });
    const carried = (settled: typeof gone | null): readonly string[] =>
      carriable(of(settled), mission.plan.tasks, now).carried.map(({ task_id }) => task_id);
    assert.deepEqual([carried(gone), carried(null)], [['T1', 'T2'], []]);
  });

  it('keeps what an earlier attempt left where a later change was put back, and what the attempt itself left', () => {
    const row = mission.rows.find(({ task }) => task.task_id === 'T2')!;
    const [template] = row.attempts;
    const [change] = template!.observed!.changes;
    const attempt = (number: number, content: string | null, more: object = {}): (typeof row.attempts)[number] => ({
      ...template!,
      attempt: number,
      after_verify: null,
      observed: {
        ...template!.observed!,
        changes:
          content === null
            ? []
            : [
                {
                  ...{ ...change!, path: 'a.txt', kind: 'modified' as const },
                  ...{ before_sha256: '0'.repeat(64), after_sha256: content.repeat(64), ...more },
                },
              ],
      },
    });
    const digests = { before_sha256: '1'.repeat(64), found_sha256: '2'.repeat(64) };
    const entry: (typeof row.outstanding)[number] = {
      ...{ path: 'a.txt', kind: 'modified' as const, ...digests, resolved_path: null, detail: null },
      ...{ why: 'changed', category: 'external_change' as const, attempt: 2 },
      settled: { how: 'gone', attempt: 3, at: '2026-01-01T00:00:00Z' },
    };
    const left = (attempts: typeof row.attempts, of: Partial<typeof row> = {}): unknown =>
      outputsOf({ ...row, attempts, outstanding: [entry], ...of }).map(({ path, sha256 }) => [path, sha256?.[0]]);
    const [first, saved, last] = [
      attempt(1, '1'),
      attempt(2, '2', { attribution: 'external_change' }),
      attempt(3, null),
    ];
    assert.deepEqual(left([first, saved, last]), [['a.txt', '1']]);
    assert.deepEqual(left([attempt(1, null), attempt(2, '2'), last]), []);
    assert.deepEqual(left([first, attempt(2, '2'), attempt(3, '3')]), [['a.txt', '3']], 'gone at its baseline');

    // The attempts before a handoff count as those after it.
    const handedOver = [first, attempt(2, '2')].map(({ attempt: number, ended_at, observed }) => ({
      ...{ attempt: number, ended_at, changes: observed!.changes },
    }));
    const carried = { ...row.carried, attempts: handedOver } as unknown as NonNullable<typeof row.carried>;
    assert.deepEqual(left([last], { carried }), [['a.txt', '1']]);
    assert.deepEqual(left([attempt(3, '3')], { carried }), [['a.txt', '3']]);
    const accepted = { ...entry, attempt: 3, settled: null };
    const twice = { carried, outstanding: [entry, accepted] };
    assert.deepEqual(left([attempt(3, '3', { attribution: 'verify' })], twice), [['a.txt', '3']]);

    const back = attempt(2, '0', { before_sha256: '1'.repeat(64) });
    assert.deepEqual(left([first, back], { outstanding: [] }), [], 'the task itself put it back');
    const removed = [
      attempt(1, '1', { kind: 'added', before_sha256: null }),
      attempt(2, '1', { kind: 'deleted', after_sha256: null }),
    ];
    assert.deepEqual(left(removed, { outstanding: [] }), [], 'the task removed what it had added');
  });
});
