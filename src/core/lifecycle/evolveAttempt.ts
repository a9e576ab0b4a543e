import type { ContractCode, ReasonCategory } from '../../contracts/vocabulary/codes';
import { appended, changed, exchanged } from '../model/draft';
import type { MissionEvent } from '../model/events';
import type { AttemptFailure, Claim } from '../model/facts';
import type { Attempt, EndedAttempt, Launch } from '../model/state';
import { workerLaunch } from './workerLaunch';

export type AttemptEvent = Extract<
  MissionEvent,
  {
    type:
      | 'PhaseCompleted'
      | 'PlanHashChecked'
      | 'BaselineTaken'
      | 'BaselineImpossible'
      | 'LaunchRequested'
      | 'LaunchPrepared'
      | 'LaunchImpossible'
      | 'AssignmentRefused'
      | 'WorkerStarted'
      | 'WorkerSessionSeen'
      | 'ScopeBreachSeen'
      | 'WorkerTimedOut'
      | 'ExternalSaveRecorded'
      | 'WorkerEnded'
      | 'ChangesObserved'
      | 'ObservationFailed'
      | 'VerifyEnded'
      | 'VerificationEnded'
      | 'VerifyObserved'
      | 'TaskStopRequested';
  }
>;

/** An attempt as it begins. */
export function startedAttempt(
  event: Extract<MissionEvent, { type: 'AttemptStarted' }>,
  run_dir: string,
  at: string,
): Attempt {
  return {
    task_id: event.task_id,
    attempt: event.attempt,
    telemetry_mode: event.telemetry_mode,
    decided_by: event.decided_by,
    started_at: at,
    run_dir,
    validates: null,
    phases: [],
    baseline: null,
    launches: [],
    claim: { kind: 'not_applicable' },
    observed: null,
    plan_sha256_observed: null,
    plan_hash_explanation: null,
    verify: [],
    external_saves: [],
    scope_breach: null,
    timed_out: null,
    late_result: null,
    stop_requested: null,
    after_verify: null,
    unread: null,
    stage: { at: 'plan_hash' },
  };
}

/** The attempt judges what an earlier one left. A result that came late is no longer quarantined: a person asked for it. */
export function withResultOf(earlier: EndedAttempt, started: Attempt): Attempt {
  const launch = workerLaunch(earlier);
  if (!launch) throw new Error('Broken invariant: a result is judged once more that no worker made.');
  const { late_result, baseline, external_saves } = earlier;
  const run_dir = earlier.validates?.run_dir ?? launch.run_dir;
  const late = late_result !== null || (earlier.validates?.late ?? false);
  return {
    ...started,
    validates: { attempt: earlier.validates?.attempt ?? earlier.attempt, launch, run_dir, late },
    baseline,
    claim: late_result?.claim ?? earlier.claim,
    // A list of its own: the fold that made the earlier one may still add to it.
    external_saves: [...external_saves],
  };
}

/** Folds what happened in a live attempt. The stage says what the attempt waits for next. */
export function evolveAttempt(
  attempt: Attempt,
  event: AttemptEvent,
  { at, seq }: { readonly at: string; readonly seq: number },
): Attempt {
  switch (event.type) {
    case 'PhaseCompleted':
      return changed(attempt, {
        phases: appended(attempt.phases, { phase: event.phase, outcome: event.outcome, note: event.note, at }),
      });
    case 'PlanHashChecked':
      return changed(attempt, {
        plan_sha256_observed: event.observed,
        plan_hash_explanation: event.explanation,
        stage: event.matches
          ? attempt.validates
            ? { at: 'observing', since: seq, after: 'worker' }
            : { at: 'baseline', since: seq }
          : {
              at: 'judging',
              failure: {
                kind: 'structural',
                code: 'PLAN_HASH_MISMATCH',
                reason: `The plan file is not the one that was locked. ${event.explanation ?? 'Its content changed.'}`,
                details: [`observed ${event.observed ?? 'no readable file'}`],
              },
            },
      });
    case 'BaselineTaken':
      return changed(attempt, {
        baseline: { manifest_sha256: event.manifest_sha256, files: event.files, head: event.head },
        stage: { at: 'launch', purpose: { kind: 'worker' } },
      });
    case 'BaselineImpossible':
      return blocked(
        attempt,
        'external_change',
        `Nothing was launched: what the workspace looks like could not be recorded. ${event.reason}`,
        [event.code],
      );
    case 'LaunchRequested':
      return changed(attempt, {
        launches: appended(attempt.launches, {
          launch_id: event.launch_id,
          session_id: event.session_id,
          nonce: event.nonce,
          run_dir: event.run_dir,
          purpose: event.purpose,
          requested_at: at,
          prepared: null,
          process: null,
          worker_session_id: null,
          end: null,
        }),
        stage: { at: 'preparing', launch_id: event.launch_id, purpose: event.purpose },
      });
    case 'LaunchPrepared':
      return changed(withLaunch(attempt, event.launch_id, { prepared: event.prepared }), {
        stage: launchStage(attempt, 'starting', event.launch_id),
      });
    case 'LaunchImpossible':
      return blocked(attempt, 'launch_failed', event.reason, [event.code]);
    case 'AssignmentRefused':
      return blocked(
        attempt,
        'assignment_refused',
        `Nothing was launched: the assignment was refused. ${event.reason}`,
        event.findings,
        event.code,
      );
    case 'WorkerStarted':
      return changed(withLaunch(attempt, event.launch_id, { process: event.process }), {
        stage: launchStage(attempt, 'running', event.launch_id),
      });
    case 'WorkerSessionSeen':
      return withLaunch(attempt, event.launch_id, { worker_session_id: event.worker_session_id });
    case 'ScopeBreachSeen':
      return { ...attempt, scope_breach: attempt.scope_breach ?? event.path };
    case 'WorkerTimedOut': {
      const { launch_id, last_heartbeat_at, timeout_seconds, age_seconds, found } = event;
      const timed_out = { launch_id, last_heartbeat_at, timeout_seconds, age_seconds, found };
      return { ...attempt, timed_out: attempt.timed_out ?? timed_out };
    }
    case 'ExternalSaveRecorded':
      return changed(attempt, { external_saves: appended(attempt.external_saves, event.save) });
    case 'WorkerEnded':
      return changed(withLaunch(attempt, event.launch_id, { end: event.end }), {
        ...judgedClaim(attempt, event.claim, at),
        stage: { at: 'observing', since: seq, after: 'worker' },
      });
    case 'ChangesObserved':
      return changed(attempt, {
        observed: event.observed,
        plan_sha256_observed: event.plan_sha256_observed,
        stage: { at: 'launch', purpose: { kind: 'verify', index: 0 } },
      });
    case 'ObservationFailed':
      return blocked(
        { ...attempt, unread: event.reason },
        'external_change',
        `What ${'failure' in attempt.stage ? 'the verify commands' : 'the worker'} changed could not be read: ${event.reason}`,
        [],
      );
    case 'VerificationEnded': {
      const failure = failureSoFar(attempt);
      return changed(attempt, { stage: { at: 'observing', since: seq, after: 'verify', failure } });
    }
    case 'VerifyObserved': {
      const { changes, observed_sha256, head, not_observed, plan_sha256_observed } = event;
      return changed(attempt, {
        after_verify: { changes, observed_sha256, head, not_observed },
        plan_sha256_observed,
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

function failureSoFar({ stage }: Attempt): AttemptFailure | null {
  return 'failure' in stage ? stage.failure : null;
}

/** Nothing of the attempt runs any more; what speaks against it is judged. */
function blocked(
  attempt: Attempt,
  category: ReasonCategory,
  reason: string,
  details: readonly string[],
  code?: ContractCode,
): Attempt {
  const failure = { kind: 'recoverable', category, reason, details, human_only: null, ...(code && { code }) } as const;
  return { ...attempt, stage: { at: 'judging', failure } };
}

/** What a worker hands in after it was given up is kept beside the claim: never accepted, never dropped. */
function judgedClaim(attempt: Attempt, claim: Claim, at: string): Pick<Attempt, 'claim' | 'late_result'> {
  const after = attempt.timed_out
    ? 'TASK_TIMEOUT'
    : attempt.scope_breach === null
      ? null
      : 'a write outside the approved paths';
  if (after === null || (claim.kind !== 'valid' && claim.kind !== 'invalid')) return { claim, late_result: null };
  return {
    claim: { kind: 'missing', reason: `a result came after ${after} had been decided; it is quarantined` },
    late_result: { at, after, claim },
  };
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
