import type { Skipped } from '../../contracts/taskEvidence';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import { evidenceDir } from '../evidence/places';
import type { MissionEvent } from '../model/events';
import type { SavedMemory } from '../model/facts';
import { isTerminal } from './consistency';
import type { EvidenceFacts, JournalFacts } from './facts';
import { checkOrchestrator } from './orchestrator';
import { checkSeals } from './seals';
import {
  evidenceFinding,
  withForm,
  sameDigest,
  type EvidenceFinding,
} from '../../contracts/vocabulary/codes/evidenceFindings';

/** Compares the files with the journal, which shows that files were rewritten together with their digests. */
export function checkJournal(documents: EvidenceFacts, journal: JournalFacts): EvidenceFinding[] {
  const { header } = documents;
  const findings: EvidenceFinding[] = [];
  const disagree = (message: string, pointer: string, file: string = evidenceNames.header): void => {
    findings.push(evidenceFinding('JOURNAL_DISAGREES', file, message, pointer));
  };
  if (!journal.chain.valid) {
    findings.push(
      evidenceFinding(
        'JOURNAL_CHAIN_BROKEN',
        '',
        `The journal's hash chain breaks at event ${String(journal.chain.first_bad)}.`,
      ),
    );
  }
  const events = journal.entries.map((entry) => entry.event);
  const received = events.find((event) => event.type === 'MissionReceived');
  if (received === undefined) disagree('The header names a mission that the journal does not have.', '/mission_id');
  else {
    if (received.mission_id !== header.mission_id)
      disagree(`The header names another mission than the journal, which has ${received.mission_id}.`, '/mission_id');
    if (!sameDigest(received.plan_sha256, header.plan_sha256))
      disagree(
        `The header has another plan hash than the journal, which received ${received.plan_sha256}.`,
        '/plan_sha256',
      );
    const { plan_canonical_sha256: content } = header;
    if (content && !sameDigest(received.plan_canonical_sha256, content))
      disagree('The header has another digest of the plan’s content than the journal.', '/plan_canonical_sha256');
    if (header.approval_source !== received.approval_source)
      disagree(
        `The header says that the approval came from ${sourceOf(header)}; the journal says from ${sourceOf(received)}.`,
        '/approval_source',
      );
    if (received.policy.sha256 !== header.policy_sha256)
      disagree(
        `The header names another model policy than the journal, which has ${received.policy.sha256}.`,
        '/policy_sha256',
      );
    const [recorded, claimed] = [received.approved_here, header.approved_here ?? null];
    if (recorded?.by !== claimed?.by || recorded?.at !== claimed?.at)
      disagree(
        `The header says that ${approverOf(claimed)} approved the plan here; the journal says ${approverOf(recorded)}.`,
        '/approved_here',
      );
  }
  const locked = events.find((event) => event.type === 'PlanLocked');
  if (locked === undefined || !sameDigest(locked.plan_sha256, header.plan_sha256))
    disagree('The header has another plan hash than the journal, which locked it.', '/plan_sha256');
  if (header.journal !== undefined && header.journal !== null) {
    const { events: count, last_hash } = header.journal;
    const entry = journal.entries[count - 1];
    if (entry === undefined)
      disagree(
        `The header was written after ${String(count)} events of the journal, which has ${String(journal.entries.length)} now.`,
        '/journal',
      );
    else if (!sameDigest(entry.hash, last_hash))
      disagree(`The header has another hash of event ${String(count)} than the journal.`, '/journal');
  } else disagree('The header names no event of the journal after which it was written.', '/journal');
  findings.push(
    ...checkTaskEvents(documents, events),
    ...checkContexts(documents, events),
    ...checkMemory(documents, events),
    ...checkSkips(documents, journal.entries),
    ...checkSeals(documents, journal),
    ...checkEnding(documents, events),
    ...checkOrchestrator(documents, events),
  );
  return findings;
}

function approverOf(approval: { readonly by: string } | null): string {
  return approval?.by ?? 'no person';
}

function checkTaskEvents(
  { header, tasks, hintFor }: EvidenceFacts,
  events: readonly MissionEvent[],
): EvidenceFinding[] {
  const findings: EvidenceFinding[] = [];
  const disagree = (file: string, message: string, hint: string | null = null): void => {
    findings.push(withForm(evidenceFinding('JOURNAL_DISAGREES', file, message), hint, evidenceDir(header.plan_id)));
  };
  const written = new Map(
    events.filter((event) => event.type === 'TaskEvidenceWritten').map((event) => [event.task_id, event]),
  );
  const reopened = reopenedIn(events);
  for (const [taskId, event] of written) {
    if (reopened.has(taskId)) continue;
    const file = `TASK_${taskId}.json`;
    const found = tasks.get(taskId);
    if (found === undefined) disagree(file, 'The file is gone, and the journal says that the runner wrote it.');
    else if (!sameDigest(found.sha256, event.sha256))
      disagree(file, 'The file has another digest than the journal recorded.', hintFor(file, event.sha256));
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
      disagree(`TASK_${taskId}.json`, 'The journal does not say that the runner wrote this file.');
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

/** Checks that each attempt worked with the context that phase 2 froze for it. */
function checkContexts({ tasks }: EvidenceFacts, events: readonly MissionEvent[]): EvidenceFinding[] {
  const frozen = new Map<string, string>();
  const received = new Set<string>();
  for (const event of events) {
    if (event.type === 'AttemptStarted') {
      const unit = `${event.task_id}#${event.attempt}`;
      received.add(unit);
      // What is validated again worked with the context of its first attempt.
      const validated = frozen.get(`${event.task_id}#${event.validates ?? 0}`);
      if (validated !== undefined) frozen.set(unit, validated);
    }
    if (event.type === 'PhaseCompleted' && event.context)
      frozen.set(`${event.task_id}#${event.attempt}`, event.context.snapshot_sha256);
  }
  return [...tasks].flatMap(([taskId, { evidence }]) =>
    (evidence?.attempts ?? []).flatMap(({ attempt, context }, index) => {
      const unit = `${taskId}#${attempt}`;
      // Attempts that a handoff brought are journalled in the clone that they come from.
      if (
        !received.has(unit) ||
        (!context && !frozen.has(unit)) ||
        (context && sameDigest(frozen.get(unit) ?? '', context.snapshot_sha256))
      )
        return [];
      return [
        evidenceFinding(
          'JOURNAL_DISAGREES',
          `TASK_${taskId}.json`,
          `The file has another context of attempt ${attempt} than the journal recorded.`,
          `/attempts/${index}/context`,
        ),
      ];
    }),
  );
}

/** Checks that the journal has the decision of a person for each skipped task, here or before a handoff. */
function checkSkips({ header, tasks }: EvidenceFacts, entries: JournalFacts['entries']): EvidenceFinding[] {
  const decided = new Map<string, string>();
  for (const { actor, event } of entries) {
    if (event.type === 'TasksSkipped' && actor.kind === 'human')
      for (const id of event.task_ids) decided.set(id, skipKey({ decision: event.decision, chosen: event.task_id }));
    if (event.type === 'HandoffImported')
      for (const { task_id, skipped } of event.rows) if (skipped) decided.set(task_id, skipKey(skipped));
  }
  return [...tasks].flatMap(([taskId, { evidence }]) => {
    const by = evidence?.skipped;
    const claimed = by && skipKey(by);
    const needed = by !== undefined || (header.outcome === 'COMPLETED' && evidence?.status === 'SKIPPED');
    if (!needed || (claimed !== undefined && decided.get(taskId) === claimed)) return [];
    return [
      evidenceFinding(
        'JOURNAL_DISAGREES',
        `TASK_${taskId}.json`,
        'The journal has no person who decided this skip as the file says.',
        '/skipped',
      ),
    ];
  });
}

function skipKey({ decision: { actor, reason, at }, chosen }: Skipped): string {
  return JSON.stringify([actor.kind, actor.name, reason, at, chosen]);
}

function checkEnding(
  { header, header_sha256, summary_sha256, hintFor }: EvidenceFacts,
  events: readonly MissionEvent[],
): EvidenceFinding[] {
  const findings: EvidenceFinding[] = [];
  const disagree = (
    message: string,
    pointer: string,
    file: string = evidenceNames.header,
    digest: string | null = null,
  ): void => {
    const hint = digest === null ? null : hintFor(file, digest);
    findings.push(
      withForm(evidenceFinding('JOURNAL_DISAGREES', file, message, pointer), hint, evidenceDir(header.plan_id)),
    );
  };
  const failed = events.find((event) => event.type === 'MissionFailed');
  const outcome = events.some((event) => event.type === 'MissionCompleted')
    ? 'COMPLETED'
    : failed === undefined
      ? null
      : 'FAILED';
  if (outcome !== (header.outcome ?? null))
    disagree(
      `The header has the outcome ${header.outcome ?? 'none yet'}; the journal has ${outcome ?? 'none yet'}.`,
      '/outcome',
    );
  if (failed !== undefined && failed.cancelled !== (header.cancelled ?? false))
    disagree(
      `${failed.cancelled ? 'The journal' : 'The header'} says that a person canceled the mission, and ${failed.cancelled ? 'the header' : 'the journal'} does not.`,
      '/cancelled',
    );
  const reported = events.findLast((event) => event.type === 'MissionReported');
  if (reported !== undefined) {
    if (!sameDigest(reported.header_sha256, header_sha256))
      disagree(
        'The header has another digest than the journal recorded.',
        '',
        evidenceNames.header,
        reported.header_sha256,
      );
    if (summary_sha256 !== null && !sameDigest(reported.summary_sha256, summary_sha256))
      disagree(
        'The summary has another digest than the journal recorded.',
        '',
        evidenceNames.summary,
        reported.summary_sha256,
      );
  }
  return findings;
}

function sourceOf({ approval_source: source }: { readonly approval_source?: string | null | undefined }): string {
  return source === undefined || source === null ? 'an unknown source' : `the ${source}`;
}

/**
 * Checks each attempt's evidence: it names exactly what the journal says was saved, and who decided
 * it.
 */
function checkMemory({ tasks }: EvidenceFacts, events: readonly MissionEvent[]): EvidenceFinding[] {
  const saved = new Map<string, readonly SavedMemory[]>();
  const deciders = new Map<string, string>();
  const here = new Set<string>();
  for (const event of events) {
    if (event.type === 'AttemptStarted') here.add(`${event.task_id}#${event.attempt}`);
    if (event.type === 'MemorySaved') saved.set(`${event.task_id}#${event.attempt}`, event.saved);
    if (event.type === 'MemoryDecided') deciders.set(`${event.task_id}#${event.attempt}`, event.decision.actor.name);
  }
  return [...tasks].flatMap(([taskId, { evidence }]) =>
    (evidence?.attempts ?? []).flatMap(({ attempt, memory }, index) => {
      const unit = `${taskId}#${attempt}`;
      const listed = (memory?.entries ?? []).flatMap(({ name, outcome, version, sha256 }) =>
        outcome === 'saved' ? [`${name} ${version ?? ''} ${sha256 ?? ''}`.toUpperCase()] : [],
      );
      const known = (saved.get(unit) ?? []).map(({ name, version, sha256 }) =>
        `${name} ${version} ${sha256}`.toUpperCase(),
      );
      const same = listed.toSorted().join() === known.toSorted().join();
      // Attempts that a handoff brought are journalled in the clone that they come from.
      if (!here.has(unit) || (same && memory?.decision?.actor.name === deciders.get(unit))) return [];
      const message = `The file and the journal differ in what attempt ${attempt} remembered, or in who decided it.`;
      return [evidenceFinding('JOURNAL_DISAGREES', `TASK_${taskId}.json`, message, `/attempts/${index}/memory`)];
    }),
  );
}
