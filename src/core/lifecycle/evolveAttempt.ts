import type { ContractCode, ReasonCategory } from '../../contracts/vocabulary/codes/codes';
import { appended, changed, exchanged } from '../model/draft';
import type { MissionEvent } from '../model/events';
import type { AttemptFailure, Claim } from '../model/facts';
import type { AfterPlan, Attempt, Intervention, Launch, MemoryWait } from '../model/attempt';
import type { Recovery } from '../recovery/permission/record';
import { contractName } from '../recovery/permission/words';
import { withPhase } from './phases';

export type AttemptEvent = Extract<
  MissionEvent,
  {
    type:
      | 'PhaseCompleted'
      | 'InvocationRecorded'
      | 'PlanHashChecked'
      | 'BaselineTaken'
      | 'BaselineImpossible'
      | 'ContextRefused'
      | 'ModelRefused'
      | 'LaunchRequested'
      | 'LaunchPrepared'
      | 'LaunchImpossible'
      | 'AssignmentRefused'
      | 'WorkerStarted'
      | 'RecoveryRequested'
      | 'RecoverySucceeded'
      | 'RecoveryFailed'
      | 'RecoveryEscalated'
      | 'WorkerSessionSeen'
      | 'UsageSeen'
      | 'BudgetStopRequested'
      | 'ScopeBreachSeen'
      | 'WorkerTimedOut'
      | 'WorkerLingered'
      | 'ExternalSaveRecorded'
      | 'WorkerEnded'
      | 'ChangesObserved'
      | 'NothingLaunched'
      | 'InterventionRequested'
      | 'InterventionOffered'
      | 'InterventionCompleted'
      | 'MemoryProposed'
      | 'MemoryCompared'
      | 'MemoryDecided'
      | 'MemorySaved'
      | 'ObservationFailed'
      | 'VerifyEnded'
      | 'VerificationEnded'
      | 'VerifyObserved'
      | 'TaskStopRequested';
  }
>;

/** Folds an event of a live attempt. Its stage says what it waits for next. */
export function evolveAttempt(
  attempt: Attempt,
  event: AttemptEvent,
  { at, seq }: { readonly at: string; readonly seq: number },
): Attempt {
  switch (event.type) {
    case 'PhaseCompleted':
      return changed(attempt, {
        phases: withPhase(attempt.phases, event, at, attempt),
        ...(event.bootstraps && { bootstraps: event.bootstraps }),
        ...(event.context && { context: event.context }),
        audit: appended(attempt.audit, { at, event }),
      });
    case 'InvocationRecorded':
      return changed(withLaunch(attempt, event.launch_id, { call_index: event.record.call_index }), {
        audit: appended(attempt.audit, { at, event }),
      });
    case 'PlanHashChecked':
      return changed(attempt, {
        plan_sha256_observed: event.observed,
        plan_hash_explanation: event.explanation,
        ...(!event.matches && { plan_waits: (attempt.plan_waits ?? 0) + 1 }),
        stage: afterPlan(attempt, event.matches, seq),
      });
    case 'BaselineTaken': {
      const { type: _type, task_id: _task, tree_sha256, ...baseline } = event;
      return changed(attempt, {
        ...(tree_sha256 !== undefined && { tree_before: tree_sha256 }),
        baseline,
        stage: { at: 'launch', purpose: { kind: 'worker' } },
      });
    }
    case 'BaselineImpossible':
      return blocked(attempt, {
        category: 'external_change',
        reason: `Nothing was launched: what the workspace looks like could not be recorded. ${event.reason}`,
        details: [event.code],
      });
    case 'ContextRefused': {
      const { type: _type, task_id: _task, code, ...why } = event;
      const reason = `Nothing was launched. ${why.reason}`;
      return blocked(attempt, { ...why, category: 'project_context', reason }, code);
    }
    case 'ModelRefused':
      return blocked(attempt, {
        category: event.category,
        reason: `Nothing was launched. ${event.reason}`,
        details: [event.step],
      });
    case 'LaunchRequested': {
      const { type: _type, task_id: _task, attempt: _attempt, ...launch } = event;
      const unknown = { prepared: null, process: null, worker_session_id: null, end: null };
      return changed(attempt, {
        launches: appended(attempt.launches, { ...launch, requested_at: at, ...unknown }),
        ...relaunched(attempt, event),
        stage: { at: 'preparing', launch_id: launch.launch_id, purpose: launch.purpose },
      });
    }
    case 'LaunchPrepared':
      return changed(
        withLaunch(attempt, event.launch_id, { prepared: event.prepared, ...(event.modes && { modes: event.modes }) }),
        { stage: launchStage(attempt, 'starting', event.launch_id) },
      );
    case 'LaunchImpossible':
      return blocked(
        event.modes ? withLaunch(attempt, event.launch_id, { modes: event.modes }) : attempt,
        event.code === 'PERMISSIONS_NOT_FIXED'
          ? notFixed(attempt, event)
          : event.code === 'CONTEXT_CHANGED'
            ? { category: 'project_context', reason: `Nothing was launched. ${event.reason}`, details: [event.code] }
            : { category: 'launch_failed', reason: event.reason, details: [event.code], refused: event.code },
      );
    case 'AssignmentRefused':
      return blocked(
        attempt,
        {
          category: 'assignment_refused',
          reason: `Nothing was launched: the assignment was refused. ${event.reason}`,
          details: event.findings,
        },
        event.code,
      );
    case 'WorkerStarted':
      return changed(withLaunch(attempt, event.launch_id, { process: event.process }), {
        stage: launchStage(attempt, 'running', event.launch_id),
      });
    case 'RecoveryRequested': {
      const { adjustment, action, allowed_by } = event;
      return changed(attempt, {
        recoveries: appended(attempt.recoveries, {
          ...recoveryOf(event, adjustment.recovery_id ?? '', at),
          action,
          relaunch: { allowed_by, launch_id: null },
          status: 'pending',
          why: null,
        }),
        // These are facts of the launch that is given up; the next launch begins without them.
        timed_out: null,
        stage: { at: 'relaunch', adjustment },
      });
    }
    case 'RecoverySucceeded':
      return withRecovery(attempt, event.recovery_id, { status: 'success' });
    case 'RecoveryFailed': {
      const failed = withRecovery(attempt, event.recovery_id, { status: 'failed', why: event.reason });
      const { stage } = attempt;
      // What the earlier launch left is observed, whatever kept the next one from running.
      if (stage.at === 'running' || stage.at === 'starting' || stage.at === 'observing') return failed;
      return changed(failed, {
        unlaunched: stage.at === 'judging' ? stage.failure : null,
        stage: { at: 'observing', since: seq, after: 'worker' },
      });
    }
    case 'RecoveryEscalated':
      return changed(attempt, {
        recoveries: appended(attempt.recoveries, {
          ...recoveryOf(event, event.recovery_id, at),
          action: event.action,
          relaunch: null,
          status: 'escalated',
          why: event.why,
        }),
      });
    case 'WorkerSessionSeen':
      return withLaunch(attempt, event.launch_id, { worker_session_id: event.worker_session_id });
    case 'UsageSeen':
      return withLaunch(attempt, event.launch_id, { usage_seen: event.usage });
    case 'BudgetStopRequested':
      return changed(attempt, { over_budget: { reason: event.reason, budgets: event.budgets } });
    case 'ScopeBreachSeen':
      return attempt.scope_breach === null
        ? {
            ...attempt,
            scope_breach: event.path,
            ...(event.seen && { breach_seen: true }),
            ...(event.stray && { breach_stray: true }),
          }
        : attempt;
    case 'WorkerTimedOut': {
      const { type: _type, task_id: _task, ...timed_out } = event;
      return { ...attempt, timed_out: attempt.timed_out ?? timed_out };
    }
    case 'WorkerLingered':
      return withLaunch(attempt, event.launch_id, { lingered: { quiet_seconds: event.quiet_seconds } });
    case 'ExternalSaveRecorded':
      return changed(attempt, { external_saves: appended(attempt.external_saves, event.save) });
    case 'WorkerEnded':
      return changed(withLaunch(attempt, event.launch_id, { end: event.end }), {
        ...judgedClaim(attempt, event.claim, at),
        stage: { at: 'observing', since: seq, after: 'worker' },
      });
    case 'NothingLaunched':
      return changed(attempt, { stage: { at: 'observing', since: seq, after: 'worker' } });
    case 'ChangesObserved':
      return changed(attempt, {
        ...(event.tree_sha256 !== undefined && { tree: event.tree_sha256 }),
        observed: event.observed,
        plan_sha256_observed: event.plan_sha256_observed,
        plan_hash_explanation: event.plan_hash_explanation ?? null,
        ...(event.project_at_end && { project_at_end: event.project_at_end }),
        stage: { at: 'launch', purpose: { kind: 'verify', index: 0 } },
      });
    case 'InterventionRequested': {
      const { failure, run_dir } = event;
      const { claim: claimed } = attempt;
      const missing = failure.details;
      return changed(attempt, {
        intervention: { requested_at: at, missing, run_dir, path: null, claimed, decision: null },
        stage: { at: 'intervention', failure },
      });
    }
    case 'InterventionOffered':
      return withIntervention(attempt, { path: event.path });
    case 'InterventionCompleted':
      return changed(withIntervention(attempt, { decision: event.decision }), {
        claim: event.claim,
        stage: { at: 'observing', since: seq, after: 'intervention' },
      });
    case 'MemoryProposed':
      return changed(attempt, {
        memory: { proposed_at: at, entries: event.entries, standings: null, decided: null, saved: null },
        stage: { at: 'memory' },
      });
    case 'MemoryCompared':
      return withMemory(attempt, { standings: event.standings });
    case 'MemoryDecided': {
      const { standings, saves, discards, decision } = event;
      return withMemory(attempt, { standings, decided: { saves, discards, decision } });
    }
    case 'MemorySaved':
      return withMemory(attempt, { saved: event.saved });
    case 'ObservationFailed':
      return blocked(
        { ...attempt, unread: event.reason },
        {
          category: 'external_change',
          reason: `What ${changer(attempt)} changed could not be read: ${event.reason}`,
          details: [],
        },
      );
    case 'VerificationEnded': {
      const failure = failureSoFar(attempt);
      return changed(attempt, { stage: { at: 'observing', since: seq, after: 'verify', failure } });
    }
    case 'VerifyObserved': {
      const { changes, observed_sha256, head, not_observed, plan_sha256_observed } = event;
      return changed(attempt, {
        ...(event.tree_sha256 !== undefined && { tree: event.tree_sha256 }),
        after_verify: { changes, observed_sha256, head, not_observed },
        plan_sha256_observed,
        plan_hash_explanation: event.plan_hash_explanation ?? null,
        ...(event.project_at_end && { project_at_end: event.project_at_end }),
        stage: { at: 'judging', failure: failureSoFar(attempt) },
      });
    }
    case 'VerifyEnded': {
      const verify = appended(attempt.verify, event.result);
      return changed(withLaunch(attempt, event.launch_id, { end: event.result.end }), {
        verify,
        stage: { at: 'launch', purpose: { kind: 'verify', index: verify.length } },
      });
    }
    case 'TaskStopRequested':
      return { ...attempt, stop_requested: attempt.stop_requested ?? event.decision };
  }
}

/** Other bytes keep the attempt where it is until the mission is resumed. @param seq of the event that says so */
function afterPlan({ stage, validates }: Attempt, matches: boolean, seq: number): Attempt['stage'] {
  const then = 'then' in stage ? stage.then : isAfterPlan(stage) ? stage : undefined;
  if (!matches) return { at: 'plan_waits', ...(then && { then }) };
  if (then) return then;
  return validates ? { at: 'observing', since: seq, after: 'worker' } : { at: 'baseline', since: seq };
}

function isAfterPlan(stage: Attempt['stage']): stage is AfterPlan {
  return stage.at === 'launch' || stage.at === 'preparing' || stage.at === 'judging';
}

/** The wording is that of seed 002. */
function notFixed(
  { launches }: Attempt,
  { launch_id, worker = 'command', reason, code, unusable }: Extract<MissionEvent, { type: 'LaunchImpossible' }>,
): Parameters<typeof blocked>[1] {
  const launch = launches.find((candidate) => candidate.launch_id === launch_id);
  const where = unusable?.directory ?? launch?.adjustment?.fix_permissions ?? 'its directories';
  return {
    category: 'permission_recovery_exhausted',
    reason: `Persistent permission error for ${contractName(worker)} on ${where}. Manual intervention required.`,
    details: [
      ...(unusable?.chmod_tried === false ? [] : ['Chmod failed. Please check directory ownership.']),
      ...[reason, code],
    ],
    ...(unusable && { unusable }),
  };
}

function recoveryOf(
  event: Extract<MissionEvent, { type: 'RecoveryRequested' | 'RecoveryEscalated' }>,
  recovery_id: string,
  at: string,
): Omit<Recovery, 'action' | 'relaunch' | 'status' | 'why'> {
  const { issue, issue_detected, path, reads, denied_launch_id, retry_count, stalled } = event;
  const denied = { issue, issue_detected, path, ...(reads && { reads }) };
  return { recovery_id, at, ...denied, denied_launch_id, retry_count, stalled };
}

/** Links a recovery with the launch that is requested for it. */
function relaunched(
  attempt: Attempt,
  { adjustment, launch_id }: Extract<MissionEvent, { type: 'LaunchRequested' }>,
): Pick<Partial<Attempt>, 'recoveries'> {
  const place = attempt.recoveries.findIndex(({ recovery_id }) => recovery_id === adjustment?.recovery_id);
  const recovery = attempt.recoveries[place];
  if (!recovery?.relaunch) return {};
  const relaunch = { ...recovery.relaunch, launch_id };
  return { recoveries: exchanged(attempt.recoveries, place, changed(recovery, { relaunch })) };
}

function withRecovery(attempt: Attempt, recoveryId: string, facts: Pick<Partial<Recovery>, 'status' | 'why'>): Attempt {
  const place = attempt.recoveries.findIndex(({ recovery_id }) => recovery_id === recoveryId);
  const recovery = attempt.recoveries[place];
  if (!recovery) return attempt;
  return changed(attempt, { recoveries: exchanged(attempt.recoveries, place, changed(recovery, facts)) });
}

function changer({ stage, intervention }: Attempt): string {
  if ('failure' in stage) return 'the verify commands';
  return intervention ? 'the worker, or the person who completed its result,' : 'the worker';
}

function failureSoFar({ stage }: Attempt): AttemptFailure | null {
  return 'failure' in stage ? stage.failure : null;
}

/** The attempt waits for its verdict, with this failure. @param code a validator's; absent: that of the category */
function blocked(
  attempt: Attempt,
  why: Omit<Extract<AttemptFailure, { kind: 'recoverable' }>, 'kind' | 'human_only' | 'code'>,
  code?: ContractCode,
): Attempt {
  const human_only = humanOnly[why.category] ?? null;
  const failure = { kind: 'recoverable', ...why, human_only, ...(code && { code }) } as const;
  return { ...attempt, stage: { at: 'judging', failure } };
}

const humanOnly: Partial<Record<ReasonCategory, Extract<AttemptFailure, { kind: 'recoverable' }>['human_only']>> = {
  permission_recovery_exhausted: 'permission_recovery',
  model_refused: 'model_policy',
  profile_limit: 'model_policy',
};

/** A result that came after the attempt was ended is quarantined: kept as `late_result`, not judged. */
function judgedClaim(attempt: Attempt, claim: Claim, at: string): Pick<Attempt, 'claim' | 'late_result'> {
  const after = attempt.timed_out
    ? 'TASK_TIMEOUT'
    : attempt.scope_breach === null
      ? null
      : 'a write outside the approved paths';
  // A report that came late does not count, because the runner makes the validation anew.
  if (after !== null && claim.kind === 'report')
    return { claim: { kind: 'missing', reason: `the report came after ${after} had been decided` }, late_result: null };
  if (after === null || (claim.kind !== 'valid' && claim.kind !== 'invalid')) return { claim, late_result: null };
  return {
    claim: { kind: 'missing', reason: `a result came after ${after} had been decided; it is quarantined` },
    late_result: { at, after, claim },
  };
}

function withIntervention(attempt: Attempt, facts: Partial<Intervention>): Attempt {
  const { intervention } = attempt;
  return intervention ? changed(attempt, { intervention: { ...intervention, ...facts } }) : attempt;
}

function withMemory(attempt: Attempt, facts: Partial<MemoryWait>): Attempt {
  const { memory } = attempt;
  return memory ? changed(attempt, { memory: { ...memory, ...facts } }) : attempt;
}

function withLaunch(attempt: Attempt, launchId: string, facts: Partial<Launch>): Attempt {
  const place = attempt.launches.findIndex((launch) => launch.launch_id === launchId);
  const launch = attempt.launches[place];
  if (!launch) return attempt;
  return changed(attempt, { launches: exchanged(attempt.launches, place, changed(launch, facts)) });
}

function launchStage(attempt: Attempt, at: 'starting' | 'running', launchId: string): Attempt['stage'] {
  const launch = attempt.launches.find((candidate) => candidate.launch_id === launchId);
  if (!launch) throw new Error(`Broken invariant: no launch ${launchId}.`);
  return { at, launch_id: launchId, purpose: launch.purpose };
}
