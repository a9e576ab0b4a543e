import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { plainlyEquipped } from '../../support/receivedPlan';
import { createEvidenceFiles } from '../../../src/adapters/evidence/files';
import type { JournalFacts } from '../../../src/core/verify/facts';
import { parseJsonText } from '../../../src/adapters/documents/json';
import type { ExecutionHeader } from '../../../src/contracts/record/header';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import type { ExecutionState, TaskEvidenceStatus } from '../../../src/contracts/vocabulary/execution';
import { documentText } from '../../../src/base/json';
import type { AttemptEvidence, TaskWithAttempts } from '../../../src/contracts/taskEvidence';
import { headerDocument } from '../../../src/engine/effects/write/writeDocuments';
import { headerPath, lockedPlanPath, summaryPath, taskEvidencePath } from '../../../src/core/evidence/places';
import { summaryMarkdown } from '../../../src/core/evidence/summary';
import type { MissionEvent } from '../../../src/core/model/events';
import type { Outcome } from '../../../src/base/outcome';
import { sampleAttempt, sampleHeader, sampleTask, type SampleHeader } from '../../core/evidence/sampleFacts';
import { scratch } from '../scratch';

export const planId = 'P1';
export const missionId = 'P1-20260102T030405Z-abc123';
export const evidenceFolder = `docs/ops/executions/${planId}`;

export interface SampleChanges {
  readonly header?: (facts: SampleHeader) => ExecutionHeader;
  readonly task?: (facts: TaskWithAttempts) => TaskWithAttempts;
  /** The bytes of the plan, with tasks T1 and T2. */
  readonly plan?: string;
  /** The evidence is of a version that kept no digest of the plan's content. */
  readonly older?: boolean;
}
export interface EvidenceSample {
  readonly root: string;
  /** The journal that goes with the files. */
  readonly journal: JournalFacts;
  file(name: string): string;
}

/** A completed mission of two tasks: workspace, plan, evidence through the real adapter, and its journal. */
export async function evidenceSample(changes: SampleChanges = {}): Promise<EvidenceSample> {
  const root = await scratch();
  const files = createEvidenceFiles({ workspaceRoot: root });
  const plan =
    changes.plan ?? `${JSON.stringify({ plan_id: planId, tasks: [{ task_id: 'T1' }, { task_id: 'T2' }] }, null, 2)}\n`;
  const plan_sha256 = sha256Of(plan);
  const { canonical_sha256 } = parseJsonText(Buffer.from(plan));
  const content = changes.older || canonical_sha256 === null ? {} : { plan_canonical_sha256: canonical_sha256 };
  await put(root, 'docs/plans/PLAN_P1.json', plan);
  must(await files.write(lockedPlanPath(planId), Buffer.from(plan)));

  const tasks: TaskWithAttempts[] = [];
  const rows: {
    task_id: string;
    status: TaskEvidenceStatus | null;
    code: string | null;
    attempts: number;
    evidence_sha256: string;
  }[] = [];
  for (const task_id of ['T1', 'T2']) {
    const output = `output of ${task_id}\n`;
    await put(root, `src/${task_id}.txt`, output);
    const base = sampleTask({
      task_id,
      plan_sha256,
      attempts: [sampleAttempt({ changes: [added(`src/${task_id}.txt`, output)] })],
    });
    const facts = changes.task?.(base) ?? base;
    const written = must(await files.write(taskEvidencePath(planId, task_id), documentText(facts)));
    tasks.push(facts);
    rows.push({
      task_id,
      status: facts.status ?? null,
      code: facts.code ?? null,
      attempts: facts.attempts.length,
      evidence_sha256: written.sha256,
    });
  }

  const before: MissionEvent[] = [
    {
      type: 'MissionReceived',
      mission_id: missionId,
      plan: {} as never,
      plan_path: 'docs/plans/PLAN_P1.json',
      plan_sha256,
      ...plainlyEquipped,
      ...content,
      approval_source: 'journal',
      started_by: { kind: 'human', name: 'Ada' },
      tool_version: '0.1.0',
    },
    { type: 'PlanLocked', plan_sha256 },
    ...rows.map((row): MissionEvent => ({
      type: 'TaskEvidenceWritten',
      task_id: row.task_id,
      status: row.status ?? 'SUCCESS',
      path: taskEvidencePath(planId, row.task_id),
      sha256: row.evidence_sha256,
    })),
    { type: 'MissionCompleted' },
  ];
  const base = sampleHeader({
    plan_sha256,
    ...content,
    policy_sha256: plainlyEquipped.policy.sha256,
    locked_plan: { file: 'PLAN.locked.json', sha256: plan_sha256 },
    tasks: rows,
    journal: { events: before.length, last_hash: hashOf(before.length) },
  });
  const header = changes.header?.(base) ?? base;
  const summary = must(await files.writeMarkdown(summaryPath(planId), summaryMarkdown({ header, tasks })));
  const written = must(
    await files.write(
      headerPath(planId),
      headerDocument({ ...header, summary: { file: 'EXECUTION_SUMMARY.md', sha256: summary.sha256 } }),
    ),
  );
  const events: MissionEvent[] = [
    ...before,
    { type: 'MissionReported', header_sha256: written.sha256, summary_sha256: summary.sha256 },
  ];
  return { root, journal: journalOf(events), file: (name) => path.join(root, evidenceFolder, name) };
}

export function journalOf(events: readonly MissionEvent[]): JournalFacts {
  const entries = events.map((event, index) => ({
    stream: missionId,
    seq: index + 1,
    run_id: 'R',
    at: '2026-01-02T03:04:05.000Z',
    actor: { kind: 'runner', name: 'mission-control' } as const,
    fence: 1,
    event,
    prev_hash: hashOf(index),
    hash: hashOf(index + 1),
  }));
  return { entries, chain: { valid: true, first_bad: null } };
}

export function history(...states: ExecutionState[]): NonNullable<ExecutionHeader['state_history']> {
  return states.map((state) => ({ state, at: '2026-01-02T03:04:05.000Z' }));
}

export function must<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.refusal.code}: ${outcome.refusal.reason}`);
}

export async function put(root: string, relative: string, content: string): Promise<void> {
  const file = path.join(root, relative);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}

function added(file: string, content: string): AttemptEvidence['changes'][number] {
  return {
    path: file,
    kind: 'added',
    before_sha256: null,
    after_sha256: sha256Of(content),
    resolved_path: null,
    attribution: 'worker',
    in_scope: true,
    violation: null,
    detail: null,
  };
}

function hashOf(seq: number): string {
  return sha256Of(`entry ${String(seq)}`);
}
