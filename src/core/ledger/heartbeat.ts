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
export interface Sleep {
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
