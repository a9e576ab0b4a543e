import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import { freshContextLimits } from '../../contracts/vocabulary/freshContext';
import { moment, parseMoment } from './time';

export interface WatchedRow {
  readonly task_id: string;
  readonly status: LedgerStatus;
  /** ISO-8601. */
  readonly last_heartbeat_at: string | null;
  readonly timeout_seconds: number;
}

/** A time in which the machine slept, which does not count as silence. ISO-8601. */
interface Sleep {
  readonly from: string;
  readonly to: string;
}

/** Ages are whole seconds, rounded down. */
export type HeartbeatVerdict =
  | { readonly kind: 'not_judged' }
  /** Its age is negative when the heartbeat is ahead of the clock. `boundary`: the first moment of its timeout. */
  | { readonly kind: 'alive'; readonly age_seconds: number; readonly boundary: string }
  | {
      readonly kind: 'timed_out';
      readonly code: 'TASK_TIMEOUT';
      readonly age_seconds: number;
      readonly last_heartbeat_at: string;
      readonly timeout_seconds: number;
      readonly reason: string;
    }
  /** The heartbeat is missing, no time or too far ahead, or the timeout is too short or no whole number. */
  | {
      readonly kind: 'invalid';
      readonly code: 'SCHEMA_INVALID';
      readonly field: 'last_heartbeat_at' | 'timeout_seconds';
      readonly reason: string;
    };

/**
 * A row in progress is timed out when its last heartbeat is older than its timeout; at an age equal to the timeout it
 * is alive. Overlapping sleeps count once. Source: seed 003.
 *
 * @param now ISO-8601
 * @throws when `now` or a sleep is no time
 */
export function judgeHeartbeat(row: WatchedRow, now: string, sleeps: readonly Sleep[] = []): HeartbeatVerdict {
  const { status, timeout_seconds } = row;
  if (status !== 'in_progress') return { kind: 'not_judged' };
  const timed = heartbeatOf(row);
  if ('kind' in timed) return timed;
  const { beat, last_heartbeat_at } = timed;
  const at = momentOf(now);
  const age_seconds = Math.trunc((at - beat - asleep(beat, at, sleeps)) / 1000);
  if (age_seconds < -freshContextLimits.future_skew_seconds)
    return invalid('last_heartbeat_at', `The last heartbeat lies ${-age_seconds} s ahead of the clock.`);
  if (age_seconds > timeout_seconds) {
    const reason = `No sign of life for ${age_seconds} s; the timeout is ${timeout_seconds} s.`;
    return { kind: 'timed_out', code: 'TASK_TIMEOUT', age_seconds, last_heartbeat_at, timeout_seconds, reason };
  }
  const boundary = moment(beat + asleep(beat, at, sleeps) + (timeout_seconds + 1) * 1000);
  return { kind: 'alive', age_seconds, boundary };
}

type Invalid = Extract<HeartbeatVerdict, { readonly kind: 'invalid' }>;

/** Returns what is wrong with a row in progress at any time; null: nothing, or it is not in progress. */
export function invalidHeartbeat(row: WatchedRow): Invalid | null {
  if (row.status !== 'in_progress') return null;
  const timed = heartbeatOf(row);
  return 'kind' in timed ? timed : null;
}

function heartbeatOf({
  last_heartbeat_at,
  timeout_seconds,
}: WatchedRow): Invalid | { readonly beat: number; readonly last_heartbeat_at: string } {
  if (!Number.isInteger(timeout_seconds) || timeout_seconds < freshContextLimits.timeout_seconds) {
    const reason = `timeout_seconds must be a whole number of at least ${freshContextLimits.timeout_seconds}.`;
    return invalid('timeout_seconds', reason);
  }
  if (last_heartbeat_at === null)
    return invalid('last_heartbeat_at', 'A task in progress has a last heartbeat; this one has none.');
  const beat = parseMoment(last_heartbeat_at);
  return beat === null
    ? invalid('last_heartbeat_at', 'The last heartbeat is no time like 2026-01-31T09:30:00Z.')
    : { beat, last_heartbeat_at };
}

function invalid(field: Invalid['field'], reason: string): Invalid {
  return { kind: 'invalid', code: 'SCHEMA_INVALID', field, reason };
}

function asleep(from: number, to: number, sleeps: readonly Sleep[]): number {
  const spans = sleeps
    .map((sleep) => ({ start: Math.max(momentOf(sleep.from), from), end: Math.min(momentOf(sleep.to), to) }))
    .filter(({ start, end }) => end > start)
    .sort((left, right) => left.start - right.start);
  let total = 0;
  let reached = from;
  for (const { start, end } of spans) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}

function momentOf(text: string): number {
  const milliseconds = parseMoment(text);
  if (milliseconds === null) throw new Error(`Broken invariant: ${text} is no time.`);
  return milliseconds;
}

export interface WatchedProcess {
  readonly task_id: string;
  /** ISO-8601. */
  readonly started_at: string;
  readonly timeout_seconds: number;
  /** Whether it is an agent CLI, whose event stream has to begin within `firstEventSeconds`. */
  readonly is_agent: boolean;
}

/** The content of heartbeat.json, which a worker can forge: impossible values are ignored. */
export interface SignsOfLife {
  /** ISO-8601; null when there is no heartbeat yet. */
  readonly last_progress_at: string | null;
  readonly events: number;
  /** When the machine slept. */
  readonly sleeps: readonly Sleep[];
}
export const noSigns: SignsOfLife = { last_progress_at: null, events: 0, sleeps: [] };

/** An agent CLI without any event for longer counts as silent. Source: decision 40. */
const firstEventSeconds = 60;

export interface Silence {
  readonly last_heartbeat_at: string;
  readonly timeout_seconds: number;
  readonly age_seconds: number;
  /** The result of the probe, in words. */
  readonly found: string;
}

export type Probe =
  | { readonly kind: 'pending' }
  /** A later sign of life than the ledger has. */
  | { readonly kind: 'progress'; readonly last_heartbeat_at: string }
  | { readonly kind: 'silent' }
  | { readonly kind: 'gone' };

export type ProcessLiveness =
  /** `boundary`: the first moment at which it may count as silent, ISO-8601. */
  | {
      readonly kind: 'alive';
      readonly last_heartbeat_at: string;
      readonly age_seconds: number;
      readonly boundary: string;
    }
  /** Too long without a sign of life: probe before stopping anything. */
  | ({ readonly kind: 'suspect' } & Silence)
  /** Stop the tree, prove it gone, release the lock, block with TASK_TIMEOUT. */
  | ({ readonly kind: 'out' } & Silence);

/** Judges silence: no progress, or no event of an agent, for its timeout. A heartbeat far ahead is ignored. */
export function judgeSilence(
  process: WatchedProcess,
  signs: SignsOfLife,
  now: string,
  probe: Probe = { kind: 'pending' },
): ProcessLiveness {
  const sleeps = signs.sleeps.filter(({ from, to }) => parseMoment(from) !== null && parseMoment(to) !== null);
  const timeout_seconds = Math.max(process.timeout_seconds, freshContextLimits.timeout_seconds);
  const { beat, ignored } = believable(process, signs, now);
  const progress = judgedSilence({ ...rowOf(process, beat), timeout_seconds }, now, probe, sleeps);
  const begun =
    process.is_agent && signs.events === 0
      ? judgedSilence(
          { ...rowOf(process, process.started_at), timeout_seconds: firstEventSeconds },
          now,
          // CPU time is progress, but no event of the stream.
          probe.kind === 'progress' ? { kind: 'silent' } : probe,
          sleeps,
        )
      : null;
  const found = `${probe.kind === 'pending' ? 'not probed' : probeWords(probe)}${ignored}`;
  for (const kind of ['out', 'suspect'] as const) {
    if (begun?.kind === kind) return { ...begun, kind, found: `the stream of the agent never began; ${found}` };
    if (progress.kind === kind) return { ...progress, kind, found };
  }
  const alive = progress as Alive;
  const first = begun as Alive | null;
  return first !== null && first.boundary < alive.boundary ? { ...alive, boundary: first.boundary } : alive;
}

type Alive = Extract<ProcessLiveness, { readonly kind: 'alive' }>;
type Overdue = { readonly kind: 'out' | 'suspect' } & Omit<Silence, 'found'>;

/** Progress that a probe found is judged like a heartbeat: it may be too old as well. */
function judgedSilence(row: WatchedRow, now: string, probe: Probe, sleeps: readonly Sleep[]): Alive | Overdue {
  const verdict = judgeHeartbeat(row, now, sleeps);
  if (verdict.kind === 'alive') return { ...verdict, last_heartbeat_at: row.last_heartbeat_at ?? now };
  if (verdict.kind === 'timed_out') {
    const { last_heartbeat_at, timeout_seconds, age_seconds } = verdict;
    const found = probe.kind === 'progress' ? probe.last_heartbeat_at : last_heartbeat_at;
    const again = judgeHeartbeat({ ...row, last_heartbeat_at: found }, now, sleeps);
    if (again.kind === 'alive') return { ...again, last_heartbeat_at: found };
    return { kind: probe.kind === 'pending' ? 'suspect' : 'out', last_heartbeat_at, timeout_seconds, age_seconds };
  }
  // The clock was set back before the start: silence counts from now. The deadline of the run does not depend on it.
  const boundary = moment((parseMoment(now) ?? 0) + (row.timeout_seconds + 1) * 1000);
  return { kind: 'alive', last_heartbeat_at: now, age_seconds: 0, boundary };
}

function rowOf(process: WatchedProcess, last_heartbeat_at: string): Omit<WatchedRow, 'timeout_seconds'> {
  return { task_id: process.task_id, status: 'in_progress', last_heartbeat_at };
}

/** The last sign of life: the start, or a later heartbeat that is not too far ahead of the clock. */
function believable(
  process: WatchedProcess,
  { last_progress_at }: SignsOfLife,
  now: string,
): { readonly beat: string; readonly ignored: string } {
  const started = { beat: process.started_at, ignored: '' };
  if (last_progress_at === null) return started;
  const row = { ...rowOf(process, last_progress_at), timeout_seconds: freshContextLimits.timeout_seconds };
  if (judgeHeartbeat(row, now).kind === 'invalid')
    return { ...started, ignored: `; a heartbeat of ${last_progress_at} was not believed` };
  const later = (parseMoment(last_progress_at) ?? 0) > (parseMoment(process.started_at) ?? 0);
  return later ? { beat: last_progress_at, ignored: '' } : started;
}

function probeWords(probe: Exclude<Probe, { readonly kind: 'pending' }>): string {
  switch (probe.kind) {
    case 'progress':
      return 'its processes were working';
    case 'silent':
      return 'its processes are alive, use no processor time and print nothing';
    case 'gone':
      return 'its processes are gone';
  }
}
