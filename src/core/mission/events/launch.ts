import type { ModeChange } from '../../../contracts/launchEvidence';
import { confinementWords } from '../../../base/text/words';
import type { Claim } from '../../documents/claim';
import { type Block, type EventTable, blocked, endWords, inLane, runDirsSoFar, withLaunch } from '../parts/evolveParts';
import type { EventOf } from '../../model/events';
import { allowedWords, launchChangeById, launchChangeWords, modeLine } from '../parts/launchChange';
import type { Attempt } from '../../model/attempt';
import { appended, changed, exchanged } from '../../model/draft';
import { launchNamed } from '../../model/lanes';
import type { Tasks } from '../../model/state';
import { relaunchLimit } from '../../recovery/permission/decideRecovery';
import type { Recovery } from '../../recovery/permission/record';
import { contractName } from '../../recovery/permission/words';
import { utcText } from '../../../base/text/amounts';

export const launchEvents = {
  LaunchRequested: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: inLane((attempt, event, { at }) => {
      const { type: _type, task_id: _task, attempt: _attempt, ...launch } = event;
      const unknown = { prepared: null, process: null, worker_session_id: null, end: null };
      return {
        launches: appended(attempt.launches, { ...launch, requested_at: at, ...unknown }),
        ...relaunched(attempt, event),
        stage: { at: 'preparing', launch_id: launch.launch_id, purpose: launch.purpose },
      };
    }, runDirsSoFar),
    line: (event) => `${event.purpose.kind === 'worker' ? 'Worker' : 'Verification'} requested in ${event.run_dir}.`,
  },
  LaunchPrepared: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: inLane((attempt, event) => ({
      ...withLaunch(attempt, event.launch_id, { prepared: event.prepared, ...(event.modes && { modes: event.modes }) }),
      stage: launchStage(attempt, 'starting', event.launch_id),
    })),
    line: (event, mission) =>
      `Prepared ${event.prepared.worker}${event.prepared.cli_version === null ? '' : ` ${event.prepared.cli_version}`} (confined by ${confinementWords[event.prepared.confinement]}).${changeWords(mission, event.launch_id) || modeWords(event)}`,
  },
  LaunchImpossible: {
    shown: { stream: 'error', mark: 'bad', printed: true, ofLane: true },
    fold: inLane((attempt, event) => ({
      ...(event.modes && withLaunch(attempt, event.launch_id, { modes: event.modes })),
      ...blocked(
        event.code === 'PERMISSIONS_NOT_FIXED'
          ? notFixed(attempt, event)
          : event.code === 'CONTEXT_CHANGED'
            ? { category: 'project_context', reason: `Nothing was launched. ${event.reason}`, details: [event.code] }
            : { category: 'launch_failed', reason: event.reason, details: [event.code], refused: event.code },
      ),
    })),
    line: (event) => `Could not be started (${event.code}): ${event.reason}${modeWords(event)}`,
  },
  AssignmentRefused: {
    shown: { stream: 'error' },
    fold: inLane((_attempt, event) =>
      blocked(
        {
          category: 'assignment_refused',
          reason: `Nothing was launched: the assignment was refused. ${event.reason}`,
          details: event.findings,
        },
        event.code,
      ),
    ),
    line: (event) => `Assignment of ${event.task_id} refused (${event.code}): ${event.reason}`,
  },
  WorkerStarted: {
    shown: { stream: 'progress', printed: true, fine: true, ofLane: true },
    fold: inLane((attempt, event) => ({
      ...withLaunch(attempt, event.launch_id, { process: event.process }),
      stage: launchStage(attempt, 'running', event.launch_id),
    })),
    line: (event, mission) =>
      `${whatStarted(mission, event.launch_id)} started as process ${event.process.worker?.pid ?? 'unknown'}.`,
  },
  WorkerSessionSeen: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: inLane((attempt, event) =>
      withLaunch(attempt, event.launch_id, { worker_session_id: event.worker_session_id }),
    ),
    line: (event) => `Session ${event.worker_session_id}${event.model === null ? '' : ` on ${event.model}`}.`,
  },
  UsageSeen: {
    shown: { stream: 'progress', fine: true, ofLane: true },
    fold: inLane((attempt, event) => withLaunch(attempt, event.launch_id, { usage_seen: event.usage })),
    line: (event) => {
      const { input_tokens, output_tokens } = event.usage;
      return `Used so far: ${input_tokens ?? '?'} tokens in, ${output_tokens ?? '?'} out.`;
    },
  },
  BudgetStopRequested: {
    shown: { stream: 'status', mark: 'bad', ofLane: true },
    fold: inLane((_attempt, event) => ({ over_budget: { reason: event.reason, budgets: event.budgets } })),
    line: (event) => `${event.reason} Its worker is being stopped.`,
  },
  ScopeBreachSeen: {
    shown: { stream: 'finding', mark: 'bad', printed: true, ofLane: true },
    fold: inLane((attempt, event) =>
      attempt.scope_breach === null
        ? {
            scope_breach: event.path,
            ...(event.seen && { breach_seen: true }),
            ...(event.stray && { breach_stray: true }),
          }
        : {},
    ),
    line: (event) => `Out of scope: a write to ${event.path}; the worker is being stopped.`,
  },
  WorkerTimedOut: {
    shown: { stream: 'error', mark: 'bad', printed: true },
    fold: inLane((attempt, event) => {
      const { type: _type, task_id: _task, ...timed_out } = event;
      return { timed_out: attempt.timed_out ?? timed_out };
    }),
    line: (event) =>
      `TASK_TIMEOUT: no sign of life of ${event.task_id} for ${event.age_seconds} s (timeout ${event.timeout_seconds} s, last heartbeat ${utcText(event.last_heartbeat_at)}); it is being stopped.`,
  },
  WorkerLingered: {
    shown: { stream: 'progress', printed: true },
    fold: inLane((attempt, event) =>
      withLaunch(attempt, event.launch_id, { lingered: { quiet_seconds: event.quiet_seconds } }),
    ),
    line: (event) =>
      `The agent of ${event.task_id} reported its end and did not exit by itself; it is being ended after ${event.quiet_seconds} s.`,
  },
  WorkerEnded: {
    shown: { stream: 'progress', printed: true, ofLane: true },
    fold: inLane((attempt, event, { at, seq }) => ({
      ...withLaunch(attempt, event.launch_id, { end: event.end }),
      ...judgedClaim(attempt, event.claim, at),
      stage: { at: 'observing', since: seq, after: 'worker' },
    })),
    line: (event) =>
      `Worker ended: ${endWords(event.end)}; ${event.claim.kind === 'report' ? `report ${event.claim.report.status}` : `result packet ${event.claim.kind.replaceAll('_', ' ')}`}.`,
  },
  InvocationRecorded: {
    shown: { stream: 'progress', fine: true },
    fold: inLane((attempt, event, { at }) => ({
      ...withLaunch(attempt, event.launch_id, { call_index: event.record.call_index }),
      audit: appended(attempt.audit, { at, event }),
    })),
    line: (event) => {
      const { call_index, model_logical_id, role, result, failure_reason } = event.record;
      return `Invocation ${call_index} of ${event.task_id} (${model_logical_id}, ${role}): ${result.replaceAll('_', ' ')}${failure_reason === null ? '' : `. ${failure_reason}`}`;
    },
  },
  RecoveryRequested: {
    shown: { stream: 'progress', mark: 'again' },
    fold: inLane((attempt, event, { at }) => {
      const { adjustment, action, allowed_by } = event;
      return {
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
      };
    }),
    line: (event) =>
      `${event.issue} (${event.issue_detected}): launched once more, ${event.action}, ${event.retry_count} of ${relaunchLimit}, allowed by ${allowedWords(event.allowed_by)}.`,
  },
  RecoverySucceeded: {
    shown: { stream: 'status', mark: 'good' },
    fold: inLane((attempt, event) => withRecovery(attempt, event.recovery_id, { status: 'success' })),
    line: () => 'The new process was seen alive.',
  },
  RecoveryFailed: {
    shown: { stream: 'status', mark: 'bad' },
    fold: inLane((attempt, event, { seq }) => {
      const failed = withRecovery(attempt, event.recovery_id, { status: 'failed', why: event.reason });
      const { stage } = attempt;
      // What the earlier launch left is observed, whatever kept the next one from running.
      if (stage.at === 'running' || stage.at === 'starting' || stage.at === 'observing') return failed;
      return {
        ...failed,
        unlaunched: stage.at === 'judging' ? stage.failure : null,
        stage: { at: 'observing', since: seq, after: 'worker' },
      };
    }),
    line: (event) => `The new launch failed: ${event.reason}`,
  },
  RecoveryEscalated: {
    shown: { stream: 'status', mark: 'bad' },
    fold: inLane((attempt, event, { at }) => ({
      recoveries: appended(attempt.recoveries, {
        ...recoveryOf(event, event.recovery_id, at),
        action: event.action,
        relaunch: null,
        status: 'escalated',
        why: event.why,
        ...(event.grant && { grant: event.grant }),
      }),
    })),
    line: (event) =>
      `${event.issue} (${event.issue_detected}) is for a person${event.path === null ? '' : `, about ${event.path}`}: ${event.why}`,
  },
  VerifyEnded: {
    shown: {
      stream: 'progress',
      printed: true,
      ofLane: true,
      mark: ({ result: { end } }) => (end.reason === 'exited' && end.exit_code === 0 ? 'good' : 'bad'),
    },
    fold: inLane((attempt, event) => {
      const verify = appended(attempt.verify, event.result);
      return {
        ...withLaunch(attempt, event.launch_id, { end: event.result.end }),
        verify,
        stage: { at: 'launch', purpose: { kind: 'verify', index: verify.length } },
      };
    }),
    line: (event) => `Verification ${event.result.argv.join(' ')}: ${endWords(event.result.end)}.`,
  },
} satisfies Partial<EventTable>;

function withRecovery(
  { recoveries }: Attempt,
  recoveryId: string,
  facts: Pick<Partial<Recovery>, 'status' | 'why' | 'relaunch'>,
): Pick<Partial<Attempt>, 'recoveries'> {
  const place = recoveries.findIndex(({ recovery_id }) => recovery_id === recoveryId);
  const recovery = recoveries[place];
  return recovery ? { recoveries: exchanged(recoveries, place, changed(recovery, facts)) } : {};
}

function recoveryOf(
  event: EventOf<'RecoveryRequested' | 'RecoveryEscalated'>,
  recovery_id: string,
  at: string,
): Omit<Recovery, 'action' | 'relaunch' | 'status' | 'why'> {
  const { issue, issue_detected, path, reads, denied_launch_id, retry_count, stalled } = event;
  const denied = { issue, issue_detected, path, ...(reads && { reads }) };
  return { recovery_id, at, ...denied, denied_launch_id, retry_count, stalled };
}

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

/** The whole lines stand in the event and in the evidence. */
function whatStarted(mission: Tasks, launchId: string): string {
  return launchNamed(mission, launchId)?.launch.purpose.kind === 'verify' ? 'Verify command' : 'Worker';
}

/** The wording is that of seed 002. */
function notFixed(
  { launches }: Attempt,
  { launch_id, worker = 'command', reason, code, unusable }: EventOf<'LaunchImpossible'>,
): Block {
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

function modeWords({ modes = [] }: { readonly modes?: readonly ModeChange[] }): string {
  return modes.map((mode) => ` M${modeLine(mode).slice(1)}.`).join('');
}

function changeWords(mission: Tasks, launchId: string): string {
  const change = launchChangeById(mission, launchId);
  const lines = change ? launchChangeWords(change) : [];
  return lines.map((line) => ` ${line}`).join('');
}

function launchStage(attempt: Attempt, at: 'starting' | 'running', launchId: string): Attempt['stage'] {
  const launch = attempt.launches.find((candidate) => candidate.launch_id === launchId);
  if (!launch) throw new Error(`Broken invariant: no launch ${launchId}.`);
  return { at, launch_id: launchId, purpose: launch.purpose };
}

/** Links a recovery with the launch that is requested for it. */
function relaunched(
  attempt: Attempt,
  { adjustment, launch_id }: EventOf<'LaunchRequested'>,
): Pick<Partial<Attempt>, 'recoveries'> {
  const { relaunch } = attempt.recoveries.find(({ recovery_id }) => recovery_id === adjustment?.recovery_id) ?? {};
  return relaunch ? withRecovery(attempt, adjustment?.recovery_id ?? '', { relaunch: { ...relaunch, launch_id } }) : {};
}
