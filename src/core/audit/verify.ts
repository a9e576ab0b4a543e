import { sha256 } from '../../base/sha256';
import type { AuditFinding } from '../../contracts/vocabulary/codes/auditFindings';
import { aboutRecord, compareRecords, type AuditRecord, auditFinding } from './compareRecords';
import { closingDigest, recordText, sealDigest, type AuditEvent, type SealedUnit } from './seal';

/** What the seals of a mission are bound to; `previous_sha256`: what the first one follows. */
export interface AuditLog extends Pick<SealedUnit, 'mission_id' | 'run_id' | 'plan_sha256'> {
  readonly previous_sha256: string;
  readonly records: readonly AuditRecord[];
}

type PhaseRecord = AuditRecord & { readonly event: Extract<AuditEvent, { type: 'PhaseCompleted' }> };

/** The records of one attempt: those that phase 8 seals, and the closing segment of phases 8 to 10. */
interface Segment {
  readonly task_id: string;
  readonly attempt: number;
  readonly sealed: AuditRecord[];
  readonly closing: AuditRecord[];
}

/** Checks records against seals and seals against each other, and that the invocations of each task are counted. */
export function verifyAudit(log: AuditLog): readonly AuditFinding[] {
  const { closed, open } = segmentsOf(log.records);
  const findings: AuditFinding[] = [];
  const closings = closingsOf(closed, log.records);
  const closingBefore = ({ place }: AuditRecord): string =>
    closings.findLast((one) => one.place < place)?.sha256 ?? log.previous_sha256;
  for (const segment of closed) {
    const [eight, ten] = [phaseRecord(segment, 8), phaseRecord(segment, 10)];
    const { seal } = eight?.event ?? {};
    const { closing } = ten?.event ?? {};
    if (!eight || !ten || !seal || !closing) {
      findings.push(unsealed(segment));
      continue;
    }
    findings.push(...checkSegment(log, segment, eight, ten));
    const [sealedAfter, closedAfter] = [closingBefore(eight), closingBefore(ten)];
    if (seal.previous_sha256 !== sealedAfter || (ten.event.follows_sha256 ?? seal.previous_sha256) !== closedAfter)
      findings.push(auditFinding('AUDIT_ATTEMPT_MISSING', aboutRecord(eight), notFollowing));
  }
  for (const record of log.records)
    if (isSession(record)) findings.push(...checkSession(log, record, closingBefore(record)));
  for (const segment of open) {
    const { task_id, attempt } = segment;
    const last = [...segment.sealed, ...segment.closing].at(-1);
    const about = { place: last?.place ?? null, task_id, attempt };
    const over = closed.some((other) => other.task_id === task_id && other.attempt >= attempt);
    findings.push(
      over || (segment.closing.length > 0 && !waits(segment))
        ? auditFinding('AUDIT_RECORD_MISSING', about, 'What comes after this record is not here.')
        : auditFinding('AUDIT_OPEN', about, 'It is not closed yet, so no seal covers its records.'),
    );
  }
  return [...findings, ...checkCalls(log.records)];
}

const notFollowing = 'Its seal does not follow the closing before it.';

/** The closings in their order; an attempt that waited in phase 9 was sealed before others closed. */
function closingsOf(
  closed: readonly Segment[],
  records: readonly AuditRecord[],
): readonly { readonly place: number; readonly sha256: string }[] {
  const attempts = closed.flatMap((segment) => {
    const [eight, ten] = [phaseRecord(segment, 8), phaseRecord(segment, 10)];
    const { closing } = ten?.event ?? {};
    return eight?.event.seal && ten && closing ? [{ place: ten.place, sha256: closing.sha256 }] : [];
  });
  const sessions = records.filter(isSession).map(({ place, event }) => ({ place, sha256: event.seal.sha256 }));
  return [...attempts, ...sessions].toSorted((one, other) => one.place - other.place);
}

type SessionRecord = AuditRecord & { readonly event: Extract<AuditEvent, { type: 'SessionRecorded' }> };

function isSession(record: AuditRecord): record is SessionRecord {
  return record.event.type === 'SessionRecorded';
}

function checkSession(log: AuditLog, record: SessionRecord, before: string): readonly AuditFinding[] {
  const { task_id, attempt, seal } = record.event;
  const about = aboutRecord(record);
  const broken = 'The seal does not cover this attempt, or it belongs to another mission, run or plan.';
  if (seal.sha256 !== sealDigest({ ...log, task_id, attempt }, seal.previous_sha256, seal.records_sha256))
    return [auditFinding('AUDIT_SEAL_BROKEN', about, broken)];
  return [
    ...compareRecords([record], seal.records_sha256),
    ...(seal.previous_sha256 === before ? [] : [auditFinding('AUDIT_ATTEMPT_MISSING', about, notFollowing)]),
  ];
}

function segmentsOf(records: readonly AuditRecord[]): {
  readonly closed: readonly Segment[];
  readonly open: readonly Segment[];
} {
  const live = new Map<string, Segment>();
  const closed: Segment[] = [];
  for (const record of records) {
    if (isSession(record)) continue;
    const { task_id, attempt } = record.event;
    const key = `${attempt}#${task_id}`;
    const segment = live.get(key) ?? { task_id, attempt, sealed: [], closing: [] };
    live.set(key, segment);
    const phase = record.event.type === 'PhaseCompleted' ? record.event.phase : 0;
    const closes = phase === 8 || phase === 9 || phase === 10;
    (closes || segment.closing.length > 0 ? segment.closing : segment.sealed).push(record);
    if (phase !== 10) continue;
    closed.push(segment);
    live.delete(key);
  }
  return { closed, open: [...live.values()] };
}

function waits(segment: Segment): boolean {
  return segment.closing.length === 1 && phaseRecord(segment, 8)?.event.seal !== undefined;
}

function phaseRecord({ closing }: Segment, phase: 8 | 10): PhaseRecord | undefined {
  return closing.find(
    (record): record is PhaseRecord => record.event.type === 'PhaseCompleted' && record.event.phase === phase,
  );
}

/** Checks the closing segment first, because records are measured only by a phase 8 that it confirms. */
function checkSegment(log: AuditLog, segment: Segment, eight: PhaseRecord, ten: PhaseRecord): readonly AuditFinding[] {
  const { seal } = eight.event;
  const { closing } = ten.event;
  if (!seal || !closing) return [];
  const { task_id, attempt } = segment;
  const holds = seal.sha256 === sealDigest({ ...log, task_id, attempt }, seal.previous_sha256, seal.records_sha256);
  const ends = compareRecords(segment.closing, closing.records_sha256);
  const records = holds || ends.length === 0 ? compareRecords(segment.sealed, seal.records_sha256) : [];
  const broken = (at: PhaseRecord, sentence: string): AuditFinding =>
    auditFinding('AUDIT_SEAL_BROKEN', aboutRecord(at), sentence);
  if (closing.sha256 !== closingDigest(seal.sha256, closing.records_sha256)) {
    const now = segment.closing.map((record) => sha256(recordText(record)));
    const listed = closing.sha256 === closingDigest(seal.sha256, now);
    return ends.length > 0 && !listed
      ? [...records, ...ends]
      : [...records, broken(ten, 'Its closing does not fit the seal and the phases it closes.')];
  }
  if (ends.length > 0 || holds) return [...records, ...ends];
  return [...records, broken(eight, 'Its seal is not over these records, or of another mission, run or plan.')];
}

function unsealed({ task_id, attempt, closing }: Segment): AuditFinding {
  const about = { place: closing.at(-1)?.place ?? null, task_id, attempt };
  return auditFinding('AUDIT_SEAL_BROKEN', about, 'Its seal or its closing is gone.');
}

/** Invocations of a task, and sessions about it, are counted 1, 2, 3 ...; after a handoff the count goes on. */
function checkCalls(records: readonly AuditRecord[]): readonly AuditFinding[] {
  const last = new Map<string, number>();
  return records.flatMap((record) => {
    const { event } = record;
    if (event.type !== 'InvocationRecorded' && event.type !== 'SessionRecorded') return [];
    const { call_index, task_id, result, failure_reason } = event.record;
    const counted = `${event.type} ${task_id}`;
    const before = last.get(counted);
    last.set(counted, call_index);
    if (before !== undefined && call_index !== before + 1)
      return [
        auditFinding('AUDIT_CALLS_WRONG', aboutRecord(record), 'Its call_index does not follow the one before it.'),
      ];
    return (result === 'success') === (failure_reason === null)
      ? []
      : [auditFinding('AUDIT_CALLS_WRONG', aboutRecord(record), 'Its result and its reason of failure contradict.')];
  });
}
