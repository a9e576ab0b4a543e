import { sha256 } from '../../base/sha256';
import type { AuditClosing, AuditSeal } from '../../contracts/audit';
import type { EventOf, MissionEvent } from '../model/events';

export type AttemptAuditEvent = Extract<
  MissionEvent,
  { type: 'AttemptStarted' | 'PhaseCompleted' | 'InvocationRecorded' }
>;

export type AuditEvent = AttemptAuditEvent | EventOf<'SessionRecorded'>;

/** The values that bind a seal to one attempt of one run of one plan, in addition to the records. */
export interface SealedUnit {
  readonly mission_id: string;
  readonly run_id: string;
  readonly plan_sha256: string;
  readonly task_id: string;
  readonly attempt: number;
}

/** The closing before the first one. */
export const noClosing = '0'.repeat(64);

export function isAuditEvent(event: MissionEvent): event is AuditEvent {
  return event.type === 'SessionRecorded' || isAttemptAuditEvent(event);
}

export function isAttemptAuditEvent(event: MissionEvent): event is AttemptAuditEvent {
  return event.type === 'AttemptStarted' || event.type === 'PhaseCompleted' || event.type === 'InvocationRecorded';
}

/**
 * The canonical text of a record, which is digested and exported: its time, and the event with its members in the order
 * in which the journal has them. Leaves out the closing of phase 10 and the seal of a session, because they digest this
 * text.
 */
export function recordText({ at, event }: { readonly at: string; readonly event: MissionEvent }): string {
  if (event.type === 'SessionRecorded') return JSON.stringify({ at, event: { ...event, seal: undefined } });
  if (event.type !== 'PhaseCompleted' || !event.closing) return JSON.stringify({ at, event });
  const { closing: _closing, ...rest } = event;
  return JSON.stringify({ at, event: rest });
}

/** @param records the texts of all records of the attempt before phase 8, in order */
export function sealOf(unit: SealedUnit, previous_sha256: string, records: readonly string[]): AuditSeal {
  const records_sha256 = records.map(sha256);
  return { previous_sha256, records_sha256, sha256: sealDigest(unit, previous_sha256, records_sha256) };
}

export function sealDigest(
  { mission_id, run_id, plan_sha256, task_id, attempt }: SealedUnit,
  previous_sha256: string,
  records_sha256: readonly string[],
): string {
  return sha256(JSON.stringify({ mission_id, run_id, plan_sha256, task_id, attempt, previous_sha256, records_sha256 }));
}

/** @param records the texts of phases 8, 9 and 10 */
export function closingOf(seal_sha256: string, records: readonly string[]): AuditClosing {
  const records_sha256 = records.map(sha256);
  return { records_sha256, sha256: closingDigest(seal_sha256, records_sha256) };
}

export function closingDigest(seal_sha256: string, records_sha256: readonly string[]): string {
  return sha256(JSON.stringify({ seal_sha256, records_sha256 }));
}
