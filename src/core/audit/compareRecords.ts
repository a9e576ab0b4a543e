import { sha256 } from '../../base/sha256';
import { type AuditFinding, auditSteps, type AuditFindingCode } from '../../contracts/vocabulary/codes/auditFindings';
import { recordText, type AuditEvent } from './seal';
import { phaseTitles } from '../../contracts/vocabulary/execution';

/** One record, and where it was read: the event of the journal, or the line of the file. */
export interface AuditRecord {
  readonly place: number;
  readonly at: string;
  readonly event: AuditEvent;
}

export function aboutRecord({ place, event }: AuditRecord): About {
  return { place, task_id: event.task_id, attempt: event.attempt, event };
}

/** Names each record that is not the one whose digest stands in its place. */
export function compareRecords(records: readonly AuditRecord[], digests: readonly string[]): readonly AuditFinding[] {
  const free = new Set(digests.keys());
  const places = records.map((record) => {
    const digest = sha256(recordText(record));
    const index = [...free].find((one) => digests[one] === digest) ?? null;
    if (index !== null) free.delete(index);
    return { record, index };
  });
  const findings: AuditFinding[] = [];
  const gone = [...free];
  let furthest = -1;
  for (const { record, index } of places) {
    const about = aboutRecord(record);
    if (index === null && gone.shift() !== undefined)
      findings.push(auditFinding('AUDIT_RECORD_CHANGED', about, 'It is not the one that was sealed.'));
    else if (index === null)
      findings.push(auditFinding('AUDIT_RECORD_ADDED', about, 'It was not there when it was sealed.'));
    else if (index < furthest)
      findings.push(auditFinding('AUDIT_RECORD_MOVED', about, 'It was sealed in another place.'));
    furthest = Math.max(furthest, index ?? -1);
  }
  return [...findings, ...gone.map((index) => missing(places, index))];
}

function missing(
  places: readonly { readonly record: AuditRecord; readonly index: number | null }[],
  gone: number,
): AuditFinding {
  const after = places.find(({ index }) => index !== null && index > gone)?.record;
  const beside = after ?? places.at(-1)?.record;
  if (!beside) return auditFinding('AUDIT_RECORD_MISSING', { place: null }, 'A record that was sealed is gone.');
  return auditFinding(
    'AUDIT_RECORD_MISSING',
    aboutRecord(beside),
    after ? 'The record before it that was sealed is gone.' : 'The record after it that was sealed is gone.',
  );
}

/** What a finding is about. Without an event it is an attempt as a whole, without a task the log. */
interface About {
  readonly place: number | null;
  readonly task_id?: string | null;
  readonly attempt?: number | null;
  readonly event?: AuditEvent | null;
}

export function auditFinding(code: AuditFindingCode, about: About, message: string): AuditFinding {
  const { place, task_id = null, attempt = null, event } = about;
  const invokes = event?.type === 'InvocationRecorded' || event?.type === 'SessionRecorded';
  const call_index = invokes ? event.record.call_index : null;
  const severity = code === 'AUDIT_OPEN' ? 'info' : 'error';
  const { [code]: next } = auditSteps;
  return { code, severity, record: recordName(about), place, task_id, attempt, call_index, message, next };
}

function recordName({ task_id = null, attempt, event }: About): string {
  if (task_id === null) return '';
  const unit = `Task ${task_id}, attempt ${attempt ?? '?'}`;
  switch (event?.type) {
    case undefined:
      return unit;
    case 'AttemptStarted':
      return `${unit}, its beginning`;
    case 'PhaseCompleted':
      return `${unit}, phase ${event.phase} (${phaseTitles[event.phase]})`;
    case 'InvocationRecorded':
      return `${unit}, invocation with call_index ${event.record.call_index}`;
    case 'SessionRecorded':
      return `${unit}, orchestrator's session with call_index ${event.record.call_index}`;
  }
}
