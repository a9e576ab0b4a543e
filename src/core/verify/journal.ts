import { evidenceNames, taskFile } from '../../contracts/vocabulary/files/evidenceFiles';
import { auditLogOf } from '../audit/log';
import { verifyAudit } from '../audit/verify';
import type { MissionEvent, EventOf } from '../model/events';
import { isTerminal } from './consistency';
import { collected, otherDigest, type EvidenceFacts, type JournalFacts } from './facts';
import { evidenceFinding, sameDigest, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import { isObject, quoted } from '../../base/json';
import type { ExecutionHeader } from '../../contracts/record/header';
import type { AttemptEvidence, TaskEvidence, Undone } from '../../contracts/taskEvidence';
import type { SavedMemory } from '../model/facts';

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

type Entries = JournalFacts['entries'];
type Facts<D> = { readonly [M in keyof D]?: Partial<D[M]> | null };

/** By their names in the contract, so `evidence verify` compares them. Null: journal and file have nothing of it. */
interface RecordedFacts {
  readonly header: Facts<ExecutionHeader>;
  readonly task: (taskId: string) => Facts<TaskEvidence>;
  /** Its seal alone, where the journal does not say how it began. */
  readonly attempt: (taskId: string, attempt: number) => Facts<AttemptEvidence>;
  /** What was remembered of an attempt; null: the journal does not say how it began. */
  readonly saved: (taskId: string, attempt: number) => readonly SavedMemory[] | null;
}

export function recordedFacts(entries: Entries): RecordedFacts | null {
  const received = entries.map(({ event }) => event).find((event) => event.type === 'MissionReceived');
  return received ? { header: headerFacts(received, entries), ...taskFacts(entries) } : null;
}

function headerFacts(received: EventOf<'MissionReceived'>, entries: Entries): RecordedFacts['header'] {
  const { mission_id, plan_sha256, plan_canonical_sha256, approval_source, approved_here, orchestrator } = received;
  const found = <T extends MissionEvent['type']>(type: T): EventOf<T> | undefined =>
    entries.map(({ event }) => event).find((event): event is never => event.type === type);
  const failed = found('MissionFailed');
  return {
    mission_id,
    plan_sha256: found('PlanLocked')?.plan_sha256 === plan_sha256 ? plan_sha256 : null,
    plan_canonical_sha256,
    approval_source,
    policy_sha256: received.policy.sha256,
    approved_here: approved_here ? { by: approved_here.by, at: approved_here.at } : null,
    outcome: found('MissionCompleted') ? 'COMPLETED' : failed ? 'FAILED' : null,
    cancelled: failed?.cancelled ?? false,
    orchestrator: orchestrator ? { worker: orchestrator.worker, sessions: sessionsIn(entries) } : null,
  };
}

type Session = NonNullable<ExecutionHeader['orchestrator']>['sessions'][number];

function sessionsIn(entries: Entries): readonly Session[] {
  const asked = new Map<string, { readonly packet_id: string; readonly task_id: string }>();
  const chose = new Map<string, Session['chose']>();
  return entries.flatMap(({ event }): readonly Session[] => {
    if (event.type === 'OrchestratorDispatched') asked.set(event.launch_id, event);
    if (event.type === 'OrchestratorAsked' && event.choice && !chose.has(event.launch_id))
      chose.set(event.launch_id, event.choice.outcome);
    if (event.type !== 'OrchestratorEnded' && event.type !== 'OrchestratorUnavailable') return [];
    const { launch_id } = event;
    const { packet_id, task_id } = asked.get(launch_id) ?? { packet_id: '', task_id: '' };
    const of = { launch_id, packet_id, task_id, chose: chose.get(launch_id) ?? null };
    if (event.type === 'OrchestratorUnavailable')
      return [{ ...of, model: null, result: 'unavailable', code: event.code, reason: event.reason }];
    const { result, end } = event;
    const why = result.kind === 'applied' ? { code: null, reason: null } : { code: result.code, reason: result.reason };
    return [{ ...of, model: end.model ?? null, result: result.kind, ...why }];
  });
}

function taskFacts(entries: Entries): Omit<RecordedFacts, 'header'> {
  const tasks = new Map<string, Facts<TaskEvidence>>();
  const attempts = new Map<string, Facts<AttemptEvidence>>();
  const saved = new Map<string, readonly SavedMemory[]>();
  const last = new Map<string, string>();
  const asked = new Map<string, Partial<Undone>>();
  const undone = new Map<string, readonly object[]>();
  const ofTask = (id: string, facts: Facts<TaskEvidence>): void => void tasks.set(id, { ...tasks.get(id), ...facts });
  /** An event that names no attempt is about the one that is under way. */
  const of = (event: { readonly task_id: string; readonly attempt?: number }, facts: Facts<AttemptEvidence>): void => {
    const unit = event.attempt === undefined ? last.get(event.task_id) : unitOf(event.task_id, event.attempt);
    if (unit !== undefined && attempts.has(unit)) attempts.set(unit, { ...attempts.get(unit), ...facts });
  };
  for (const { event, actor, at } of entries) {
    if (event.type === 'HandoffImported')
      for (const { task_id, evidence } of event.rows) {
        const { skipped = null, carried_from = null, undone: back = null } = evidence;
        if (back) undone.set(task_id, back);
        ofTask(task_id, { skipped, carried_from, undone: back });
        for (const attempt of evidence.attempts ?? []) attempts.set(unitOf(task_id, attempt.attempt), attempt);
      }
    if (event.type === 'TasksSkipped' && actor.kind === 'human')
      for (const id of event.task_ids) ofTask(id, { skipped: { decision: event.decision, chosen: event.task_id } });
    if (event.type === 'UndoRequested') asked.set(event.task_id, event);
    if (event.type === 'UndoEnded') {
      const { task_id, paths, left } = event;
      const { attempt, redo, before_attempt, decision } = asked.get(task_id) ?? {};
      const now = [...(undone.get(task_id) ?? []), { attempt, redo, before_attempt, paths, left, decision }];
      undone.set(task_id, now);
      ofTask(task_id, { undone: now as readonly Undone[] });
    }
    if (event.type === 'TasksCarried')
      for (const { task_id, from } of event.tasks) ofTask(task_id, { carried_from: from });
    if (event.type === 'AttemptStarted') {
      const unit = unitOf(event.task_id, event.attempt);
      last.set(event.task_id, unit);
      saved.set(unit, []);
      // What is validated again worked with the context of its first attempt.
      const { context = null } = attempts.get(unitOf(event.task_id, event.validates ?? 0)) ?? {};
      // Its reason may be shorter in the file, which has no secret.
      const by = event.decided_by && { actor: event.decided_by.actor, at: event.decided_by.at };
      attempts.set(unit, {
        ...{ started_at: at, decided_by: by, because: event.because ?? null, context, memory: { decision: null } },
        ...{ model_selection: null, observed_sha256: null, verify_changes: null, seal: null },
      });
    }
    if (event.type === 'PhaseCompleted') {
      const { context, selected, seal, closing } = event;
      if (context) of(event, { context });
      if (selected) of(event, { model_selection: selected });
      if (seal) of(event, { seal: { records: seal.records_sha256.length, sha256: seal.sha256 } });
      const sealed = attempts.get(unitOf(event.task_id, event.attempt))?.seal;
      if (closing && sealed) of(event, { seal: { ...sealed, closing_sha256: closing.sha256 } });
    }
    if (event.type === 'ChangesObserved') of(event, { observed_sha256: event.observed.observed_sha256 });
    if (event.type === 'VerifyObserved') of(event, { verify_changes: { observed_sha256: event.observed_sha256 } });
    if (event.type === 'MemorySaved') saved.set(unitOf(event.task_id, event.attempt), event.saved);
    if (event.type === 'MemoryDecided') of(event, { memory: { decision: event.decision } });
    if (event.type === 'AttemptEnded') of(event, { ended_at: at, outcome: event.outcome });
  }
  return {
    task: (taskId) => ({ skipped: null, carried_from: null, undone: null, ...tasks.get(taskId) }),
    attempt: (taskId, attempt) => attempts.get(unitOf(taskId, attempt)) ?? { seal: null },
    saved: (taskId, attempt) => saved.get(unitOf(taskId, attempt)) ?? null,
  };
}

function unitOf(taskId: string, attempt: number): string {
  return `${taskId}#${attempt}`;
}

/** Finds where a file says another thing than the journal, member by member; what the journal leaves out does not count. */
export function differences(
  file: unknown,
  journal: unknown,
  pointer: string,
): readonly (readonly [pointer: string, message: string])[] {
  if (isObject(journal) && (isObject(file) || file === undefined))
    return Object.entries(journal).flatMap(([name, one]) => differences(file?.[name], one, `${pointer}/${name}`));
  if (Array.isArray(file) && Array.isArray(journal) && file.length === journal.length)
    return journal.flatMap((one, index) => differences(file[index], one, `${pointer}/${index}`));
  return plain(file) === plain(journal)
    ? []
    : [[pointer, `The file says ${shown(file)}; the journal says ${shown(journal)}.`]];
}

/** Digests are written in either case. */
function plain(value: unknown): unknown {
  return typeof value === 'string' ? value.toUpperCase() : (value ?? null);
}

function shown(value: unknown): string {
  return value === null || value === undefined ? 'nothing' : quoted(value);
}

/** The decisions anywhere in a value with their places, each by who made it and when. A file may be as deep as it likes. */
function decisionsIn(value: unknown): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const open: (readonly [value: unknown, pointer: string])[] = [[value, '']];
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, pointer] = next;
    const { actor, reason, at } = isObject(one) ? one : {};
    if (isObject(actor) && typeof reason === 'string')
      found.set([actor['kind'], actor['name'], at].map(String).join(' '), pointer);
    if (typeof one === 'object' && one !== null)
      for (const [name, inner] of Object.entries(one)) open.push([inner, `${pointer}/${name}`]);
  }
  return found;
}
