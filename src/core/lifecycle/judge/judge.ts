import { exitWords } from '../../../base/text/endWords';
import type { AttemptFailure, Claim, LaunchEnd, VerifyResult } from '../../model/facts';
import type { Attempt, Launch } from '../../model/attempt';
import type { TaskRow } from '../../model/state';
import { unattributedLines } from './judgeChanges';
import { categoryOfEnd, denialLines, firstLine, recoverable } from '../parts/recoverable';
import { metBy, namesRight } from './sandboxHint';
import { judgeRecovery } from './judgeRecovery';
import { withDropped, withStrays } from './judgeStrays';
import type { Judged } from './rules';
import { resultAtDeadline } from '../parts/validation';
import { workerLaunch } from '../parts/workerLaunch';
import { utcText } from '../../../base/text/amounts';

export function judgeVerifyResult(facts: Judged): AttemptFailure | null {
  return withDropped(verifyFailure(facts), facts);
}

function verifyFailure({ task, attempt }: Judged): AttemptFailure | null {
  const last = attempt.verify.at(-1);
  if (!last || passed(last)) return null;
  if (last.end.reason === 'log_failed' || last.end.reason === 'run_dir_gone')
    return notRecorded(`The verify command ${last.argv.join(' ')}`, last.end);
  if (last.end.reason === 'resource_limit') return overLimit(`The verify command ${last.argv.join(' ')}`, last.end);
  const how =
    last.end.reason === 'deadline'
      ? `did not end within ${task.max_runtime_seconds} s, which is the limit of its task`
      : describeVerify(last.end);
  const why = whyOf(attempt, last.run_dir, last.end, last.output_tail);
  return recoverable('verification_failed', `Verification failed: ${last.argv.join(' ')} ${how}.`, why.details, why);
}

function whyOf(
  attempt: Attempt,
  run_dir: string,
  end: LaunchEnd,
  tail = end.stderr_tail,
): Pick<Extract<AttemptFailure, { kind: 'recoverable' }>, 'details' | 'held_back' | 'missed'> {
  const met = metBy(attempt, run_dir, end, tail);
  const held_back = met.find((one) => one.held_back)?.held_back;
  const argv = attempt.launches.find((launch) => launch.run_dir === run_dir)?.prepared?.argv ?? [];
  const entries = [...met.flatMap(({ missed = [] }) => missed), ...(end.unpassed ?? [])];
  const missed = entries.map((entry) => ({
    entry,
    ...(entry !== null && namesRight(argv, entry) && { named: true as const }),
  }));
  const hints = [...met.map(({ words }) => words), ...variableHint(end)];
  return {
    details: [...(end.own_error ?? []), ...hints, ...tailLines(tail, end.own_error)],
    ...(held_back && { held_back }),
    ...(missed.length > 0 && { missed }),
  };
}

function variableHint({ unpassed = [] }: Pick<LaunchEnd, 'unpassed'>): readonly string[] {
  if (unpassed.length === 0) return [];
  const it = unpassed.length === 1 ? 'it' : 'them';
  return [
    `Set here and not passed to it: ${unpassed.join(', ')}. Name ${it} in execution.env of the plan, which passes ${it}.`,
  ];
}

export function passed(result: VerifyResult): boolean {
  return result.end.reason === 'exited' && result.end.exit_code === 0;
}

/** A result that came after the watchdog ended the attempt is not judged. */
export function judgeTimeout(facts: Judged): AttemptFailure | null {
  const { mission, attempt, row } = facts;
  const silence = attempt.timed_out;
  // A denial explains the silence.
  if (!silence || judgeRecovery(facts)) return null;
  const launch = attempt.launches.find(({ launch_id }) => launch_id === silence.launch_id);
  return recoverable(
    'task_timeout',
    `No sign of life ${silentVerify(row, launch)}for ${silence.age_seconds} s; the timeout is ${silence.timeout_seconds} s.`,
    [
      `last heartbeat ${utcText(silence.last_heartbeat_at)}: ${silence.found}`,
      ...(launch?.end?.last_did ?? []),
      ...lateLines(attempt),
      ...unattributedLines(mission, attempt),
    ],
  );
}

function silentVerify({ task: { verify } }: TaskRow, launch: Launch | undefined): string {
  if (launch?.purpose.kind !== 'verify') return '';
  const { index } = launch.purpose;
  const line = launch.prepared?.argv ?? verify[index] ?? [];
  return `of verify command ${index + 1} of ${verify.length} (${line.join(' ')}) `;
}

function lateLines(attempt: Attempt): readonly string[] {
  const { late_result } = attempt;
  if (!late_result) return [];
  const { claim, at, after } = late_result;
  if (claim.kind === 'invalid')
    return [
      `quarantined: a result that is not valid came at ${utcText(at)}, after ${after}`,
      ...claim.problems.slice(0, 10),
    ];
  return [
    `quarantined: a result came at ${utcText(at)}, after ${after}, and ${claimedWords(claim)}`,
    ...claimLines(claim),
  ];
}

function unjudgedLines(attempt: Attempt): readonly string[] {
  const claim = resultAtDeadline(attempt);
  if (!claim) return [];
  return [`not judged: its result was there before the deadline, and ${claimedWords(claim)}`, ...claimLines(claim)];
}

function claimedWords({ result }: ValidClaim): string {
  return `claims ${result.status} with ${result.changes.length} change(s)`;
}

function claimLines({ result }: ValidClaim): readonly string[] {
  return [
    ...result.changes.slice(0, 20).map(({ action, resource }) => `it claims: ${action} ${resource}`),
    ...result.notes_for_orchestrator.map((note) => `it notes: ${note}`),
  ];
}

type ValidClaim = Extract<Claim, { readonly kind: 'valid' }>;

export function judgeTree({ end, attempt }: Judged): AttemptFailure | null {
  if (!end || end.tree_gone) return null;
  const category = attempt.timed_out ? 'task_timeout' : categoryOfEnd(end, 'run_not_recorded');
  const reason = 'Processes of the worker could not be proven gone. Its lock stays held until a person has looked.';
  const alive = end.survivors.map((pid) => `still alive: process ${pid}`);
  const details = [...(end.error === null ? [] : [`${firstLine(end.error)}.`]), ...alive];
  return recoverable(category, reason, details, { human_only: 'tree_not_gone' });
}

/** A write out of scope that was announced or seen while the worker ran. The difference does not show it. */
export function judgeAnnounced({ end, attempt }: Judged): AttemptFailure | null {
  if (!end || attempt.scope_breach === null) return null;
  return recoverable(
    'write_stopped',
    `Stopped at once: ${attempt.breach_stray ? 'a change of' : 'a write to'} ${attempt.scope_breach}, outside its approved paths, was announced or seen. ${isObserved(attempt.scope_breach) ? 'The difference shows no such change.' : 'That is outside the workspace, where nothing is observed: look there.'}`,
    [...lateLines(attempt), ...denialLines(end)],
  );
}

export function judgeExit(facts: Judged): AttemptFailure | null {
  return withDropped(withStrays(exitFailure(facts), facts), facts);
}

function exitFailure({ task, end, attempt }: Judged): AttemptFailure | null {
  if (!end || attempt.validates?.late === true) return null;
  switch (end.did_not_exit ? 'exited' : end.reason) {
    case 'deadline':
      return recoverable('task_timeout', `The worker was stopped at its deadline of ${task.max_runtime_seconds} s.`, [
        ...(end.last_did ?? []),
        ...unjudgedLines(attempt),
        ...tailLines(end.stderr_tail),
      ]);
    case 'expired':
      return recoverable(
        'launch_failed',
        'The launch ticket expired before a supervisor claimed it; nothing was started.',
        [],
      );
    case 'spawn_failed':
      return recoverable('launch_failed', `The worker could not be started: ${firstLine(end.error)}.`, []);
    case 'supervisor_lost':
      return recoverable(
        categoryOfEnd(end, 'run_not_recorded'),
        `The supervisor of the worker left no record of how it ended.${end.error === null ? '' : ` ${firstLine(end.error)}.`} What was left of the process tree was ended.`,
        tailLines(end.stderr_tail),
      );
    case 'stop_requested':
      return recoverable(
        categoryOfEnd(end, 'awaiting_user'),
        `The worker was stopped: ${firstLine(end.error ?? 'on request')}.`,
        [],
      );
    case 'log_failed':
    case 'run_dir_gone':
      return notRecorded('The worker', end);
    case 'resource_limit':
      return overLimit('The worker', end);
    case 'revoked':
      return recoverable('launch_failed', 'The launch ticket was revoked; nothing was started.', []);
    case 'exited':
      break;
  }
  if (end.error !== null)
    return recoverable('run_not_recorded', `The run could not be recorded completely: ${firstLine(end.error)}.`, []);
  // An agent that did not exit has no exit code to judge.
  if (end.exit_code !== 0 && !end.did_not_exit) {
    const reason = `The worker ${exitWords(end)}.${end.final_reason === null ? '' : ` ${end.final_reason}`}`;
    if (task.worker !== 'command') return recoverable('child_exit_nonzero', reason, lastLines(end));
    const why = whyOf(attempt, workerLaunch(attempt)?.run_dir ?? '', end);
    return recoverable('child_exit_nonzero', reason, why.details, why);
  }
  if (task.worker === 'command') return null;
  if (!end.final_seen) {
    return recoverable(
      task.validator ? 'missing_validation_report' : 'missing_handoff',
      'The worker exited with 0 but without its final event: the run counts as aborted.',
      lastLines(end),
    );
  }
  if (!end.final_ok) {
    return recoverable(
      'worker_reported_blocked',
      `The worker reported an error: ${firstLine(end.final_reason ?? 'no reason given')}.`,
      lastLines(end),
    );
  }
  return null;
}

function lastLines(end: LaunchEnd): readonly string[] {
  return [...denialLines(end), ...tailLines(end.stderr_tail)];
}

function overLimit(who: string, end: LaunchEnd): AttemptFailure {
  return recoverable('resource_limit', `${who} was ended: ${firstLine(end.error)}.`, tailLines(end.stderr_tail));
}

/** The record of the run is incomplete, which says nothing about the work. */
function notRecorded(who: string, end: LaunchEnd): AttemptFailure {
  return recoverable(
    'run_not_recorded',
    `${who} was stopped because what it does could no longer be recorded: ${firstLine(end.error)}.`,
    [
      'Look at .mission-control and at the space on its disk; then decide anew about the task.',
      ...tailLines(end.stderr_tail),
    ],
  );
}

/** Paths outside the workspace are reported as absolute ones. */
function isObserved(path: string): boolean {
  return !/^(\/|[A-Za-z]:)/.test(path);
}

function describeVerify(end: LaunchEnd): string {
  return end.reason === 'exited'
    ? exitWords(end)
    : `did not run to its end (${firstLine(end.error ?? end.reason.replaceAll('_', ' '))})`;
}

/** @param shown lines that the details have already, before the tail */
function tailLines(tail: string, shown: readonly string[] = []): readonly string[] {
  return tail
    .split('\n')
    .filter((line) => line.trim() !== '' && !shown.includes(line.trimEnd()))
    .slice(-20);
}
