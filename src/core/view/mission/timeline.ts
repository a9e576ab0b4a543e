import type { MissionTimes, Span } from '../../../contracts/page/panelView';
import { shortCount } from '../../../base/text/amounts';
import { startOf } from '../../lifecycle/parts/workerLaunch';
import { measured } from '../../mission/parts/budget';
import { laneOf, waitsForMemory, waitsForIntervention } from '../../model/lanes';
import type { Mission, TaskRow, Tasks, Progress, Packet } from '../../model/state';
import type { Attempt, AttemptRecord, EndedAttempt, Launch } from '../../model/attempt';
import type { LaunchEnd } from '../../model/facts';

/**
 * The bars of a task, oldest first. They do not overlap and begin with the mission, also where a clock went back. A bar
 * without a known end ends where the next one begins.
 *
 * @param interrupted no owner runs the mission, so what went on is unknown since its last event
 * @param sign the last sign of life of its worker, which may be later; null: unknown
 */
export function taskSpans(
  mission: Mission,
  row: TaskRow,
  interrupted: boolean,
  sign: string | null = null,
): readonly Span[] {
  const stretches = stretchesOf(mission, row);
  const begins = nextBeginnings(stretches);
  const spans: Span[] = [];
  let edge = mission.received_at;
  for (const [index, { from: given, to, ...stretch }] of stretches.entries()) {
    const from = laterOf(edge, given);
    const last = index === stretches.length - 1;
    if (to === notEnded && last && !mission.ending && (stretch.kind === 'block' || !interrupted)) {
      spans.push({ ...stretch, from, to: null });
      break;
    }
    const known = to === notEnded ? null : to;
    const lastSeen = row.ended_at ?? mission.ending?.at ?? laterOf(mission.last_at, sign);
    edge = laterOf(from, known ?? begins[index] ?? lastSeen);
    if (edge === from && brief.has(stretch.kind)) continue;
    spans.push({ ...stretch, from, to: edge, ...(known === null && unknownEnd(stretch)) });
  }
  return spans;
}

export function missionTimes(
  mission: Mission,
  rows: readonly { readonly spans: readonly Span[] }[],
  interrupted: boolean,
): MissionTimes {
  const from = mission.received_at;
  const endedAt = mission.ending?.at ?? (interrupted ? mission.last_at : null);
  const ends = rows.flatMap(({ spans }) => spans.at(-1)?.to ?? []);
  const until = endedAt === null ? null : ends.reduce(laterOf, laterOf(from, endedAt));
  return { from, until, budget: budgetOf(mission) };
}

function stretchesOf(mission: Progress, row: TaskRow): readonly Stretch[] {
  const { task_id, worker } = row.task;
  const lane = laneOf(mission, task_id);
  const attempts = [...row.attempts, ...(lane ? [lane] : [])];
  const packets = mission.packets.filter((packet) => packet.task_id === task_id);
  const blocks = (of: (attempt: number) => boolean): readonly Stretch[] =>
    packets.filter(({ attempt }) => of(attempt)).map((packet) => blockStretch(row, attempts, packet));
  const first = attempts[0]?.attempt ?? Number.POSITIVE_INFINITY;
  return [
    // Blocks that no attempt made here.
    ...blocks((attempt) => attempt < first),
    ...attempts.flatMap((attempt) => [
      ...attemptStretches(attempt, worker),
      ...blocks((blocked) => blocked === attempt.attempt),
    ]),
  ];
}

/** Null: none begins later at a known time. */
function nextBeginnings(stretches: readonly Stretch[]): readonly (string | null)[] {
  let next: string | null = null;
  return stretches
    .toReversed()
    .map(({ from }) => {
      const begins = next;
      next = from ?? next;
      return begins;
    })
    .toReversed();
}

function unknownEnd({ text, outcome }: Pick<Span, 'text' | 'outcome'>): Pick<Span, 'text' | 'outcome'> {
  if (outcome === 'running') return { outcome: 'unknown', text: `${text}; what became of it is unknown` };
  return { outcome, text };
}

/** Kinds of which nothing is shown when they took no time. */
const brief: ReadonlySet<Span['kind']> = new Set(['baseline', 'verify', 'relaunch', 'wait']);

/** The later of two times; a text that is not a time does not count. */
function laterOf(left: string, right: string | null): string {
  return right !== null && Date.parse(right) > Date.parse(left) ? right : left;
}

function budgetOf(mission: Tasks): MissionTimes['budget'] {
  const [most] = [...measured(mission)].sort((left, right) => right.used / right.limit - left.used / left.limit);
  if (!most) return null;
  const text = (value: number): string =>
    most.unit === 'usd' ? `$${value.toFixed(2)}` : `${shortCount(value)} tokens`;
  return { used: text(most.used), limit: text(most.limit), reached: most.used >= most.limit };
}

const notEnded = Symbol('goes on');

/** A stretch of time as it was recorded: `from` null: unknown; `to` null: unknown, `notEnded`: it has not ended. */
interface Stretch extends Omit<Span, 'from' | 'to'> {
  readonly from: string | null;
  readonly to: string | typeof notEnded | null;
}

type Outcome = Span['outcome'];
type AnyAttempt = Attempt | EndedAttempt;

function attemptStretches(attempt: AnyAttempt, worker: string): readonly Stretch[] {
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

function blockStretch(row: TaskRow, attempts: readonly AnyAttempt[], packet: Packet): Stretch {
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

/** @param known null: as its attempt */
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

function executed({ phases, verify, launches }: AttemptRecord): string | null {
  if (launches.length === 0 && verify.length === 0 && !phases.some(({ phase }) => phase === 6)) return null;
  return phases.find(({ phase }) => phase === 5)?.at ?? launches.map(startOf).find((at) => at !== null) ?? null;
}

function endOf(attempt: AnyAttempt): string | null {
  return 'ended_at' in attempt ? attempt.ended_at : null;
}

function named({ task_id, attempt }: AttemptRecord): string {
  return `${task_id}, attempt ${attempt}`;
}
