import assert from 'node:assert/strict';
import type * as z from 'zod';
import type { handoffSchema } from '../../../src/contracts/handoff';
import { revisionSchema } from '../../../src/contracts/taskEvidence';
import { handoffBundle } from '../../../src/core/handoff/bundle';
import { importOf } from '../../../src/core/handoff/import';
import { revisionsProblem } from '../../../src/core/handoff/revisions';
import { importRows } from '../../../src/core/mission/handoff/handoffs';
import { play } from '../../scenarios/play';

type Tasks = NonNullable<z.infer<typeof handoffSchema>['x_mission']>['tasks'];

describe('a handoff of a run with revised metadata', () => {
  const { mission, entries } = play({
    tasks: [{ task_id: 'T1' }, { task_id: 'T2', worker: 'codex', worker_from: 'default' }],
    world: { 'T1#1': { end: { exit_code: 3 } } },
    script: [
      { at: 'idle', command: revise('T1', { max_runtime_seconds: 7200 }) },
      { at: 'idle', command: revise('T2', { worker: 'gemini', note: 'Mind it.' }) },
    ],
  });
  const [handoff] = mission.handoffs;
  assert.ok(handoff);
  const world = { at: mission.last_at, role: 'orchestrator', base_commit: null, heartbeats: {} } as const;
  const bundle = handoffBundle(mission, entries, handoff, { ...world, files: [], changes: [] });
  const given = bundle.x_mission!;

  it('brings them along, also those of tasks that have not begun, in the list of decisions too', () => {
    assert.equal(revisionsProblem(given, mission.plan), null);
    for (const { revisions = [] } of given.tasks) for (const one of revisions) revisionSchema.parse(one);
    assert.deepEqual(
      given.decisions.map(({ decision, task_id }) => [decision, task_id]),
      [
        ['revise', 'T1'],
        ['revise', 'T2'],
      ],
    );
    const resumed = { bundle_sha256: 'A'.repeat(64), kept_in: 'handoff/0', reason: 'go on', at: mission.last_at };
    const rows = mission.rows.map(({ task, status }) => ({ task_id: task.task_id, status, evidence: null }));
    const imported = importOf({ bundle, given, transitions: [], rows }, resumed);
    const decision = { actor: { kind: 'human', name: 'bob' }, reason: 'go on', at: mission.last_at } as const;
    const events = importRows('M2', imported, decision).filter(({ type }) => type === 'MetadataRevised');
    assert.deepEqual(
      events.map((event) => 'after' in event && event.after),
      [{ max_runtime_seconds: 7200 }, { note: 'Mind it.', worker: 'gemini' }],
    );
  });

  const refused: readonly [string, (tasks: Tasks) => void, RegExp][] = [
    [
      'beyond the limits of a plan',
      ([one]) => (one!.revisions![0]!.after = { max_runtime_seconds: 1e9 }),
      /whole number/,
    ],
    [
      'to another worker than the plan names',
      ([one]) => (one!.revisions![0]!.after = { worker: 'codex' }),
      /names the worker/,
    ],
    ['by a worker', ([one]) => (one!.revisions![0]!.decision.actor.kind = 'worker'), /worker revises nothing/],
    [
      'to claude, which the plan does not delegate to',
      ([, two]) => (two!.revisions![0]!.after = { worker: 'claude' }),
      /delegate/,
    ],
  ];
  for (const [what, change, said] of refused)
    it(`is not taken over where a task is revised ${what}`, () => {
      const changed = structuredClone(given);
      change(changed.tasks as Tasks);
      const problem = revisionsProblem(changed, mission.plan);
      assert.equal(problem?.code, 'LEDGER_INCONSISTENT');
      assert.match(problem.reason, said);
    });

  function revise(task_id: string, changes: object) {
    return { type: 'ReviseMetadata', task_id, packet_id: null, changes } as const;
  }
});
