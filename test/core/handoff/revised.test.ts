import assert from 'node:assert/strict';
import type { Revision } from '../../../src/contracts/taskEvidence';
import { revisionsProblem } from '../../../src/core/handoff/import';
import { play } from '../../scenarios/play';
import { handedOver, takenOver } from '../../scenarios/takenOver';

/** What was revised of T1 and T2. */
type Revised = readonly [Written, Written];
type Written = { -readonly [K in keyof Revision]: Revision[K] };

describe('a handoff of a run with revised metadata', () => {
  const { mission, entries } = play({
    tasks: [{ task_id: 'T1' }, { task_id: 'T2', worker: 'codex', worker_from: 'default' }],
    world: { 'T1#1': { end: { exit_code: 3 } } },
    script: [
      { at: 'idle', command: revise('T1', { max_runtime_seconds: 7200 }) },
      { at: 'idle', command: revise('T2', { worker: 'gemini', note: 'Mind it.' }) },
    ],
  });
  const handed = handedOver({ mission, entries });
  const { given, rows } = handed;

  it('brings them along, also those of tasks that have not begun', () => {
    assert.deepEqual(
      takenOver(handed, mission).mission.rows.map(({ task, notes }) => [
        ...[task.max_runtime_seconds, task.worker],
        notes.map(({ text }) => text),
      ]),
      [
        [7200, 'command', []],
        [mission.rows[1]!.task.max_runtime_seconds, 'gemini', ['Mind it.']],
      ],
    );
  });

  const refused: readonly [string, (revised: Revised) => void, RegExp][] = [
    ['beyond the limits of a plan', ([one]) => (one.after = { max_runtime_seconds: 1e9 }), /whole number/],
    ['to another worker than the plan names', ([one]) => (one.after = { worker: 'codex' }), /names the worker/],
    [
      'by a worker',
      ([one]) => (one.decision = { ...one.decision, actor: { kind: 'worker', name: 'w' } }),
      /worker revises nothing/,
    ],
    ['to claude, which the plan does not delegate to', ([, two]) => (two.after = { worker: 'claude' }), /delegate/],
  ];
  for (const [what, change, said] of refused)
    it(`is not taken over where a task is revised ${what}`, () => {
      const forged = structuredClone(rows);
      change(forged.flatMap(({ evidence }) => evidence?.metadata_revised ?? []) as unknown as Revised);
      const problem = revisionsProblem(given, forged, mission.plan);
      assert.equal(problem?.code, 'LEDGER_INCONSISTENT');
      assert.match(problem.reason, said);
    });

  function revise(task_id: string, changes: object) {
    return { type: 'ReviseMetadata', task_id, packet_id: null, changes } as const;
  }
});
