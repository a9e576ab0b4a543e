import type { ContractCode } from '../../contracts/vocabulary/codes';
import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import { freshContextLimits } from '../../contracts/vocabulary/freshContext';
import { moment, parseMoment } from './time';

/** What of a ledger row its heartbeat is judged by. */
export interface WatchedRow {
  readonly task_id: string;
  readonly status: LedgerStatus;
  /** ISO-8601. */
  readonly last_heartbeat_at: string | null;
  readonly timeout_seconds: number;
}

/** A time in which the machine slept, ISO-8601; it does not count as silence. */
export interface Sleep {
  readonly from: string;
  readonly to: string;
}

/** Ages are whole seconds, rounded down. */
export type HeartbeatVerdict =
  /** Not in progress: nothing to judge. */
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
  /** No time, or one further ahead of the clock than clocks differ. */
  | {
      readonly kind: 'invalid';
      readonly task_id: string;
      readonly code: Extract<ContractCode, 'SCHEMA_INVALID'>;
      readonly field: 'last_heartbeat_at' | 'timeout_seconds';
      readonly reason: string;
    };

/**
 * Timed out is a row in progress whose last heartbeat is older than its timeout: an age equal to the timeout lives, one
 * second more does not. `now` is ISO-8601 and a time; sleeps that overlap count once. Source: facts B9.
 */
export function judgeHeartbeat(row: WatchedRow, now: string, sleeps: readonly Sleep[] = []): HeartbeatVerdict {
  const { task_id, status, last_heartbeat_at, timeout_seconds } = row;
  if (status !== 'in_progress') return { kind: 'not_judged', task_id, code: 'OK' };
  const invalid = (field: 'last_heartbeat_at' | 'timeout_seconds', reason: string): HeartbeatVerdict => ({
    kind: 'invalid',
    task_id,
    code: 'SCHEMA_INVALID',
    field,
    reason,
  });
  if (!Number.isInteger(timeout_seconds) || timeout_seconds < freshContextLimits.timeout_seconds) {
    return invalid(
      'timeout_seconds',
      `timeout_seconds must be a whole number of at least ${freshContextLimits.timeout_seconds}.`,
    );
  }
  if (last_heartbeat_at === null)
    return invalid('last_heartbeat_at', 'A task in progress has a last heartbeat; this one has none.');
  const beat = parseMoment(last_heartbeat_at);
  if (beat === null) return invalid('last_heartbeat_at', 'The last heartbeat is no time like 2026-01-31T09:30:00Z.');
  const at = momentOf(now);
  const age_seconds = Math.trunc((at - beat - asleep(beat, at, sleeps)) / 1000);
  if (age_seconds < -freshContextLimits.future_skew_seconds)
    return invalid('last_heartbeat_at', `The last heartbeat lies ${-age_seconds} s ahead of the clock.`);
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

/** One verdict per row, in their order: a row that cannot be judged hides no other. */
export function judgeHeartbeats(
  rows: readonly WatchedRow[],
  now: string,
  sleeps: readonly Sleep[] = [],
): readonly HeartbeatVerdict[] {
  return rows.map((row) => judgeHeartbeat(row, now, sleeps));
}

/**
 * When the watchdog has to look again: the earliest moment at which a row that lives would be timed out; `now` when one
 * is already, or cannot be judged; null when nothing is in progress. Sleep after `now` only makes it early, never late.
 */
export function nextBoundary(rows: readonly WatchedRow[], now: string, sleeps: readonly Sleep[] = []): string | null {
  let earliest: number | null = null;
  for (const verdict of judgeHeartbeats(rows, now, sleeps)) {
    if (verdict.kind === 'not_judged') continue;
    const at = verdict.kind === 'alive' ? momentOf(verdict.boundary) : momentOf(now);
    if (earliest === null || at < earliest) earliest = at;
  }
  return earliest === null ? null : moment(earliest);
}

/** What looking at a silent worker brought. */
export type Probe =
  /** Not looked yet. */
  | { readonly kind: 'pending' }
  /** It lives: a later sign of life than the ledger has. */
  | { readonly kind: 'progress'; readonly last_heartbeat_at: string }
  | { readonly kind: 'silent' }
  /** The process is not there any more. */
  | { readonly kind: 'gone' };

export type Liveness =
  | Exclude<HeartbeatVerdict, { readonly kind: 'timed_out' | 'alive' }>
  | (Extract<HeartbeatVerdict, { readonly kind: 'alive' }> & { readonly last_heartbeat_at: string })
  /** Overdue by the ledger, whose heartbeats may be behind: probe before anything is stopped. */
  | (Omit<Extract<HeartbeatVerdict, { readonly kind: 'timed_out' }>, 'kind'> & { readonly kind: 'suspect' })
  /** Stop the tree, prove it gone, release the lock, block with TASK_TIMEOUT; in this order. */
  | (Omit<Extract<HeartbeatVerdict, { readonly kind: 'timed_out' }>, 'kind'> & { readonly kind: 'out' });

/** Suspect, probe, out. A probe that found progress is judged like a heartbeat, so that an old one does not help. */
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

/** Of a time this product wrote itself. */
function momentOf(text: string): number {
  const milliseconds = parseMoment(text);
  if (milliseconds === null) throw new Error(`Broken invariant: ${text} is no time.`);
  return milliseconds;
}
