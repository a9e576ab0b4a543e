import { sha256 } from '../../base/sha256';
import type { AuditFile, AuditHead } from '../../contracts/audit';
import type { AuditFinding } from '../../contracts/vocabulary/codes/auditFindings';
import { type AuditRecord, auditFinding } from '../../core/audit/compareRecords';
import { auditLogOf, checkLaunches } from '../../core/audit/log';
import { verifyAudit } from '../../core/audit/verify';
import type { JournalFacts } from '../../core/verify/facts';

/** `events`: the number of records; `first_bad`: the first place (event of the journal, or line) of an error. */
export interface AuditVerdict {
  readonly valid: boolean;
  readonly events: number;
  readonly first_bad: number | null;
  readonly findings: readonly AuditFinding[];
}

/**
 * Returns the text of an export: one line that names the mission, one line for each record, and a last line. The last
 * line holds their number and the digest of all lines before it (SHA-256, upper-case hex, line ends included). Null:
 * the entries belong to no mission.
 */
export function auditFileText(entries: JournalFacts['entries']): string | null {
  const log = auditLogOf(entries);
  if (!log) return null;
  const { head, records } = log;
  const lines = [head, ...records.map(({ at, event }) => ({ at, event }))].map((line) => JSON.stringify(line));
  const text = `${lines.join('\n')}\n`;
  return `${text}${JSON.stringify({ kind: 'end', records: records.length, sha256: sha256(text) })}\n`;
}

/** Returns whether the text is the export of these entries, as of the last event that its head names. */
export function isExportOf(text: string, head: AuditHead, entries: JournalFacts['entries']): boolean {
  return auditFileText(entries.filter(({ seq }) => seq <= head.journal.events)) === text;
}

/** @param same the text is an export of the journal that is here; null: no journal here knows its mission */
export function verifyAuditFile(
  { head, records, invalid_lines, end }: AuditFile,
  same: boolean | null = null,
): AuditVerdict {
  const read = records as readonly AuditRecord[];
  const tell = (code: 'AUDIT_FILE_CHANGED' | 'AUDIT_LINE_INVALID', place: number | null, message: string) =>
    auditFinding(code, { place }, message);
  return verdict(records.length, [
    ...(head ? [] : [tell('AUDIT_LINE_INVALID', 1, 'The first line does not say of which mission the file is.')]),
    ...invalid_lines.map((line) => tell('AUDIT_LINE_INVALID', line, `Line ${line} is no record as it is exported.`)),
    ...(end === 'differs'
      ? [tell('AUDIT_FILE_CHANGED', null, 'The lines are not those that the last line counts and digests.')]
      : []),
    ...(end === 'gone'
      ? [tell('AUDIT_FILE_CHANGED', null, 'The last line, which digests the others, is gone: the file was cut.')]
      : []),
    ...(same === false
      ? [tell('AUDIT_FILE_CHANGED', null, 'The journal of this workspace has another audit log of this mission.')]
      : []),
    ...(head ? verifyAudit({ ...head, records: read }) : []),
  ]);
}

/** Null: the entries belong to no mission. */
export function verifyAuditStream({ entries, chain }: JournalFacts): AuditVerdict | null {
  const log = auditLogOf(entries);
  if (!log) return null;
  const found = [...verifyAudit({ ...log.head, records: log.records }), ...checkLaunches(entries)];
  if (chain.valid) return verdict(log.records.length, found);
  const bad = log.records.find(({ place }) => place === chain.first_bad);
  const { task_id = null, attempt = null } = bad?.event ?? {};
  const about = { place: chain.first_bad, task_id, attempt, event: bad?.event ?? null };
  const message = `The chain of the journal breaks at event ${chain.first_bad ?? 0}.`;
  return verdict(log.records.length, [auditFinding('AUDIT_CHAIN_BROKEN', about, message), ...found]);
}

function verdict(events: number, findings: readonly AuditFinding[]): AuditVerdict {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const places = errors.flatMap(({ place }) => place ?? []);
  return { valid: errors.length === 0, events, first_bad: places.length === 0 ? null : Math.min(...places), findings };
}
