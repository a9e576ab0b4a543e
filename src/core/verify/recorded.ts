import { isObject, quoted } from '../../base/json';
import type { ExecutionHeader } from '../../contracts/record/header';
import type { AttemptEvidence, TaskEvidence, Undone } from '../../contracts/taskEvidence';
import type { EventOf, MissionEvent } from '../model/events';
import type { SavedMemory } from '../model/facts';
import type { JournalFacts } from './facts';

type Entries = JournalFacts['entries'];
type Facts<D> = { readonly [M in keyof D]?: Partial<D[M]> | null };

/** By their names in the contract, so `evidence verify` compares them. Null: journal and file have nothing of it. */
export interface RecordedFacts {
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
export function decisionsIn(value: unknown): ReadonlyMap<string, string> {
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
