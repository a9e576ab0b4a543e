import assert from 'node:assert/strict';
import type { HandoffBundle, MissionHandoff } from '../../../src/contracts/handoff';
import { taskEvidenceSchema, type TaskEvidence } from '../../../src/contracts/taskEvidence';
import { documentText } from '../../../src/base/json';
import { handoffBundle } from '../../../src/core/handoff/bundle';
import { evidenceProblem, importOf } from '../../../src/core/handoff/import';
import { taskEvidence } from '../../../src/core/mission/evidence/taskEvidence';
import { play } from '../../scenarios/play';

type Rows = Parameters<typeof evidenceProblem>[2];
type SkippedBy = NonNullable<TaskEvidence['skipped_by']>;

/** A paused mission with one task done and one skipped, as it is handed over. */
function handedOver(): { readonly bundle: HandoffBundle; readonly given: MissionHandoff; readonly rows: Rows } {
  const { mission, entries } = play({
    tasks: [{ task_id: 'T1' }, { task_id: 'T2' }, { task_id: 'T3' }],
    script: [
      { at: { effect: 'awaitWorker', task: 'T1' }, command: { type: 'PauseMission' } },
      { at: 'idle', command: { type: 'SkipTask', task_id: 'T2', dependants: [] }, reason: 'not needed' },
    ],
  });
  const world = { at: mission.last_at, role: 'orchestrator', base_commit: null, heartbeats: {} } as const;
  const [handoff] = mission.handoffs;
  assert.ok(handoff);
  const bundle = handoffBundle(mission, entries, handoff, { ...world, files: [], changes: [] });
  assert.ok(bundle.x_mission);
  const rows = mission.rows.map((row) => ({
    task_id: row.task.task_id,
    status: row.status,
    evidence: row.evidence ? taskEvidenceSchema.parse(JSON.parse(documentText(taskEvidence(mission, row, [])))) : null,
  }));
  return { bundle, given: bundle.x_mission, rows };
}

/** What is wrong when the handoff, or the evidence in it, records another skip of T2. */
function problemWith(changed: {
  readonly given?: SkippedBy | null;
  readonly evidence?: SkippedBy | null;
}): string | null {
  const { bundle, given, rows } = handedOver();
  const told = <T extends { readonly skipped_by?: SkippedBy | undefined }>(one: T, by?: SkippedBy | null): T => {
    if (by === undefined) return one;
    const { skipped_by: _before, ...rest } = one;
    return (by === null ? rest : { ...rest, skipped_by: by }) as T;
  };
  const tasks = given.tasks.map((task) => (task.task_id === 'T2' ? told(task, changed.given) : task));
  const found = rows.map((row) =>
    row.task_id === 'T2' && row.evidence ? { ...row, evidence: told(row.evidence, changed.evidence) } : row,
  );
  return evidenceProblem(bundle, { ...given, tasks }, found)?.reason ?? null;
}

describe('a handoff of a run with a skipped task', () => {
  const by = {
    kind: 'human',
    name: 'ada',
    reason: 'not needed',
    at: '2026-01-01T00:00:00.000Z',
    chosen: 'T2',
  } as const;

  it('brings the decision along, in the list of decisions and with its task', () => {
    const { bundle, given, rows } = handedOver();
    assert.equal(evidenceProblem(bundle, given, rows), null);
    const skip = given.decisions.find(({ decision }) => decision === 'skip');
    assert.deepEqual([skip?.task_id, skip?.actor.name, skip?.reason], ['T2', 'ada', 'not needed']);
    const resumed = { bundle_sha256: 'A'.repeat(64), kept_in: 'handoff/0', reason: 'go on', at: by.at };
    const row = importOf({ bundle, given, transitions: [], rows }, resumed).rows.find(
      ({ task_id }) => task_id === 'T2',
    );
    assert.deepEqual(
      [row?.skipped?.decision.actor, row?.skipped?.decision.reason, row?.skipped?.chosen],
      [{ kind: 'human', name: 'ada' }, 'not needed', 'T2'],
    );
  });

  const nobodys = 'Task T2 is canceled, and no decision of a person to skip it came with the handoff.';
  const cases: readonly [string, Parameters<typeof problemWith>[0], string][] = [
    ['nobody skipped it', { given: null, evidence: null }, nobodys],
    ['an agent skipped it', { given: { ...by, kind: 'worker' }, evidence: { ...by, kind: 'worker' } }, nobodys],
    ['no person is named', { given: { ...by, name: 'auto' }, evidence: { ...by, name: 'auto' } }, nobodys],
    [
      'the evidence knows no skip of',
      { evidence: null },
      'TASK_T2.json and x_mission.tasks do not say the same of who skipped it.',
    ],
    [
      'the evidence records another decision',
      { evidence: by },
      'TASK_T2.json and x_mission.tasks do not say the same of who skipped it.',
    ],
  ];
  for (const [name, changed, reason] of cases)
    it(`is not taken over with a canceled task: ${name}`, () => assert.equal(problemWith(changed), reason));
});
