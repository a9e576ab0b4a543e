import type { Phase } from '../../contracts/vocabulary/execution';
import { codeOfCategory } from '../../contracts/vocabulary/codes/codes';
import type { LaunchPurpose, EventOf, MissionEvent } from '../model/events';
import type { AttemptFailure } from '../model/facts';
import type { Fresh } from '../model/inputs';
import { failedBeside } from '../model/lanes';
import { nextRunDir, packetId } from '../model/runDirs';
import { unprovenLaunch, type Attempt } from '../model/attempt';
import { waitingWork } from '../model/waitingWork';
import { rowOf, type Mission, type Tasks } from '../model/state';
import { listed, stillOpen, type OutstandingChange } from '../observation/outstanding';
import { beforeExecution, beforeSandboxExit, beforeSave, checksOf } from './checks';
import { judgeEarly } from './judge/judgeEarly';
import { judgedFacts, firstFailure, outcomeOf, type Judged, failureCode } from './judge/rules';
import { hasWorker } from './judge/judgeReport';
import {
  executionChecks,
  judgeAfterVerify,
  judgeAnswers,
  judgeBeforeVerify,
  judgeLanding,
  judgeVerify,
  stepResults,
} from './verification';
import { blockedBy, putBackStep } from './judge/judgeVerifyChanges';
import { asksIntervention, withoutIntervention } from './intervention';
import { isBeingSaved, isRemembered, mayRemember, memoryNote, proposedBy } from './memory';
import { assertTelemetryAllows } from './telemetry';
import { firstAdjustment, failedRecovery } from './parts/recover';
import { completedPhase, passedPhase, phaseAfter } from './phases';
import { dueMerges, landsBeside } from './parts/merges';
import { planDiffers, planPause, planWait } from './parts/planWait';
import { questionOf } from './questions';
import { withWaiting } from './judge/judgeStrays';
import type { LaunchAdjustment } from '../recovery/permission/record';

/** The next events of a live attempt, or none while it waits for an effect. */
export function advanceAttempt(mission: Mission, attempt: Attempt, fresh: Fresh | null): readonly MissionEvent[] {
  const facts = judgedFacts(mission, attempt, rowOf(mission, attempt.task_id));
  const { stage } = attempt;
  switch (stage.at) {
    case 'plan_hash':
      if (stage.then && judgeEarly(facts)) return advanceAttempt(mission, { ...attempt, stage: stage.then }, fresh);
      return stopBefore(facts);
    case 'plan_waits':
      if (judgeEarly(facts))
        return advanceAttempt(mission, { ...attempt, stage: stage.then ?? { at: 'plan_hash' } }, fresh);
      return mission.hold.kind === 'paused' ? [] : [planPause(mission, attempt)];
    case 'baseline':
    case 'intervention':
    case 'preparing':
      return stopBefore(facts);
    case 'memory':
      return remember(facts);
    case 'relaunch':
      return fresh ? [relaunch(mission, attempt, stage.adjustment, fresh)] : [];
    case 'starting':
    case 'running':
    case 'observing':
    case 'landing':
      return [];
    case 'judging': {
      const failure = stoppedInstead(facts, stage.failure);
      if (attempt.landing) return conclude(facts, failure);
      if (attempt.after_verify === null) return finish(facts, failure);
      const verdict = judgeAfterVerify(facts, failure);
      return (verdict ?? !planDiffers(mission, attempt)) ? conclude(facts, verdict) : [planWait(attempt)];
    }
    case 'launch':
      return stage.purpose.kind === 'worker'
        ? launchWorker(facts, fresh)
        : verifyNext(facts, stage.purpose.index, fresh);
  }
}

/** Nothing runs yet, so a stop ends the attempt at once. */
function stopBefore(facts: Judged): readonly MissionEvent[] {
  const { attempt } = facts;
  const stopped = judgeEarly(facts);
  if (!stopped) return [];
  const instead =
    attempt.stage.at === 'preparing' ? failedRecovery(attempt, attempt.stage.launch_id, stopped.reason) : [];
  return instead.length > 0 ? instead : finish(facts, stopped);
}

/** A stop by a person is the reason of the block. A failure that the stop caused becomes a detail. */
function stoppedInstead(facts: Judged, failure: AttemptFailure | null): AttemptFailure | null {
  const stopped = judgeEarly(facts);
  if (failure?.kind !== 'recoverable' || !stopped) return failure;
  return { ...stopped, details: [failure.reason, ...failure.details, ...stopped.details] };
}

/** Starts no worker while changes that blocked the task before are outstanding: it could not resolve them. */
function launchWorker(facts: Judged, fresh: Fresh | null): readonly MissionEvent[] {
  const { mission, attempt, row, task } = facts;
  const failure = judgeEarly(facts) ?? firstFailure(beforeExecution, facts);
  if (failure) return conclude(facts, failure);
  if (!hasWorker(task)) return nothingToLaunch(facts);
  if (!fresh) return [];
  const adjustment = firstAdjustment(mission, attempt, row);
  const requested = request(mission, attempt, { kind: 'worker' }, fresh);
  return [adjustment ? { ...requested, adjustment } : requested];
}

function nothingToLaunch(facts: Judged): readonly MissionEvent[] {
  const { task_id, attempt } = facts.attempt;
  const unit = { task_id, attempt };
  const passed = { type: 'PhaseCompleted', ...unit, outcome: 'PASS', note: 'the milestone names no agent' } as const;
  return [
    { ...passed, phase: 4, ...recordOf(facts, 4, null) },
    { ...passed, phase: 5 },
    { type: 'NothingLaunched', ...unit },
  ];
}

/** Each further launch has a run directory of its own. */
function relaunch(mission: Tasks, attempt: Attempt, adjustment: LaunchAdjustment, fresh: Fresh): MissionEvent {
  const run_dir = nextRunDir(mission, attempt.task_id);
  return { ...request(mission, attempt, { kind: 'worker' }, fresh), run_dir, adjustment };
}

function verifyNext(facts: Judged, index: number, fresh: Fresh | null): readonly MissionEvent[] {
  const { mission, attempt, task } = facts;
  const failure = index === 0 ? judgeBeforeVerify(facts) : judgeVerify(facts);
  const merging = index === 0 ? mergeFirst(facts, failure) : null;
  if (merging) return merging;
  if (failure) return finish(facts, failure);
  if (planDiffers(mission, attempt)) return [planWait(attempt)];
  if (index < task.verify.length) return fresh ? [request(mission, attempt, { kind: 'verify', index }, fresh)] : [];
  return finish(facts, task.verify.length === 0 ? judgeAnswers(facts) : null);
}

/** Verify commands run code of the worker, so the workspace is observed after them, before the verdict. */
function finish(facts: Judged, failure: AttemptFailure | null): readonly MissionEvent[] {
  const { attempt } = facts;
  const ran = attempt.launches.some(({ purpose, process, end }) => purpose.kind === 'verify' && (process ?? end));
  if (!ran || attempt.unread !== null) return conclude(facts, failure);
  return [{ type: 'VerificationEnded', task_id: attempt.task_id, attempt: attempt.attempt }];
}

function request(
  mission: Tasks,
  { task_id, attempt, run_dir }: Attempt,
  purpose: LaunchPurpose,
  { launch_id, session_id, nonce }: Fresh,
): EventOf<'LaunchRequested'> {
  return {
    type: 'LaunchRequested',
    ...{ task_id, attempt, launch_id, session_id, nonce },
    run_dir: purpose.kind === 'worker' ? run_dir : nextRunDir(mission, task_id),
    purpose,
  };
}

/** Asks a person, or ends the attempt with one outcome; phases 8 (seal) and 10 (grants dropped) run for each. */
function conclude(facts: Judged, judged: AttemptFailure | null): readonly MissionEvent[] {
  const merging = mergeFirst(facts, judged);
  if (merging) return merging;
  const raw = judged ?? judgeLanding(facts);
  const { mission, attempt, row } = facts;
  if (raw && asksIntervention(mission, attempt, raw)) return intervene(facts, raw);
  const unit = { task_id: attempt.task_id, attempt: attempt.attempt };
  const waiting = waitingWork(row, attempt);
  if (!raw && waiting) return [{ type: 'LandingRequested', ...unit, launch_id: waiting.launch_id }];
  const verdict = raw && withoutIntervention(raw);
  const found = verdict ? blockedBy(mission, attempt, verdict) : [];
  const failure = verdict && withNextStep(facts, withWaiting(attempt, verdict, waiting !== null), found);
  const phase = phaseAfter(attempt.phases, attempt);
  if (phase === null) throw new Error('Broken invariant: an attempt ends that is over.');
  const outcome = outcomeOf(failure);
  const judgement: MissionEvent = {
    ...completedPhase(attempt, phase, outcome, failure?.reason ?? 'observed and verified'),
    ...recordOf(facts, phase, failure),
  };
  const sealed = passedPhase(attempt, 8, `records up to ${mission.last_seq} sealed by ${mission.last_hash}`);
  if (!failure && proposedBy(attempt).length > 0) return [judgement, sealed, ...propose(facts)];
  return [
    judgement,
    { type: 'AttemptEnded', ...unit, outcome, failure },
    ...(found.length > 0 ? [{ type: 'ChangesOutstanding', ...unit, changes: found } as const] : []),
    sealed,
    passedPhase(attempt, 9, memoryNote(attempt)),
    ...terminated(facts, failure),
  ];
}

/** Takes in what other tasks put into the workspace meanwhile, one task after the other. Null: there is nothing. */
function mergeFirst({ mission, attempt, row }: Judged, failure: AttemptFailure | null): readonly MissionEvent[] | null {
  const { task_id, landing, observed } = attempt;
  // What landed meanwhile may itself be what fails.
  if (failure && !(failure.kind === 'recoverable' && failure.human_only === null && mended.has(failure.category)))
    return null;
  const waiting = waitingWork(row, attempt);
  if (!waiting || landing || !observed) return null;
  if (landsBeside(mission, row, observed.comparison)) return [];
  if (dueMerges(mission, row, attempt).length === 0) return null;
  return [{ type: 'LandingRequested', task_id, attempt: attempt.attempt, launch_id: waiting.launch_id, merges: true }];
}

const mended: ReadonlySet<string> = new Set([
  'external_change',
  'layer_unread',
  'verification_failed',
  'verify_changed_files',
]);

/** Phase 10: the grants are dropped, and the lock is released where no process may be left. */
function terminated(facts: Judged, failure: AttemptFailure | null): readonly MissionEvent[] {
  const { mission, attempt } = facts;
  // A check that fails keeps the lock.
  const checks = checksOf('before_sandbox_exit', beforeSandboxExit, facts, firstFailure(beforeSandboxExit, facts));
  const treeHeld = checks.failed !== null;
  const asked =
    failure?.kind === 'recoverable' &&
    failure.human_only !== null &&
    !mission.cancel &&
    !failedBeside(mission, attempt.task_id) &&
    mission.plan.on_block !== 'fail';
  const note = treeHeld ? 'grants dropped, sandbox enabled; the lock stays' : 'grants dropped, sandbox enabled';
  return [
    { ...passedPhase(attempt, 10, note), checks },
    ...(treeHeld ? [] : [{ type: 'LockReleased', task_id: attempt.task_id } as const]),
    ...settleRow(facts, failure),
    ...(treeHeld || asked ? [pausedBy(attempt, failure)] : []),
  ];
}

function pausedBy(attempt: Attempt, failure: AttemptFailure | null): MissionEvent {
  const humanOnly = failure?.kind === 'recoverable' ? failure.human_only : null;
  const over = humanOnly === 'budget_exceeded' ? attempt.over_budget : null;
  const asked = over && { code: codeOfCategory.budget_exceeded, budgets: over.budgets };
  const survivors = humanOnly === 'tree_not_gone' ? undefined : unprovenLaunch(attempt)?.end?.survivors;
  const left = survivors
    ? ` Its processes also could not be proven gone${survivors.length > 0 ? ` (${survivors.join(', ')})` : ''}: nothing goes on before they are.`
    : '';
  return { type: 'MissionPaused', reason: `${failure?.reason ?? ''}${left}`, ...asked };
}

function propose(facts: Judged): readonly MissionEvent[] {
  const { mission, attempt, task } = facts;
  if (!mayRemember(task)) throw new Error('Broken invariant: SAVE is not permitted for this task.');
  assertTelemetryAllows(mission, attempt, task);
  const failure = firstFailure(beforeSave, facts);
  if (failure) return remembered(facts, failure);
  const { task_id } = attempt;
  return [{ type: 'MemoryProposed', task_id, attempt: attempt.attempt, entries: proposedBy(attempt) }];
}

/** Saves what a person decided to remember, even if the attempt is stopped. Before the decision the attempt can end. */
function remember(facts: Judged): readonly MissionEvent[] {
  const { memory } = facts.attempt;
  if (!memory) throw new Error('Broken invariant: an attempt waits in phase 9 that proposes nothing.');
  if (isRemembered(memory)) return remembered(facts, null);
  const stopped = isBeingSaved(memory) ? null : judgeEarly(facts);
  return stopped ? remembered(facts, stopped) : [];
}

function remembered(facts: Judged, failure: AttemptFailure | null): readonly MissionEvent[] {
  const { attempt } = facts;
  const outcome = outcomeOf(failure);
  return [
    {
      ...completedPhase(attempt, 9, outcome, failure?.reason ?? memoryNote(attempt)),
      checks: checksOf('before_save', beforeSave, facts, failure),
    },
    { type: 'AttemptEnded', task_id: attempt.task_id, attempt: attempt.attempt, outcome, failure },
    ...terminated(facts, failure),
  ];
}

/** A person completes the result, and the attempt is verified once more: its lock stays held, and nothing of it runs. */
function intervene(facts: Judged, failure: AttemptFailure): readonly MissionEvent[] {
  const { mission, attempt } = facts;
  const { task_id } = attempt;
  const run_dir = nextRunDir(mission, task_id);
  return [
    { ...completedPhase(attempt, 6, 'INTERVENTION_REQUIRED', failure.reason), ...recordOf(facts, 6, failure) },
    { type: 'InterventionRequested', task_id, attempt: attempt.attempt, run_dir, failure },
  ];
}

function recordOf(
  facts: Judged,
  phase: Phase,
  failure: AttemptFailure | null,
): Pick<EventOf<'PhaseCompleted'>, 'steps' | 'checks'> {
  if (phase === 4) return { checks: checksOf('before_execution', beforeExecution, facts, failure) };
  return phase === 6 ? { steps: stepResults(facts, failure), checks: executionChecks(facts, failure) } : {};
}

function withNextStep(
  { mission, row, task }: Judged,
  failure: AttemptFailure,
  found: readonly OutstandingChange[],
): AttemptFailure {
  const open = stillOpen(listed(row.outstanding, found));
  if (open.length === 0 || failure.kind !== 'recoverable') return failure;
  return { ...failure, details: [...failure.details, putBackStep(mission, task.task_id, open)] };
}

function settleRow(facts: Judged, failure: AttemptFailure | null): readonly MissionEvent[] {
  const { mission, attempt, row } = facts;
  const { task_id } = attempt;
  const left = { type: 'RowTransitioned', task_id, from: 'in_progress' } as const;
  if (!failure) {
    // Without a verify command only the worker, its claim and its paths were judged.
    const reason = attempt.verify.length > 0 ? 'verified' : 'no verify command checked it';
    return [...accepted(facts), { ...left, to: 'done', code: null, reason }];
  }
  const { reason } = failure;
  const code = failureCode(failure);
  if (failure.kind === 'structural') return [{ ...left, to: 'failed', code, reason }];
  // The mission ends, so no packet asks a person about this task.
  if (failure.kind === 'abandoned' || mission.cancel || failedBeside(mission, task_id))
    return [{ ...left, to: 'canceled', code, reason }];
  if (mission.plan.on_block === 'fail') return [{ ...left, to: 'failed', code, reason }];
  const run_dir = attempt.launches.at(-1)?.run_dir ?? attempt.run_dir;
  const question = questionOf(row, attempt, failure);
  return [
    { ...left, to: 'blocked', code, reason },
    {
      type: 'PacketIssued',
      packet_id: packetId(mission),
      ...{ task_id, attempt: attempt.attempt, run_dir },
      ...(question && { question }),
    },
  ];
}

/** The pass of a validation is stored with the files that it is about. */
function accepted({ task, attempt: { attempt, tree, ...read } }: Judged): readonly MissionEvent[] {
  const { task_id, milestone = '', validator } = task;
  if (!validator) return [];
  if (tree === undefined) throw new Error('Broken invariant: a milestone is accepted for files that were not read.');
  const head = (read.after_verify ?? read.observed)?.head ?? null;
  return [{ type: 'MilestoneAccepted', task_id, milestone, attempt, tree_sha256: tree, head }];
}
