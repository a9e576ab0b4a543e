import { orchestratorSessionFile } from '../../contracts/vocabulary/orchestrator';
import type { AttemptFacts, HeaderFacts, Place, TaskFacts } from '../evidence/facts';
import { limitWait } from './afterLimit';
import { evidenceStatus } from './evidenceStatus';
import { streamPaths } from '../lifecycle/announced';
import { failureCode } from '../lifecycle/failureCode';
import { passed } from '../lifecycle/judge';
import { lingeredWords } from '../../base/text/endWords';
import { reportedModel, selectionOf } from '../lifecycle/modelSelection';
import { startedNothing, workerLaunch } from '../lifecycle/workerLaunch';
import { changesAtEnd } from '../observation/verifyChange';
import type { PacketFacts } from '../packets/packet';
import { carriedFacts } from './carry';
import { answerFacts, askedFacts } from './answerFacts';
import { attemptsOf } from './handoffs';
import { orchestratorEvidence } from './orchestratorEvidence';
import { outstandingFacts } from './outstanding';
import type { EndedAttempt } from '../model/attempt';
import type { VerifyResult } from '../model/facts';
import { categoryOf, orderedBy, rowOf, type Mission, type Packet, type TaskRow } from '../model/state';
import { interventionFacts, judgementFacts } from './judgementFacts';
import { memoryFacts } from './memoryFacts';
import { headerMilestones } from './milestoneDocument';
import { validationFacts } from './milestoneFacts';
import { confinementOfVerify, launchFacts } from './launchFacts';
import { recoveriesOf } from './recoveryDocuments';
import { revisionFacts } from './revisionFacts';
import { skippedFacts } from './skip';
import { missionStatus } from './status';

/** The facts of EXECUTION_HEADER.json for a mission that is locked or has ended. */
export function headerFacts(
  mission: Mission,
  written: {
    readonly summary_sha256: string | null;
    readonly identity: { readonly host: string; readonly user: string } | null;
    readonly at: string;
  },
): HeaderFacts {
  const ended = mission.ending !== null;
  return {
    plan_id: mission.plan.plan_id,
    goal_id: mission.plan.goal_id,
    plan_path: mission.plan_path,
    plan_sha256: mission.plan_sha256,
    plan_canonical_sha256: mission.plan_canonical_sha256,
    started_at: mission.received_at,
    state: ended ? 'REPORTED' : mission.execution,
    host: written.identity?.host ?? null,
    user: written.identity?.user ?? null,
    executor: 'mission',
    mission_id: mission.mission_id,
    run_id: mission.run_id,
    ended_at: mission.ending?.at ?? null,
    outcome: mission.ending?.outcome ?? null,
    status: missionStatus(mission),
    cancelled: mission.ending?.cancelled ?? false,
    code: mission.ending?.code ?? null,
    reason: mission.ending?.reason ?? null,
    plan_sha256_observed: observedMismatch(mission),
    approval_source: mission.approval_source,
    approved_by: mission.plan.approved_by,
    approved_at: mission.plan.approved_at,
    approved_here: mission.approved_here && { by: mission.approved_here.by, at: mission.approved_here.at },
    confinement: mission.confinement,
    policy_sha256: mission.policy?.sha256 ?? null,
    archived: mission.archived,
    supersedes: mission.plan.supersedes,
    superseded_by: mission.superseded && {
      plan_id: mission.superseded.plan_id,
      plan_sha256: mission.superseded.plan_sha256,
      by: mission.superseded.decision.actor.name,
      at: mission.superseded.decision.at,
      reason: mission.superseded.decision.reason,
    },
    moved_aside: mission.moved_aside,
    resumed_from: mission.resumed_from && {
      mission_id: mission.resumed_from.mission_id,
      handoff: mission.resumed_from.handoff,
      bundle_sha256: mission.resumed_from.bundle_sha256,
      moved: mission.resumed_from.moved,
      resumed_by: mission.resumed_from.decision.actor.name,
      resumed_at: mission.resumed_from.decision.at,
      reason: mission.resumed_from.decision.reason,
    },
    state_history: ended
      ? [...mission.execution_history, { state: 'REPORTED', at: written.at }]
      : mission.execution_history,
    locked_plan_sha256: mission.plan_sha256,
    summary_sha256: written.summary_sha256,
    tasks: mission.rows.map((row) => ({
      task_id: row.task.task_id,
      status: evidenceStatus(row),
      code: row.code,
      attempts: attemptsOf(row),
      evidence_sha256: row.evidence?.sha256 ?? null,
    })),
    ...headerMilestones(mission),
    ...orchestratorEvidence(mission),
    success_criteria: mission.criteria ?? [],
    journal: { events: mission.last_seq, last_hash: mission.last_hash },
    tool: { name: 'mission-control', version: mission.tool_version },
    not_observed: [
      ...new Set(
        mission.rows.flatMap((row) => [
          ...(row.carried?.attempts ?? []).flatMap((attempt) => attempt.not_observed),
          ...row.attempts.flatMap((attempt) => notObserved(attempt)),
        ]),
      ),
    ],
  };
}

export function taskFacts(mission: Mission, row: TaskRow, places: readonly Place[]): TaskFacts {
  return {
    plan_id: mission.plan.plan_id,
    task_id: row.task.task_id,
    description: row.task.description,
    started_at: row.started_at,
    start_notes: null,
    ended_at: row.ended_at,
    end_notes: row.reason === '' ? null : row.reason,
    status: evidenceStatus(row),
    commit_sha: row.attempts.at(-1)?.after_verify?.head ?? row.attempts.at(-1)?.observed?.head ?? null,
    executor: 'mission',
    mission_id: mission.mission_id,
    run_id: mission.run_id,
    code: row.code,
    reason: row.reason === '' ? null : row.reason,
    plan_sha256: mission.plan_sha256,
    plan_sha256_observed: row.attempts.at(-1)?.plan_sha256_observed ?? null,
    worker: row.task.worker,
    paths: row.task.paths,
    forbidden_paths: row.task.forbidden_paths,
    attempts: [...(row.carried?.attempts ?? []), ...row.attempts.map((attempt) => attemptFacts(mission, row, attempt))],
    metadata_revised: row.revisions.map(revisionFacts),
    outstanding: row.outstanding.map(outstandingFacts),
    carried_from: carriedFacts(row),
    skipped_by: row.skipped && skippedFacts(row.skipped),
    places,
  };
}

/** `mission_dir` and the artifacts are relative to the workspace root. */
export function packetFacts(
  mission: Mission,
  packet: Packet,
  mission_dir: string,
  artifact_paths: readonly string[],
): PacketFacts {
  const row = rowOf(mission, packet.task_id);
  const attempt = row?.attempts.find((candidate) => candidate.attempt === packet.attempt);
  const end = attempt?.launches.at(-1)?.end ?? null;
  const failure = attempt?.failure?.kind === 'recoverable' ? attempt.failure : null;
  const stayed = attempt && workerLaunch(attempt)?.end?.did_not_exit;
  const wait = limitWait(mission, packet);
  return {
    packet_id: packet.packet_id,
    mission_id: mission.mission_id,
    mission_title: `${mission.plan.plan_id} (${mission.plan.goal_id})`,
    created_at: packet.issued_at,
    reason_category: categoryOf(mission, packet),
    ...(failure?.limit_ends && { limit_ends: failure.limit_ends }),
    ...(wait && { goes_on_at: wait.at }),
    question: packet.question && askedFacts(packet.question),
    ...(failure?.code !== undefined && { code: failure.code }),
    ...(!failure && row?.carried?.category && row.code !== null && { code: row.code }),
    kind: row?.task.validator || attempt?.launches.at(-1)?.purpose.kind === 'verify' ? 'validator' : 'worker',
    validator_mode: row?.task.validator?.mode ?? null,
    plan_id: mission.plan.plan_id,
    milestone_id: row?.task.milestone ?? null,
    task_id: packet.task_id,
    task_title: row?.task.description ?? packet.task_id,
    mission_dir,
    run_dir: attempt?.launches.some(({ run_dir, prepared }) => prepared && run_dir === packet.run_dir)
      ? `${mission_dir}/runs/${packet.run_dir}`
      : null,
    exit_code: end === null || startedNothing(end) ? null : end.exit_code,
    signal: end?.signal ?? null,
    cancelled: failure?.human_only === 'stopped_by_human',
    reported_status: [
      failure?.human_only ?? '',
      row?.reason ?? '',
      ...(stayed ? [lingeredWords(stayed)] : []),
      ...(failure?.details ?? []),
    ]
      .filter((part) => part !== '')
      .join('\n'),
    dirty: changedPaths(attempt),
    artifact_paths,
    orchestrator_session_record_path: mission.orchestrator ? `${mission_dir}/${orchestratorSessionFile}` : null,
  };
}

function attemptFacts(mission: Mission, row: TaskRow, attempt: EndedAttempt): AttemptFacts {
  const workers = attempt.launches.filter(({ purpose }) => purpose.kind === 'worker');
  const { failure } = attempt;
  return {
    attempt: attempt.attempt,
    started_at: attempt.started_at,
    ended_at: attempt.ended_at,
    outcome: attempt.outcome,
    code: failure === null ? null : failureCode(failure),
    reason: failure === null ? null : [failure.reason, ...failure.details].join('\n'),
    decided_by:
      attempt.decided_by === null
        ? null
        : {
            ...attempt.decided_by,
            outcome:
              orderedBy(mission, row.task.task_id, attempt.decided_by) ??
              (attempt.validates ? 'rerun-validation' : 'retry-repair'),
          },
    ...(attempt.because !== undefined && { because: attempt.because }),
    ...validationFacts(row, attempt),
    ...(attempt.answers.length > 0 && { answers: attempt.answers.map(answerFacts) }),
    ...(attempt.context && { context: attempt.context }),
    ...modelFacts(mission, row, attempt),
    launches: workers.map((launch) => launchFacts(mission, attempt, launch)),
    changes: changesAtEnd(attempt.observed?.changes ?? [], attempt.after_verify?.changes ?? []),
    observed_sha256: attempt.observed?.observed_sha256 ?? null,
    not_observed: notObserved(attempt),
    ...(attempt.baseline?.clock_ahead_ms !== undefined && { clock_ahead_ms: attempt.baseline.clock_ahead_ms }),
    claim: attempt.claim,
    ...streamFacts(attempt),
    timed_out: attempt.timed_out,
    late_result: attempt.late_result,
    verify: attempt.verify.map((result) => ({
      argv: result.argv,
      exit_code: result.end.exit_code,
      signal: result.end.signal,
      passed: passed(result),
      output_sha256: result.end.stdout?.sha256 ?? null,
      tail: withOwnError(result),
      limits: result.end.limits,
      ...(result.end.caches && { caches: result.end.caches }),
      ...confinementOfVerify(attempt, result),
    })),
    ...(attempt.after_verify
      ? {
          verify_changes: {
            observed_sha256: attempt.after_verify.observed_sha256,
            changes: attempt.after_verify.changes,
          },
        }
      : {}),
    acceptance: row.task.acceptance_criteria.map((criterion) => acceptance(attempt, criterion)),
    recoveries: recoveriesOf(row, attempt),
    denials: [...workers, ...attempt.verify].flatMap(({ end }) =>
      (end?.denials ?? []).map(({ tool, path, reason }) => ({ tool, path, reason })),
    ),
    ...interventionFacts(attempt),
    ...memoryFacts(attempt),
    ...judgementFacts(attempt, row.task.worker !== 'command'),
    ...sealFacts(attempt),
  };
}

/** The end of the output, below its own error where that stands further up. */
function withOwnError({ output_tail, end }: Pick<VerifyResult, 'output_tail' | 'end'>): string {
  const above = (end.own_error ?? []).filter((line) => !output_tail.includes(line));
  return above.length === 0 ? output_tail : [...above, '...', output_tail].join('\n');
}

function streamFacts(attempt: EndedAttempt): Pick<AttemptFacts, 'announced'> {
  const announced = streamPaths(attempt);
  return announced.length === 0 ? {} : { announced };
}

function modelFacts(mission: Mission, row: TaskRow, attempt: EndedAttempt): Pick<AttemptFacts, 'model_selection'> {
  const selection = selectionOf(attempt);
  if (!selection) return {};
  const reported = reportedModel(mission, row, attempt);
  return {
    model_selection: { ...selection, reported: reported && { model: reported.model, judged: reported.kind } },
  };
}

function sealFacts({ phases }: EndedAttempt): Pick<AttemptFacts, 'seal'> {
  const seal = phases.find(({ phase }) => phase === 8)?.seal;
  const closing = phases.find(({ phase }) => phase === 10)?.closing;
  if (!seal || !closing) return {};
  return { seal: { records: seal.records_sha256.length, sha256: seal.sha256, closing_sha256: closing.sha256 } };
}

function notObserved({ observed, after_verify }: EndedAttempt): readonly string[] {
  return [...new Set([...(observed?.not_observed ?? []), ...(after_verify?.not_observed ?? [])])];
}

function acceptance(attempt: EndedAttempt, criterion: string): AttemptFacts['acceptance'][number] {
  if (attempt.claim.kind !== 'valid')
    return {
      criterion,
      result: 'not_checked',
      evidence: 'No worker reported on it; only the verify commands of the task speak for it.',
    };
  const check = attempt.claim.result.acceptance_check.find((candidate) => candidate.criterion === criterion);
  return check
    ? { criterion, result: check.status, evidence: check.evidence }
    : { criterion, result: 'not_checked', evidence: 'The worker did not report on it.' };
}

function observedMismatch(mission: Mission): string | null {
  for (const row of mission.rows) {
    const attempt = row.attempts.find(
      (candidate) => candidate.failure?.kind === 'structural' && candidate.failure.code === 'PLAN_HASH_MISMATCH',
    );
    if (attempt) return attempt.plan_sha256_observed;
  }
  return null;
}

function changedPaths(attempt: EndedAttempt | undefined): string | null {
  const changes = changesAtEnd(attempt?.observed?.changes ?? [], attempt?.after_verify?.changes ?? []);
  if (changes.length === 0) return null;
  const shown = changes.slice(0, 200).map((change) => `${change.kind} ${change.path}`);
  return [...shown, ...(changes.length > shown.length ? [`and ${changes.length - shown.length} more`] : [])].join('\n');
}
