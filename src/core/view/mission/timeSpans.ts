import type { Span } from '../../../contracts/page/panelView';
import { waitsForMemory, waitsForIntervention } from '../../model/lanes';
import type { Attempt, AttemptRecord, EndedAttempt, Launch } from '../../model/attempt';
import type { LaunchEnd } from '../../model/facts';
import type { Packet, TaskRow } from '../../model/state';

export const notEnded = Symbol('goes on');

/** A stretch of time as it was recorded: `from` null: unknown; `to` null: unknown, `notEnded`: it has not ended. */
export interface Stretch extends Omit<Span, 'from' | 'to'> {
  readonly from: string | null;
  readonly to: string | typeof notEnded | null;
}

type Outcome = Span['outcome'];
type AnyAttempt = Attempt | EndedAttempt;

/** Returns what an attempt did, in the order in which it did that. */
export function attemptStretches(attempt: AnyAttempt, worker: string): readonly Stretch[] {
  const made = attempt.launches.filter(({ purpose }) => purpose.kind === 'worker');
  const launched = made.filter(({ process, end }) => process ?? end);
  return [
    ...(attempt.validates ? [] : [baseline(attempt, launched[0])]),
    ...launched.flatMap((launch, index) => [
      ...(index > 0 ? [relaunch(attempt, launched[index - 1], launch)] : []),
      workerStretch(attempt, launch, launched[index + 1], worker),
    ]),
    ...(launched.length > 0 && isPreparing(attempt) ? [relaunch(attempt, launched.at(-1), undefined)] : []),
    ...afterWorker(attempt, launched.at(-1)),
  ];
}

/** A block, from the end of its attempt until a decision, or until the task went on or ended. */
export function blockStretch(row: TaskRow, attempts: readonly AnyAttempt[], packet: Packet): Stretch {
  const { task_id, attempt } = packet;
  const blocked = attempts.find((one) => one.attempt === attempt);
  const next = attempts.find((one) => one.attempt > attempt);
  const { to, outcome } = endOfBlock(row, next, packet);
  return {
    ...{ kind: 'block', attempt, outcome, to },
    from: (blocked && endOf(blocked)) ?? packet.issued_at,
    text: `${task_id} is blocked${attempt === 0 ? '' : ` after attempt ${attempt}`} and ${outcome === 'running' ? 'waits' : 'waited'} for a decision`,
  };
}

function baseline(attempt: AnyAttempt, first: Launch | undefined): Stretch {
  const end = endOf(attempt);
  const begun = first ? startOf(first) : executed(attempt);
  const begins = first !== undefined || begun !== null;
  const outcome: Outcome = begins ? 'passed' : end === null ? 'running' : attemptOutcome(attempt);
  return {
    ...{ kind: 'baseline', attempt: attempt.attempt, outcome, from: attempt.started_at },
    to: begins ? begun : (end ?? notEnded),
    text: `${named(attempt)}: the baseline was taken and the launch prepared${begins || end === null ? '' : '; nothing was launched'}`,
  };
}

function workerStretch(attempt: AnyAttempt, launch: Launch, next: Launch | undefined, worker: string): Stretch {
  const { end } = launch;
  const outcome = next ? 'failed' : end ? endOutcome(attempt, end) : endOf(attempt) === null ? 'running' : 'unknown';
  const texts: Readonly<Record<Outcome, string>> = {
    running: 'is running',
    passed: 'ended well',
    failed: next ? 'was denied something, and launched once more' : 'failed',
    stopped: 'was stopped',
    unknown: 'ended at an unknown time',
  };
  return {
    ...{ kind: 'worker', attempt: attempt.attempt, outcome, from: startOf(launch) },
    to: end ? end.ended_at : next || endOf(attempt) !== null ? null : notEnded,
    text: `${named(attempt)}: worker ${worker} ${texts[outcome]}`,
  };
}

function relaunch(attempt: AnyAttempt, before: Launch | undefined, next: Launch | undefined): Stretch {
  return {
    ...{ kind: 'relaunch', attempt: attempt.attempt, outcome: next ? 'passed' : 'running' },
    from: before?.end?.ended_at ?? null,
    to: next ? startOf(next) : notEnded,
    text: `${named(attempt)}: ${next ? 'its worker was' : 'its worker is being'} launched once more`,
  };
}

/** Observation, verify commands, and what people did in between. */
function afterWorker(attempt: AnyAttempt, last: Launch | undefined): readonly Stretch[] {
  const observed = attempt.validates ? attempt.started_at : last ? (last.end?.ended_at ?? null) : executed(attempt);
  if (observed === null || isPreparing(attempt)) return [];
  const { intervention } = attempt;
  const remembers = attempt.memory?.decided || ('stage' in attempt && waitsForMemory(attempt)) ? attempt.memory : null;
  const closes = remembers?.proposed_at ?? endOf(attempt) ?? notEnded;
  const stretches: Stretch[] = [];
  if (intervention) {
    const done = intervention.decision?.at ?? null;
    stretches.push(verify(attempt, observed, intervention.requested_at, 'failed'));
    const open = 'stage' in attempt && waitsForIntervention(attempt);
    const until = done ?? (open ? notEnded : endOf(attempt));
    stretches.push(wait(attempt, intervention.requested_at, until, 'a person to complete its result'));
    if (done !== null) stretches.push(verify(attempt, done, closes, remembers ? 'passed' : null));
  } else stretches.push(verify(attempt, observed, closes, remembers ? 'passed' : null));
  if (remembers) {
    const until = remembers.decided?.decision.at ?? endOf(attempt) ?? notEnded;
    stretches.push(wait(attempt, remembers.proposed_at, until, 'a person to decide what is remembered'));
  }
  return stretches;
}

/** @param known how it ended; null: as its attempt */
function verify(attempt: AnyAttempt, from: string, to: Stretch['to'], known: 'passed' | 'failed' | null): Stretch {
  const outcome = known ?? (endOf(attempt) === null ? 'running' : attemptOutcome(attempt));
  const commands = attempt.verify.length;
  const what = commands === 0 ? '' : ` with ${commands} verify command${commands === 1 ? '' : 's'}`;
  const texts: Readonly<Record<Outcome, string>> = {
    running: 'its result is being verified',
    passed: `its result was verified${what}`,
    failed: `its result was judged${what}, and did not pass`,
    stopped: 'what it had changed was observed',
    unknown: 'its result was verified',
  };
  return {
    ...{ kind: 'verify', attempt: attempt.attempt, outcome, from, to },
    text: `${named(attempt)}: ${texts[outcome]}`,
  };
}

function wait(attempt: AttemptRecord, from: string, to: Stretch['to'], what: string): Stretch {
  const open = to === notEnded;
  return {
    ...{ kind: 'wait', attempt: attempt.attempt, outcome: open ? 'running' : 'passed', from, to },
    text: `${named(attempt)}: ${open ? 'waits' : 'waited'} for ${what}`,
  };
}

function endOfBlock(
  row: TaskRow,
  next: AttemptRecord | undefined,
  { state, issued_at }: Packet,
): Pick<Stretch, 'to' | 'outcome'> {
  const decided = state.kind === 'resolved' && !staysBlocked.has(state.outcome) ? state.decision.at : null;
  const retried = decided ?? next?.decided_by?.at ?? next?.started_at ?? row.retry?.at ?? null;
  if (retried !== null) return { to: retried, outcome: 'passed' };
  if (row.skipped && row.skipped.decision.at >= issued_at) return { to: row.skipped.decision.at, outcome: 'stopped' };
  if (row.status === 'blocked') return { to: notEnded, outcome: 'running' };
  return { to: row.ended_at, outcome: 'stopped' };
}

const staysBlocked: ReadonlySet<string> = new Set(['leave-blocked', 'ask-user']);

/** Says how its worker ended; what is found afterwards is another matter, unless it wrote out of scope. */
function endOutcome(attempt: AnyAttempt, end: LaunchEnd): Outcome {
  if (isStopped(attempt)) return 'stopped';
  const failure = 'failure' in attempt ? attempt.failure : null;
  if (failure?.kind === 'structural' && failure.code === 'SCOPE_VIOLATION') return 'failed';
  const well = (end.did_not_exit ?? (end.reason === 'exited' && end.exit_code === 0)) && end.final_ok;
  return well ? 'passed' : 'failed';
}

function attemptOutcome(attempt: AnyAttempt): Outcome {
  if ('outcome' in attempt && attempt.outcome === 'PASS') return 'passed';
  return isStopped(attempt) ? 'stopped' : 'failed';
}

/** By a person, the watchdog, the budget, or because another task failed. */
function isStopped(attempt: AnyAttempt): boolean {
  const { stop_requested, timed_out, over_budget } = attempt;
  return (
    (stop_requested ?? timed_out ?? over_budget) !== null ||
    ('failure' in attempt && attempt.failure?.kind === 'abandoned')
  );
}

/**
 * Returns whether a launch of its worker is under way that has not started; with an earlier one it is a further one.
 */
function isPreparing(attempt: AnyAttempt): boolean {
  if (!('stage' in attempt)) return false;
  const { stage } = attempt;
  if (stage.at === 'preparing' || stage.at === 'starting') return stage.purpose.kind === 'worker';
  return stage.at === 'relaunch';
}

/** Says when the execution of an attempt without a worker had passed. */
function executed({ phases, verify, launches }: AttemptRecord): string | null {
  if (launches.length === 0 && verify.length === 0 && !phases.some(({ phase }) => phase === 6)) return null;
  return phases.find(({ phase }) => phase === 5)?.at ?? launches.map(startOf).find((at) => at !== null) ?? null;
}

function startOf({ process, end }: Launch): string | null {
  return process?.started_at ?? end?.started_at ?? null;
}

function endOf(attempt: AnyAttempt): string | null {
  return 'ended_at' in attempt ? attempt.ended_at : null;
}

function named({ task_id, attempt }: AttemptRecord): string {
  return `${task_id}, attempt ${attempt}`;
}
