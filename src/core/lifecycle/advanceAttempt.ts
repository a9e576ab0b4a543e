import type { Phase } from '../../contracts/vocabulary/execution';
import type { LaunchPurpose, EventOf, MissionEvent } from '../model/events';
import type { AttemptFailure, ChecksResult } from '../model/facts';
import type { Fresh } from '../model/inputs';
import { failedBeside } from '../model/lanes';
import { nextRunDir } from '../model/runDirs';
import type { Attempt } from '../model/attempt';
import { waitingWork } from '../model/waitingWork';
import { rowOf, type Mission, type TaskRow, type Tasks, type Progress } from '../model/state';
import { listed, stillOpen, type OutstandingChange } from '../observation/outstanding';
import { packetId } from '../model/packetId';
import { failureCode } from './judge/failureCode';
import { beforeExecution, beforeSandboxExit, beforeSave, checksOf } from './checks';
import { judgeEarly } from './judge/judgeEarly';
import { judgedFacts, firstFailure, outcomeOf } from './judge/rules';
import { hasWorker } from './judge/judgeReport';
import {
  executionChecks,
  judgeAfterVerify,
  judgeAnswers,
  judgeBeforeVerify,
  judgeVerify,
  stepResults,
} from './verification';
import { blockedBy, putBackStep } from './judge/judgeVerifyChanges';
import { asksIntervention, interventionRequest, withoutIntervention } from './intervention';
import { isBeingSaved, isRemembered, mayRemember, memoryNote, proposedBy } from './memory';
import { assertTelemetryAllows } from './telemetry';
import { firstAdjustment } from './parts/recover';
import { phaseAfter } from './phases';
import { planDiffers, planPause, planWait } from './parts/planWait';
import { questionOf } from './questions';
import { pausedBy } from './pausedBy';
import { failedRecovery } from './recoveryEnd';
import { withWaiting } from './judge/judgeStrays';
import type { LaunchAdjustment } from '../recovery/permission/record';

/** The next events of a live attempt, or none while it waits for an effect. */
export function advanceAttempt(mission: Mission, attempt: Attempt, fresh: Fresh): readonly MissionEvent[] {
  const row = rowOf(mission, attempt.task_id);
  if (!row) throw new Error(`Broken invariant: no row for task ${attempt.task_id}.`);
  const { stage } = attempt;
  switch (stage.at) {
    case 'plan_hash':
      if (stage.then && judgeEarly(mission, attempt))
        return advanceAttempt(mission, { ...attempt, stage: stage.then }, fresh);
      return stopBefore(mission, attempt);
    case 'plan_waits':
      if (judgeEarly(mission, attempt))
        return advanceAttempt(mission, { ...attempt, stage: stage.then ?? { at: 'plan_hash' } }, fresh);
      return mission.hold.kind === 'paused' ? [] : [planPause(mission, attempt)];
    case 'baseline':
    case 'intervention':
    case 'preparing':
      return stopBefore(mission, attempt);
    case 'memory':
      return remember(mission, attempt);
    case 'relaunch':
      return [relaunch(mission, attempt, stage.adjustment, fresh)];
    case 'starting':
    case 'running':
    case 'observing':
    case 'landing':
      return [];
    case 'judging': {
      if (attempt.landing) return conclude(mission, attempt, stoppedInstead(mission, attempt, stage.failure));
      const failure = stoppedInstead(mission, attempt, stage.failure);
      if (attempt.after_verify === null) return finish(mission, attempt, failure);
      const verdict = judgeAfterVerify(judgedFacts(mission, attempt, row), failure);
      return (verdict ?? !planDiffers(mission, attempt)) ? conclude(mission, attempt, verdict) : [planWait(attempt)];
    }
    case 'launch':
      return stage.purpose.kind === 'worker'
        ? launchWorker({ mission, attempt, row, fresh })
        : verifyNext({ mission, attempt, row, fresh }, stage.purpose.index);
  }
}

/** Nothing runs yet, so a stop ends the attempt at once. */
function stopBefore(mission: Mission, attempt: Attempt): readonly MissionEvent[] {
  const { stage } = attempt;
  const stopped = judgeEarly(mission, attempt);
  if (!stopped) return [];
  const instead = stage.at === 'preparing' ? failedRecovery(attempt, stage.launch_id, stopped.reason) : [];
  return instead.length > 0 ? instead : finish(mission, attempt, stopped);
}

/** A stop by a person is the reason of the block. A failure that the stop caused becomes a detail. */
function stoppedInstead(mission: Tasks, attempt: Attempt, failure: AttemptFailure | null): AttemptFailure | null {
  const stopped = judgeEarly(mission, attempt);
  if (failure?.kind !== 'recoverable' || !stopped) return failure;
  return { ...stopped, details: [failure.reason, ...failure.details, ...stopped.details] };
}

interface Launching {
  readonly mission: Mission;
  readonly attempt: Attempt;
  readonly row: TaskRow;
  readonly fresh: Fresh;
}

/** Starts no worker while changes that blocked the task before are outstanding: it could not resolve them. */
function launchWorker({ mission, attempt, row, fresh }: Launching): readonly MissionEvent[] {
  const failure = judgeEarly(mission, attempt) ?? firstFailure(beforeExecution, judgedFacts(mission, attempt, row));
  if (failure) return conclude(mission, attempt, failure);
  if (!hasWorker(row.task)) return nothingToLaunch(mission, attempt);
  const adjustment = firstAdjustment(mission, attempt, row);
  const requested = request(mission, attempt, { kind: 'worker' }, fresh);
  return [adjustment ? { ...requested, adjustment } : requested];
}

/** Launches no worker, because commands or a person validate the milestone. */
function nothingToLaunch(mission: Mission, attempt: Attempt): readonly MissionEvent[] {
  const unit = { task_id: attempt.task_id, attempt: attempt.attempt };
  const passed = { type: 'PhaseCompleted', ...unit, outcome: 'PASS', note: 'the milestone names no agent' } as const;
  return [
    { ...passed, phase: 4, ...recordOf(mission, attempt, 4, null) },
    { ...passed, phase: 5 },
    { type: 'NothingLaunched', ...unit },
  ];
}

/** Each further launch has a run directory of its own. */
function relaunch(mission: Tasks, attempt: Attempt, adjustment: LaunchAdjustment, fresh: Fresh): MissionEvent {
  const run_dir = nextRunDir(mission, attempt.task_id);
  return { ...request(mission, attempt, { kind: 'worker' }, fresh), run_dir, adjustment };
}

function verifyNext({ mission, attempt, row, fresh }: Launching, index: number): readonly MissionEvent[] {
  const facts = judgedFacts(mission, attempt, row);
  const failure = index === 0 ? judgeBeforeVerify(facts) : judgeVerify(facts);
  if (!failure && planDiffers(mission, attempt)) return [planWait(attempt)];
  if (!failure && index < row.task.verify.length) return [request(mission, attempt, { kind: 'verify', index }, fresh)];
  const unanswered = failure ?? (row.task.verify.length === 0 ? judgeAnswers(facts) : null);
  return finish(mission, attempt, unanswered);
}

/** Verify commands run code of the worker, so the workspace is observed after them, before the verdict. */
function finish(mission: Mission, attempt: Attempt, failure: AttemptFailure | null): readonly MissionEvent[] {
  const ran = attempt.launches.some(({ purpose, process, end }) => purpose.kind === 'verify' && (process ?? end));
  if (!ran || attempt.unread !== null) return conclude(mission, attempt, failure);
  return [{ type: 'VerificationEnded', task_id: attempt.task_id, attempt: attempt.attempt }];
}

function request(mission: Tasks, attempt: Attempt, purpose: LaunchPurpose, fresh: Fresh): EventOf<'LaunchRequested'> {
  return {
    type: 'LaunchRequested',
    task_id: attempt.task_id,
    attempt: attempt.attempt,
    launch_id: fresh.launch_id,
    session_id: fresh.session_id,
    nonce: fresh.nonce,
    run_dir: purpose.kind === 'worker' ? attempt.run_dir : nextRunDir(mission, attempt.task_id),
    purpose,
  };
}

/**
 * Ends the attempt with exactly one outcome, or asks a person first. Phase 8 (seals the records) and phase 10 (drops
 * grants) run for every outcome.
 */
function conclude(mission: Mission, attempt: Attempt, raw: AttemptFailure | null): readonly MissionEvent[] {
  if (raw && asksIntervention(mission, attempt, raw)) return intervene(mission, attempt, raw);
  const unit = { task_id: attempt.task_id, attempt: attempt.attempt };
  const waiting = waitingWork(rowOf(mission, attempt.task_id) ?? { attempts: [] }, attempt);
  if (!raw && waiting) return [{ type: 'LandingRequested', ...unit, launch_id: waiting.launch_id }];
  const verdict = raw && withoutIntervention(raw);
  const found = verdict ? blockedBy(mission, attempt, verdict) : [];
  const failure = verdict && withNextStep(mission, attempt, withWaiting(attempt, verdict, waiting !== null), found);
  const phase = phaseAfter(attempt.phases, attempt);
  if (phase === null) throw new Error('Broken invariant: an attempt ends that is over.');
  const outcome = outcomeOf(failure);
  const judgement: MissionEvent = {
    type: 'PhaseCompleted',
    ...unit,
    phase,
    outcome,
    note: failure?.reason ?? 'observed and verified',
    ...recordOf(mission, attempt, phase, failure),
  };
  if (!failure && proposedBy(attempt).length > 0)
    return [judgement, sealed(mission, attempt), ...propose(mission, attempt)];
  return [
    judgement,
    { type: 'AttemptEnded', ...unit, outcome, failure },
    ...(found.length > 0 ? [{ type: 'ChangesOutstanding', ...unit, changes: found } as const] : []),
    sealed(mission, attempt),
    { type: 'PhaseCompleted', ...unit, phase: 9, outcome: 'PASS', note: memoryNote(attempt) },
    ...terminated(mission, attempt, failure),
  ];
}

function sealed(mission: Mission, { task_id, attempt }: Attempt): MissionEvent {
  const note = `records up to ${mission.last_seq} sealed by ${mission.last_hash}`;
  return { type: 'PhaseCompleted', task_id, attempt, phase: 8, outcome: 'PASS', note };
}

/** Phase 10: the grants are dropped, and the lock is released where no process may be left. */
function terminated(mission: Mission, attempt: Attempt, failure: AttemptFailure | null): readonly MissionEvent[] {
  const exit = sandboxExit(mission, attempt);
  const treeHeld = Boolean(exit?.failed);
  const asked =
    failure?.kind === 'recoverable' &&
    failure.human_only !== null &&
    !mission.cancel &&
    !failedBeside(mission, attempt.task_id) &&
    mission.plan.on_block !== 'fail';
  return [
    {
      type: 'PhaseCompleted',
      task_id: attempt.task_id,
      attempt: attempt.attempt,
      phase: 10,
      outcome: 'PASS',
      note: treeHeld ? 'grants dropped, sandbox enabled; the lock stays' : 'grants dropped, sandbox enabled',
      ...(exit && { checks: exit }),
    },
    ...(treeHeld ? [] : [{ type: 'LockReleased', task_id: attempt.task_id } as const]),
    ...settleRow(mission, attempt, failure),
    ...(treeHeld || asked ? [pausedBy(attempt, failure)] : []),
  ];
}

/** A verified attempt proposes to remember something: what may not be remembered at all is a HALT of phase 9. */
function propose(mission: Mission, attempt: Attempt): readonly MissionEvent[] {
  const row = rowOf(mission, attempt.task_id);
  if (!row || !mayRemember(row.task)) throw new Error('Broken invariant: SAVE is not permitted for this task.');
  assertTelemetryAllows(mission, attempt, row.task);
  const failure = firstFailure(beforeSave, judgedFacts(mission, attempt, row));
  if (failure) return remembered(mission, attempt, failure);
  const { task_id } = attempt;
  return [{ type: 'MemoryProposed', task_id, attempt: attempt.attempt, entries: proposedBy(attempt) }];
}

/** Saves what a person decided to remember, even if the attempt is stopped. Before the decision the attempt can end. */
function remember(mission: Mission, attempt: Attempt): readonly MissionEvent[] {
  const { memory } = attempt;
  if (!memory) throw new Error('Broken invariant: an attempt waits in phase 9 that proposes nothing.');
  if (isRemembered(memory)) return remembered(mission, attempt, null);
  const stopped = isBeingSaved(memory) ? null : judgeEarly(mission, attempt);
  return stopped ? remembered(mission, attempt, stopped) : [];
}

/** Phase 9 and what follows it. */
function remembered(mission: Mission, attempt: Attempt, failure: AttemptFailure | null): readonly MissionEvent[] {
  const unit = { task_id: attempt.task_id, attempt: attempt.attempt };
  const row = rowOf(mission, attempt.task_id);
  const outcome = outcomeOf(failure);
  return [
    {
      type: 'PhaseCompleted',
      ...unit,
      phase: 9,
      outcome,
      note: failure?.reason ?? memoryNote(attempt),
      ...(row && { checks: checksOf('before_save', beforeSave, judgedFacts(mission, attempt, row), failure) }),
    },
    { type: 'AttemptEnded', ...unit, outcome, failure },
    ...terminated(mission, attempt, failure),
  ];
}

/** A person completes the result, and the attempt is verified once more. */
function intervene(mission: Mission, attempt: Attempt, failure: AttemptFailure): readonly MissionEvent[] {
  const { task_id } = attempt;
  const completed: MissionEvent = {
    type: 'PhaseCompleted',
    task_id,
    attempt: attempt.attempt,
    phase: 6,
    outcome: 'INTERVENTION_REQUIRED',
    note: failure.reason,
    ...recordOf(mission, attempt, 6, failure),
  };
  return [completed, interventionRequest(mission, attempt, failure)];
}

/** The checks before the lock is released: one that fails keeps it. */
function sandboxExit(mission: Mission, attempt: Attempt): ChecksResult | null {
  const row = rowOf(mission, attempt.task_id);
  if (!row) return null;
  const facts = judgedFacts(mission, attempt, row);
  return checksOf('before_sandbox_exit', beforeSandboxExit, facts, firstFailure(beforeSandboxExit, facts));
}

/** Returns what the phase that ends the attempt records of its checks and steps. */
function recordOf(
  mission: Mission,
  attempt: Attempt,
  phase: Phase,
  failure: AttemptFailure | null,
): Pick<EventOf<'PhaseCompleted'>, 'steps' | 'checks'> {
  const row = rowOf(mission, attempt.task_id);
  if (!row) return {};
  const facts = judgedFacts(mission, attempt, row);
  if (phase === 4) return { checks: checksOf('before_execution', beforeExecution, facts, failure) };
  return phase === 6 ? { steps: stepResults(facts, failure), checks: executionChecks(facts, failure) } : {};
}

/** A block with outstanding changes says how a person resolves them. */
function withNextStep(
  mission: Tasks,
  { task_id }: Attempt,
  failure: AttemptFailure,
  found: readonly OutstandingChange[],
): AttemptFailure {
  const row = rowOf(mission, task_id);
  const open = stillOpen(listed(row?.outstanding ?? [], found));
  if (open.length === 0 || failure.kind !== 'recoverable') return failure;
  return { ...failure, details: [...failure.details, putBackStep(mission, task_id, open)] };
}

/** Without a verify command only the worker, its claim and its paths were judged. */
function doneReason({ verify }: Attempt): string {
  return verify.length > 0 ? 'verified' : 'no verify command checked it';
}

function settleRow(mission: Progress, attempt: Attempt, failure: AttemptFailure | null): readonly MissionEvent[] {
  const { task_id } = attempt;
  const from = 'in_progress';
  if (!failure)
    return [
      ...accepted(mission, attempt),
      { type: 'RowTransitioned', task_id, from, to: 'done', code: null, reason: doneReason(attempt) },
    ];
  if (failure.kind === 'structural') {
    return [{ type: 'RowTransitioned', task_id, from, to: 'failed', code: failure.code, reason: failure.reason }];
  }
  const code = failureCode(failure);
  // The mission ends, so no packet asks a person about this task.
  if (failure.kind === 'abandoned' || mission.cancel || failedBeside(mission, task_id))
    return [{ type: 'RowTransitioned', task_id, from, to: 'canceled', code, reason: failure.reason }];
  if (mission.plan.on_block === 'fail')
    return [{ type: 'RowTransitioned', task_id, from, to: 'failed', code, reason: failure.reason }];
  const run_dir = attempt.launches.at(-1)?.run_dir ?? attempt.run_dir;
  const row = rowOf(mission, task_id);
  const question = row ? questionOf(row, attempt, failure) : null;
  return [
    { type: 'RowTransitioned', task_id, from, to: 'blocked', code, reason: failure.reason },
    {
      type: 'PacketIssued',
      packet_id: packetId(mission),
      task_id,
      attempt: attempt.attempt,
      run_dir,
      ...(question && { question }),
    },
  ];
}

/** The pass of a validation is stored with the files that it is about. */
function accepted(mission: Tasks, { task_id, attempt, tree, ...read }: Attempt): readonly MissionEvent[] {
  const task = rowOf(mission, task_id)?.task;
  if (!task?.validator) return [];
  if (tree === undefined) throw new Error('Broken invariant: a milestone is accepted for files that were not read.');
  const head = (read.after_verify ?? read.observed)?.head ?? null;
  return [{ type: 'MilestoneAccepted', task_id, milestone: task.milestone ?? '', attempt, tree_sha256: tree, head }];
}
