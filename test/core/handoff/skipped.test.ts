import assert from 'node:assert/strict';
import type { HandoffBundle, MissionHandoff } from '../../../src/contracts/handoff';
import { taskEvidenceSchema, type Skipped } from '../../../src/contracts/taskEvidence';
import type { Actor } from '../../../src/contracts/vocabulary/actors';
import { documentText } from '../../../src/base/json';
import { handoffBundle } from '../../../src/core/handoff/bundle';
import { evidenceProblem, importOf } from '../../../src/core/handoff/import';
import { taskEvidence } from '../../../src/core/mission/evidence/taskEvidence';
import { play } from '../../scenarios/play';

type Rows = Parameters<typeof evidenceProblem>[2];

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

/** What is wrong when the evidence in the handoff records another skip of T2; null: it records none. */
function problemWith(by: Skipped | null): string | null {
  const { bundle, given, rows } = handedOver();
  const found = rows.map((row) => {
    if (row.task_id !== 'T2' || !row.evidence) return row;
    const { skipped: _before, ...rest } = row.evidence;
    return { ...row, evidence: by === null ? rest : { ...rest, skipped: by } };
  });
  return evidenceProblem(bundle, given, found)?.reason ?? null;
}

describe('a handoff of a run with a skipped task', () => {
  const actor: Actor = { kind: 'human', name: 'ada' };
  const decision = { actor, reason: 'not needed', at: '2026-01-01T00:00:00.000Z' };
  const byOther = (other: Partial<Actor>): Skipped => ({
    ...{ decision: { ...decision, actor: { ...actor, ...other } }, chosen: 'T2' },
  });

  it('brings the decision along, in the list of decisions and with its task', () => {
    const { bundle, given, rows } = handedOver();
    assert.equal(evidenceProblem(bundle, given, rows), null);
    const skip = given.decisions.find(({ decision }) => decision === 'skip');
    assert.deepEqual([skip?.task_id, skip?.actor.name, skip?.reason], ['T2', 'ada', 'not needed']);
    const resumed = { bundle_sha256: 'A'.repeat(64), kept_in: 'handoff/0', reason: 'go on', at: decision.at };
    const row = importOf({ bundle, given, transitions: [], rows }, resumed).rows.find(
      ({ task_id }) => task_id === 'T2',
    );
    assert.deepEqual(
      [row?.skipped?.decision.actor, row?.skipped?.decision.reason, row?.skipped?.chosen],
      [{ kind: 'human', name: 'ada' }, 'not needed', 'T2'],
    );
  });

  const nobodys = 'Task T2 is canceled, and no decision of a person to skip it came with the handoff.';
  const cases: readonly [string, Skipped | null][] = [
    ['nobody skipped it', null],
    ['an agent skipped it', byOther({ kind: 'worker' })],
    ['no person is named', byOther({ name: 'auto' })],
  ];
  for (const [name, changed] of cases)
    it(`is not taken over with a canceled task: ${name}`, () => assert.equal(problemWith(changed), nobodys));
});
