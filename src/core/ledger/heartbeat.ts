import type { ContractCode } from '../../contracts/vocabulary/codes/codes';
import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import { freshContextLimits } from '../../contracts/vocabulary/freshContext';
import { moment, parseMoment } from './time';

/** The part of a ledger row by which its heartbeat is judged. */
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
  /** The row is not in progress. */
  | { readonly kind: 'not_judged'; readonly task_id: string; readonly code: 'OK' }
  | {
      readonly kind: 'alive';
      readonly task_id: string;
      readonly code: 'OK';
      /** Negative when the heartbeat is ahead of the clock. */
      readonly age_seconds: number;
      /** First moment at which the row would be timed out. */
      readonly boundary: string;
    }
  | {
      readonly kind: 'timed_out';
      readonly task_id: string;
      readonly code: 'TASK_TIMEOUT';
      readonly age_seconds: number;
      readonly last_heartbeat_at: string;
      readonly timeout_seconds: number;
      readonly reason: string;
    }
  /**
   * The heartbeat is missing, is no time or lies too far ahead of the clock. Or the timeout is too
   * short or no whole number.
   */
  | {
      readonly kind: 'invalid';
      readonly task_id: string;
      readonly code: Extract<ContractCode, 'SCHEMA_INVALID'>;
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
  const { task_id, status, timeout_seconds } = row;
  if (status !== 'in_progress') return { kind: 'not_judged', task_id, code: 'OK' };
  const timed = heartbeatOf(row);
  if ('kind' in timed) return timed;
  const { beat, last_heartbeat_at } = timed;
  const at = momentOf(now);
  const age_seconds = Math.trunc((at - beat - asleep(beat, at, sleeps)) / 1000);
  if (age_seconds < -freshContextLimits.future_skew_seconds)
    return invalid(task_id, 'last_heartbeat_at', `The last heartbeat lies ${-age_seconds} s ahead of the clock.`);
  if (age_seconds > timeout_seconds) {
    return {
      kind: 'timed_out',
      task_id,
      code: 'TASK_TIMEOUT',
      age_seconds,
      last_heartbeat_at,
      timeout_seconds,
      reason: `No sign of life for ${age_seconds} s; the timeout is ${timeout_seconds} s.`,
    };
  }
  const boundary = moment(beat + asleep(beat, at, sleeps) + (timeout_seconds + 1) * 1000);
  return { kind: 'alive', task_id, code: 'OK', age_seconds, boundary };
}

type Invalid = Extract<HeartbeatVerdict, { readonly kind: 'invalid' }>;

/** Returns what is wrong with a row in progress at any time; null: nothing, or it is not in progress. */
export function invalidHeartbeat(row: WatchedRow): Invalid | null {
  if (row.status !== 'in_progress') return null;
  const timed = heartbeatOf(row);
  return 'kind' in timed ? timed : null;
}

function heartbeatOf({
  task_id,
  last_heartbeat_at,
  timeout_seconds,
}: WatchedRow): Invalid | { readonly beat: number; readonly last_heartbeat_at: string } {
  if (!Number.isInteger(timeout_seconds) || timeout_seconds < freshContextLimits.timeout_seconds) {
    const reason = `timeout_seconds must be a whole number of at least ${freshContextLimits.timeout_seconds}.`;
    return invalid(task_id, 'timeout_seconds', reason);
  }
  if (last_heartbeat_at === null)
    return invalid(task_id, 'last_heartbeat_at', 'A task in progress has a last heartbeat; this one has none.');
  const beat = parseMoment(last_heartbeat_at);
  return beat === null
    ? invalid(task_id, 'last_heartbeat_at', 'The last heartbeat is no time like 2026-01-31T09:30:00Z.')
    : { beat, last_heartbeat_at };
}

function invalid(task_id: string, field: Invalid['field'], reason: string): Invalid {
  return { kind: 'invalid', task_id, code: 'SCHEMA_INVALID', field, reason };
}

/** The result of probing a silent worker. */
export type Probe =
  /** Not probed yet. */
  | { readonly kind: 'pending' }
  /** A later sign of life than the ledger has. */
  | { readonly kind: 'progress'; readonly last_heartbeat_at: string }
  | { readonly kind: 'silent' }
  /** The process has ended. */
  | { readonly kind: 'gone' };

export type Liveness =
  | Exclude<HeartbeatVerdict, { readonly kind: 'timed_out' | 'alive' }>
  | (Extract<HeartbeatVerdict, { readonly kind: 'alive' }> & { readonly last_heartbeat_at: string })
  /** Timed out by the ledger, whose heartbeats may be behind: probe before stopping anything. */
  | (Omit<Extract<HeartbeatVerdict, { readonly kind: 'timed_out' }>, 'kind'> & { readonly kind: 'suspect' })
  /** Stop the tree, prove it gone, release the lock, block with TASK_TIMEOUT; in this order. */
  | (Omit<Extract<HeartbeatVerdict, { readonly kind: 'timed_out' }>, 'kind'> & { readonly kind: 'out' });

/** Suspect, probe, out. Progress found by a probe is judged like a heartbeat: it may be too old as well. */
export function watch(row: WatchedRow, now: string, probe: Probe, sleeps: readonly Sleep[] = []): Liveness {
  const verdict = judgeHeartbeat(row, now, sleeps);
  switch (verdict.kind) {
    case 'not_judged':
    case 'invalid':
      return verdict;
    case 'alive':
      return { ...verdict, last_heartbeat_at: row.last_heartbeat_at ?? now };
    case 'timed_out':
      if (probe.kind === 'pending') return { ...verdict, kind: 'suspect' };
      if (probe.kind === 'progress') {
        const { last_heartbeat_at } = probe;
        const again = judgeHeartbeat({ ...row, last_heartbeat_at }, now, sleeps);
        if (again.kind === 'alive') return { ...again, last_heartbeat_at };
      }
      return { ...verdict, kind: 'out' };
  }
}

/** Milliseconds of sleep between two moments. */
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

/** For times that are known to be valid. */
function momentOf(text: string): number {
  const milliseconds = parseMoment(text);
  if (milliseconds === null) throw new Error(`Broken invariant: ${text} is no time.`);
  return milliseconds;
}
