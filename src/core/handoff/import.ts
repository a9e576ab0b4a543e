import type { HandoffBundle, JournalFacts, MissionHandoff } from '../../contracts/handoff';
import type { TaskEvidence } from '../../contracts/taskEvidence';
import { namesNobody } from '../../contracts/vocabulary/actors';
import type { ContractCode } from '../../contracts/vocabulary/codes/codes';
import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import { isOpen } from '../ledger/transitions';
import { judgeHeartbeat } from '../ledger/heartbeat';
import { minimalScope } from '../locks/conflicts';
import type { HandoffImport, ImportedRow } from '../model/handoffFacts';
import { evidenceStatus } from '../mission/evidence/ledgerDocument';
import { lastLeft, outputsInEvidence } from '../mission/evidence/outputs';
import type { ApprovedPlan } from '../plan/approvedPlan';
import { revisionProblem, type RevisedRow } from '../mission/revision/revisable';

export interface HandoffProblem {
  readonly code: ContractCode;
  readonly reason: string;
}

export interface HandedRow {
  readonly task_id: string;
  readonly status: LedgerStatus;
  /** TASK_<task_id>.json and its digest; null: there is nothing to say of the task yet. */
  readonly evidence: TaskEvidence | null;
  readonly sha256: string | null;
}

type Rows = readonly HandedRow[];

/** Checks that the ledger has exactly the tasks of the approved plan, with its scopes, dependencies and ways back. */
export function ledgerAgainstPlan(
  bundle: HandoffBundle,
  { transitions }: Pick<JournalFacts, 'transitions'>,
  plan: ApprovedPlan,
): HandoffProblem | null {
  const wrong = (reason: string): HandoffProblem => ({ code: 'LEDGER_INCONSISTENT', reason });
  const rows = bundle.ledger.map(({ task_id }) => task_id);
  const planned = plan.tasks.map(({ task_id }) => task_id);
  if (JSON.stringify(rows) !== JSON.stringify(planned))
    return wrong(`The ledger has the rows ${rows.join(', ')}; the plan has the tasks ${planned.join(', ')}.`);
  for (const [index, task] of plan.tasks.entries()) {
    const row = bundle.ledger[index];
    const scope = JSON.stringify(minimalScope(task.paths));
    if (!row || JSON.stringify(row.lock_scope) !== scope)
      return wrong(`The lock scope of ${task.task_id} is not the one of the plan: ${scope}.`);
    if (JSON.stringify(row.dependencies ?? []) !== JSON.stringify(task.depends_on))
      return wrong(`The dependencies of ${task.task_id} are not those of the plan.`);
  }
  // The fold judged them by the journal's own plan, which may be another one.
  const units = new Set(plan.tasks.flatMap(({ task_id, validator }) => (validator ? [task_id] : [])));
  const back = transitions.find(({ task_id, from }) => from === 'done' && !units.has(task_id));
  return back ? wrong(`Task ${back.task_id} cannot have gone from done to ${back.to}.`) : null;
}

/** Checks that every started task has evidence of this run and plan, with the ledger's status. */
export function evidenceProblem(bundle: HandoffBundle, given: MissionHandoff, rows: Rows): HandoffProblem | null {
  const started = new Set(bundle.ledger.flatMap(({ task_id, version }) => (version === 0 ? [] : [task_id])));
  for (const { task_id, status, evidence } of rows) {
    const wrong = (reason: string): HandoffProblem => ({ code: 'LEDGER_INCONSISTENT', reason });
    if (evidence === null) {
      if (started.has(task_id))
        return { code: 'MISSING_REQUIRED_INPUT', reason: `TASK_${task_id}.json is not in the handoff.` };
      continue;
    }
    const same = (left: string | null | undefined, right: string): boolean =>
      left?.toUpperCase() === right.toUpperCase();
    if (evidence.task_id !== task_id || evidence.plan_id !== given.plan_id || !same(evidence.run_id, bundle.run_id))
      return wrong(`TASK_${task_id}.json is evidence of another task, plan or run.`);
    if (!same(evidence.plan_sha256, given.plan_sha256))
      return wrong(`TASK_${task_id}.json is evidence of another plan hash.`);
    if ((evidence.status ?? null) !== evidenceStatus({ status }))
      return wrong(`TASK_${task_id}.json says ${evidence.status ?? 'open'}, the ledger ${status}.`);
    const by = evidence.skipped?.decision.actor;
    if ((status === 'canceled' || by) && (by?.kind !== 'human' || namesNobody(by.name))) {
      const how = status === 'canceled' ? 'canceled' : 'to be skipped';
      return wrong(`Task ${task_id} is ${how}, and no decision of a person to skip it came with the handoff.`);
    }
    const attempts = evidence.attempts ?? [];
    if (attempts.some(({ attempt }, index) => attempt !== index + 1))
      return wrong(`TASK_${task_id}.json does not count its ${attempts.length} attempts one by one.`);
    if (status === 'done' && attempts.at(-1)?.outcome !== 'PASS' && !evidence.carried_from)
      return wrong(`Task ${task_id} is done, but its last attempt did not PASS.`);
  }
  return null;
}

export interface JudgedBundle {
  readonly bundle: HandoffBundle;
  readonly given: MissionHandoff;
  readonly facts: JournalFacts;
  readonly rows: Rows;
}

export function importOf(
  { bundle, given, facts, rows }: JudgedBundle,
  resumed: {
    readonly bundle_sha256: string;
    readonly kept_in: string;
    readonly reason: string;
    readonly at: string;
    /** No person resumes it, so what people decided stands. Absent: a person does. */
    readonly by_host?: boolean;
  },
): HandoffImport {
  return {
    source: {
      run_id: bundle.run_id,
      mission_id: given.mission_id,
      handoff: given.handoff,
      bundle_sha256: resumed.bundle_sha256,
      moved: given.moved,
      base_commit: given.base_commit,
      kept_in: resumed.kept_in,
      bundles: facts.bundles,
    },
    reason: resumed.reason,
    transitions: facts.transitions,
    rows: facts.tasks.flatMap(({ task_id, category, retry, question, answers }): readonly ImportedRow[] => {
      const row = rows.find((one) => one.task_id === task_id);
      const line = bundle.ledger.find((one) => one.task_id === task_id);
      if (!row?.evidence || !line) return [];
      return [
        {
          ...{ task_id, evidence: row.evidence, sha256: isOpen(row.status) ? null : row.sha256, retry },
          category: row.status === 'in_progress' ? silence(line, resumed.at) : category,
          ...(question && { question }),
          answers,
        },
      ];
    }),
    launches: facts.launches,
    stands: resumed.by_host ? facts : null,
  };
}

/** Says why a task that was in progress is blocked here: its heartbeat timed out, or its state is unknown. */
function silence(row: HandoffBundle['ledger'][number], now: string): 'task_timeout' | 'awaiting_user' {
  const { task_id, status, last_heartbeat_at, timeout_seconds } = row;
  const verdict = judgeHeartbeat({ task_id, status, last_heartbeat_at, timeout_seconds }, now);
  return verdict.kind === 'timed_out' ? 'task_timeout' : 'awaiting_user';
}

/** Returns what done tasks left, as their evidence says, without what was put back: the bundle names no change of it. */
export function handedOutputs(rows: Rows, { changes }: Pick<MissionHandoff, 'changes'>): ReturnType<typeof lastLeft> {
  const changed = new Set(changes.map(({ path }) => path));
  return lastLeft(
    rows.flatMap(({ task_id, status, evidence }) =>
      status === 'done' && evidence ? [{ task_id, outputs: outputsInEvidence(evidence) }] : [],
    ),
  ).filter(({ path, before }) => before.kind === 'unknown' || changed.has(path));
}

/** Checks that metadata were revised within what the approved plan allows: a handoff may say anything. */
export function revisionsProblem(
  { mission_id }: Pick<MissionHandoff, 'mission_id'>,
  handed: readonly Pick<HandedRow, 'task_id' | 'evidence'>[],
  plan: ApprovedPlan,
): HandoffProblem | null {
  for (const { task_id, evidence } of handed) {
    const approved = plan.tasks.find((task) => task.task_id === task_id);
    if (!approved) continue;
    let row: RevisedRow = { task: approved, attempts: [], carried: null, revisions: [] };
    for (const revision of evidence?.metadata_revised ?? []) {
      const { actor } = revision.decision;
      const rows = plan.tasks.map((task) => ({ task }));
      const problem =
        actor.kind === 'human' || actor.kind === 'orchestrator'
          ? revisionProblem({ mission_id, plan, policy: null, rows }, row, revision.after, actor.kind)
          : { reason: `A ${actor.kind} revises nothing.` };
      if (problem)
        return {
          code: 'LEDGER_INCONSISTENT',
          reason: `A revision of ${task_id} cannot be applied here: ${problem.reason}`,
        };
      const { note: _note, ...values } = revision.after;
      const task = { ...row.task, ...(values as Partial<typeof approved>) };
      row = { ...row, task, revisions: [...row.revisions, revision] };
    }
  }
  return null;
}
