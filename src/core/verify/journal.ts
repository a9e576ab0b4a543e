import { evidenceNames, taskFile } from '../../contracts/vocabulary/files/evidenceFiles';
import { auditLogOf } from '../audit/log';
import { verifyAudit } from '../audit/verify';
import type { MissionEvent } from '../model/events';
import { isTerminal } from './consistency';
import { collected, otherDigest, type EvidenceFacts, type JournalFacts } from './facts';
import { decisionsIn, differences, recordedFacts, type RecordedFacts } from './recorded';
import { evidenceFinding, sameDigest, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';

/** Compares the files with the journal, which shows that files were rewritten together with their digests. */
export function checkJournal(documents: EvidenceFacts, { entries, chain }: JournalFacts): EvidenceFinding[] {
  const { header } = documents;
  const { findings, report: disagree } = collected('JOURNAL_DISAGREES', evidenceNames.header);
  const broken = `The journal's hash chain breaks at event ${String(chain.first_bad)}.`;
  if (!chain.valid) findings.push(evidenceFinding('JOURNAL_CHAIN_BROKEN', '', broken));
  const events = entries.map(({ event }) => event);
  const unfinished = isTerminal(header) ? null : whyUnfinished(events);
  if (unfinished !== null)
    findings.push(evidenceFinding('EVIDENCE_UNFINISHED', evidenceNames.header, unfinished, '/state'));
  const facts = recordedFacts(entries);
  if (facts === null) disagree('The header names a mission that the journal does not have.', '/mission_id');
  else findings.push(...checkFacts(documents, facts, unfinished === null));
  const { events: count, last_hash } = header.journal ?? { events: 0, last_hash: '' };
  const entry = entries[count - 1];
  if (count === 0) disagree('The header names no event of the journal after which it was written.', '/journal');
  else if (entry === undefined)
    disagree(
      `The header was written after ${count} events of the journal, which has ${entries.length} now.`,
      '/journal',
    );
  else if (!sameDigest(entry.hash, last_hash))
    disagree(`The header has another hash of event ${count} than the journal.`, '/journal');
  return [
    ...findings,
    ...checkDecisions(documents, entries),
    ...checkTaskEvents(documents, events),
    ...(facts ? checkMemory(documents, facts) : []),
    ...checkAuditLog(entries),
    ...checkReport(documents, events),
  ];
}

/** Says why a journal knows more than the evidence that it began; null: it does not. */
function whyUnfinished(events: readonly MissionEvent[]): string | null {
  const last = events.findLast(
    (event) =>
      event.type === 'TaskEvidenceWritten' ||
      event.type === 'MissionReported' ||
      (event.type === 'EffectFailed' && /^write(?:TaskEvidence|Report)\b/.test(event.effect)),
  );
  if (last?.type === 'EffectFailed') return `The runner stopped before it wrote what the journal knows: ${last.reason}`;
  const ended = events.some(({ type }) => type === 'MissionCompleted' || type === 'MissionFailed');
  return ended && last?.type !== 'MissionReported'
    ? 'The mission has ended, as the journal says, and the runner stopped before it wrote this end.'
    : null;
}

/** Compares every fact that follows from the journal. @param written the runner wrote all that the journal knows */
function checkFacts({ header, tasks }: EvidenceFacts, facts: RecordedFacts, written: boolean): EvidenceFinding[] {
  const { orchestrator, plan_canonical_sha256: content, outcome, cancelled, ...always } = facts.header;
  const found = (file: string, of: unknown, recorded: unknown, pointer = ''): EvidenceFinding[] =>
    differences(of, recorded, pointer).map(([at, message]) => evidenceFinding('JOURNAL_DISAGREES', file, message, at));
  return [
    ...found(evidenceNames.header, header, {
      ...always,
      ...(written && { outcome, cancelled }),
      ...(header.plan_canonical_sha256 && { plan_canonical_sha256: content }),
      // Its sessions are complete once the mission has ended.
      orchestrator: isTerminal(header) || !orchestrator ? orchestrator : { worker: orchestrator.worker },
    }),
    ...[...tasks].flatMap(([taskId, { evidence }]) => [
      ...found(taskFile(taskId), evidence ?? {}, facts.task(taskId)),
      ...(evidence?.attempts ?? []).flatMap((attempt, index) =>
        found(taskFile(taskId), attempt, facts.attempt(taskId, attempt.attempt), `/attempts/${index}`),
      ),
    ]),
  ];
}

/** Checks that the journal has each decision that the files name: one that came with a handoff stands in its event. */
function checkDecisions({ header, tasks }: EvidenceFacts, entries: JournalFacts['entries']): EvidenceFinding[] {
  const recorded = decisionsIn(entries.map(({ event }) => event));
  const documents = [
    [evidenceNames.header, header],
    ...[...tasks].map(([id, one]) => [taskFile(id), one.evidence]),
  ] as const;
  const message = 'The journal does not have this decision.';
  return documents.flatMap(([file, document]) =>
    [...decisionsIn(document)]
      .filter(([decision]) => !recorded.has(decision))
      .map(([, pointer]) => evidenceFinding('JOURNAL_DISAGREES', file as string, message, pointer)),
  );
}

function checkTaskEvents(facts: EvidenceFacts, events: readonly MissionEvent[]): EvidenceFinding[] {
  const { header, tasks } = facts;
  const findings: EvidenceFinding[] = [];
  const disagree = (file: string, message: string): void => {
    findings.push(evidenceFinding('JOURNAL_DISAGREES', file, message));
  };
  const written = new Map(
    events.filter((event) => event.type === 'TaskEvidenceWritten').map((event) => [event.task_id, event]),
  );
  const reopened = reopenedIn(events);
  for (const [taskId, event] of written) {
    if (reopened.has(taskId)) continue;
    const file = taskFile(taskId);
    const found = tasks.get(taskId);
    const other = evidenceFinding('JOURNAL_DISAGREES', file, 'The file has another digest than the journal recorded.');
    if (found) findings.push(...otherDigest(facts, other, found.sha256, event.sha256));
    else disagree(file, 'The file is gone, and the journal says that the runner wrote it.');
    const row = header.tasks?.find((candidate) => candidate.task_id === taskId);
    if (isTerminal(header) && row?.status !== event.status)
      disagree(
        evidenceNames.header,
        `The header says ${row?.status ?? 'nothing'} of task ${taskId}; the journal says ${event.status}.`,
      );
  }
  for (const [taskId, found] of tasks) {
    const ended = found.evidence?.status ?? null;
    if (!written.has(taskId) && ended !== null)
      disagree(taskFile(taskId), 'The journal does not say that the runner wrote this file.');
  }
  return findings;
}

/** Units whose acceptance was lost and that have not ended again, so their evidence is the earlier one. */
function reopenedIn(events: readonly MissionEvent[]): ReadonlySet<string> {
  const reopened = new Set<string>();
  for (const event of events) {
    if (event.type === 'AcceptanceChecked' && !event.holds) reopened.add(event.task_id);
    if (event.type === 'TaskEvidenceWritten') reopened.delete(event.task_id);
  }
  return reopened;
}

function checkReport(facts: EvidenceFacts, events: readonly MissionEvent[]): EvidenceFinding[] {
  const reported = events.findLast((event) => event.type === 'MissionReported');
  const files = [
    ['header', evidenceNames.header, facts.header_sha256, reported?.header_sha256],
    ['summary', evidenceNames.summary, facts.summary_sha256, reported?.summary_sha256],
  ] as const;
  return files.flatMap(([what, file, digest, recorded]) => {
    const message = `The ${what} has another digest than the journal recorded.`;
    const finding = evidenceFinding('JOURNAL_DISAGREES', file, message);
    return digest === null || recorded === undefined ? [] : otherDigest(facts, finding, digest, recorded);
  });
}

function checkAuditLog(entries: JournalFacts['entries']): EvidenceFinding[] {
  const log = auditLogOf(entries);
  return (log ? verifyAudit({ ...log.head, records: log.records }) : []).flatMap(({ severity, record, message }) =>
    severity === 'error'
      ? [evidenceFinding('AUDIT_LOG_BROKEN', '', `The audit log of the journal does not hold. ${record}: ${message}`)]
      : [],
  );
}

function checkMemory({ tasks }: EvidenceFacts, facts: RecordedFacts): EvidenceFinding[] {
  return [...tasks].flatMap(([taskId, { evidence }]) =>
    (evidence?.attempts ?? []).flatMap(({ attempt, memory }, index) => {
      const saved = facts.saved(taskId, attempt);
      const listed = (memory?.entries ?? []).filter(({ outcome }) => outcome === 'saved');
      // Attempts that a handoff brought are journalled in the clone that they come from.
      if (saved === null || savedText(listed) === savedText(saved)) return [];
      const message = `The file and the journal differ in what attempt ${attempt} remembered.`;
      return [evidenceFinding('JOURNAL_DISAGREES', taskFile(taskId), message, `/attempts/${index}/memory`)];
    }),
  );
}

function savedText(
  saved: readonly { readonly name: string; readonly version: number | null; readonly sha256: string | null }[],
): string {
  const texts = saved.map(({ name, version, sha256 }) => `${name} ${version ?? ''} ${sha256 ?? ''}`.toUpperCase());
  return texts.toSorted().join();
}
