import assert from 'node:assert/strict';
import { taskEvidenceSchema } from '../../src/contracts/taskEvidence';
import type { Actor } from '../../src/contracts/vocabulary/actors';
import { documentText } from '../../src/base/json';
import { handoffBundle, isUntouched, type HandoffWorld } from '../../src/core/handoff/bundle';
import {
  evidenceProblem,
  importOf,
  ledgerAgainstPlan,
  type HandedRow,
  revisionsProblem,
} from '../../src/core/handoff/import';
import { foldedJournal } from '../../src/core/handoff/journal';
import { decide } from '../../src/core/mission/decide';
import { evolve } from '../../src/core/mission/evolve';
import { taskEvidence } from '../../src/core/mission/evidence/taskEvidence';
import {
  journalFactsSchema,
  type HandoffBundle,
  type JournalFacts,
  type MissionHandoff,
} from '../../src/contracts/handoff';
import type { InputBody } from '../../src/core/model/inputs';
import type { Mission } from '../../src/core/model/state';
import { plainlyReceived } from '../support/receivedPlan';
import type { Played } from './play';
import { planSha256 } from './world';

/** When another clone goes on. */
export const takenAt = '2026-01-02T00:00:00.000Z';
const runner: Actor = { kind: 'runner', name: 'mission-control' };

/** What lies in the folder of a handoff, as the other clone reads it. */
export interface HandedOver {
  readonly bundle: HandoffBundle;
  readonly given: MissionHandoff;
  readonly rows: readonly HandedRow[];
  readonly facts: JournalFacts;
}

/** The handoff that a mission wrote last, or its first, as it would be written now. */
export function handedOver({ mission, entries }: Played, world: Partial<HandoffWorld> = {}): HandedOver {
  const handoff = mission.handoffs.at(-1) ?? { n: 1, why: 'asked', move: null };
  const bundle = handoffBundle(mission, entries, handoff, {
    ...{ at: takenAt, role: 'orchestrator', base_commit: null, heartbeats: {}, files: [], changes: [] },
    ...world,
  });
  const { x_mission: given } = bundle;
  assert.ok(given);
  const rows = mission.rows.map((row) => ({
    ...{ task_id: row.task.task_id, status: row.status, sha256: row.evidence?.sha256 ?? null },
    evidence: isUntouched(row) ? null : taskEvidenceSchema.parse(JSON.parse(documentText(taskEvidence(mission, row)))),
  }));
  const folded = foldedJournal(JSON.parse(JSON.stringify(entries)) as typeof entries, { bundle, given, rows });
  if (mission.handoffs.length > 0) assert.equal(folded.problem, null);
  const facts = journalFactsSchema.parse(folded.facts);
  return { bundle, given, rows, facts };
}

/** What another clone goes on with, before it does anything else. */
export function takenOver(handed: HandedOver, { plan, plan_path }: Mission, more: Partial<InputBody> = {}): Played {
  const { bundle, given, rows, facts } = handed;
  assert.equal(ledgerAgainstPlan(bundle, facts, plan), null);
  assert.equal(evidenceProblem(bundle, given, rows), null);
  assert.equal(revisionsProblem(given, rows, plan), null);
  const resumed = { bundle_sha256: 'A'.repeat(64), kept_in: 'handoff/0', reason: 'go on', at: takenAt };
  return submitted(null, {
    ...{ type: 'PlanReceived', mission_id: 'M2', plan, plan_path, plan_sha256: planSha256, tool_version: '0' },
    ...plainlyReceived,
    handoff: importOf({ bundle, given, facts, rows }, resumed),
    ...more,
  } as InputBody);
}

/** The same after an input. */
export function submitted(before: Played | null, body: InputBody): Played {
  const entries = [...(before?.entries ?? [])];
  let mission = before?.mission ?? null;
  const fresh = { launch_id: 'l', session_id: 's', nonce: 'n' };
  for (const event of decide(mission, { at: takenAt, actor: runner, fresh, body })) {
    const entry = { stream: 'M2', seq: entries.length + 1, run_id: 'run', at: takenAt, actor: runner, fence: 1, event };
    entries.push({ ...entry, prev_hash: '', hash: '' });
    mission = evolve(mission, entry);
  }
  assert.ok(mission);
  return { entries, mission };
}
