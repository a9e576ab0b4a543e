import { judgeDocument, type ShapedDocument } from '../documents/verdict';
import type { AddFinding, Finding } from '../documents/finding';
import { coveredBy, type NormalLock } from '../locks/conflicts';
import { lockPath, type LockSurroundings } from '../locks/lockPath';
import { judgeActiveLocks, judgeScope, surroundingsOf } from '../locks/validateLocks';
import {
  listAt,
  numberAt,
  objectsAt,
  quoted,
  textAt,
  textsAt,
  valueAt,
  type JsonObject,
  objectAt,
} from '../../base/json';
import { listIn } from '../../base/listIn';
import { invalidHeartbeat, judgeHeartbeat } from './heartbeat';
import {
  ledgerView,
  type LedgerView,
  type RowView,
  documentDependencies,
  saysDependencies,
  type DependencyView,
} from './ledgerView';
import { parseMoment } from './time';
import { isOpen, isLegalTransition } from './transitions';
import { ledgerStatuses, type LedgerStatus } from '../../contracts/vocabulary/execution';
import { cyclesOf } from '../plan/rules/dependencies';

/** Judges whether the lists of a ledger agree, with a time their ages too. Source: seed 003 with its gaps closed. */
export function ledgerFindings(document: ShapedDocument): readonly Finding[] {
  return judgeDocument(document, (ledger, report) => reconcile(ledger, report));
}

/** The rules, also for a handoff bundle, which has the same fields. */
export function reconcile(
  document: JsonObject,
  report: AddFinding,
  surroundings: LockSurroundings = surroundingsOf(document),
): void {
  const view = ledgerView(document);
  judgeRows(view, surroundings, report);
  judgeDependencies(document, view, report);
  judgeLocks(document, view, surroundings, report);
  judgeBlockers(document, view, report);
  judgeEvents(document, view, report);
  judgeTimes(document, view, report);
}

function judgeRows({ rows, byTask }: LedgerView, surroundings: LockSurroundings, report: AddFinding): void {
  for (const row of rows) {
    const base = `/ledger/${row.index}`;
    if (byTask.get(row.task_id) !== row)
      report('LEDGER_INCONSISTENT', `${base}/task_id`, `Task ${quoted(row.task_id)} has two rows; keep one.`);
    // The contract writes no owner as an empty text or as "unassigned".
    if (row.status === 'in_progress' && /^(?:\s*|unassigned)$/.test(textAt(row.source, 'owner') ?? ''))
      report('LEDGER_INCONSISTENT', `${base}/owner`, `Task ${quoted(row.task_id)} is in progress and has no owner.`);
    judgeScope({ owner: row.source, key: 'lock_scope', base, taskId: row.task_id }, surroundings, report);
    judgeInterval(row.source, base, report);
  }
}

function judgeLocks(document: JsonObject, view: LedgerView, surroundings: LockSurroundings, report: AddFinding): void {
  const active = judgeActiveLocks({ document, base: '' }, surroundings, report);
  const locksOf = new Map<string, NormalLock[]>();
  for (const lock of active) listIn(locksOf, lock.task_id).push(lock);
  for (const [lock, index] of objectsAt(document, 'active_locks')) {
    const task_id = textAt(lock, 'task_id');
    if (task_id === null) continue;
    const pointer = `/active_locks/${index}/task_id`;
    const row = view.byTask.get(task_id);
    if (row === undefined) {
      report('LEDGER_INCONSISTENT', pointer, `There is no row for task ${quoted(task_id)}, which this lock names.`);
    } else if (valueAt(lock, 'active') === true && row.status !== null && !isOpen(row.status)) {
      report('LEDGER_INCONSISTENT', pointer, `Task ${quoted(task_id)} is ${row.status}; its lock must be released.`);
    } else if (valueAt(lock, 'active') === true && row.status === 'todo') {
      report('LEDGER_INCONSISTENT', pointer, `Task ${quoted(task_id)} has not started and holds a lock.`, 'warning');
    }
  }
  if (listAt(document, 'active_locks') === null) return;
  for (const row of view.rows)
    if (row.status === 'in_progress') judgeHolding(row, locksOf.get(row.task_id) ?? [], surroundings, report);
}

/** A task in progress holds exactly its lock scope. */
function judgeHolding(
  row: RowView,
  ownLocks: readonly NormalLock[],
  surroundings: LockSurroundings,
  report: AddFinding,
): void {
  const base = `/ledger/${row.index}`;
  if (ownLocks.length === 0) {
    const message = `Task ${quoted(row.task_id)} is in progress without an active lock.`;
    report('LEDGER_INCONSISTENT', `${base}/status`, message);
    return;
  }
  const scope = textsAt(row.source, 'lock_scope').flatMap(([resource, index]) => {
    const path = lockPath(resource, surroundings);
    return path.ok ? [{ index, ...path }] : [];
  });
  const heldKeys = new Set(ownLocks.map(({ key }) => key));
  for (const { index, key, path } of scope) {
    if (coveredBy(heldKeys, key)) continue;
    const message = `${quoted(path)} is in the lock scope of task ${quoted(row.task_id)}, which does not hold it.`;
    report('LEDGER_INCONSISTENT', `${base}/lock_scope/${index}`, message);
  }
  const scopeKeys = new Set(scope.map(({ key }) => key));
  for (const lock of ownLocks) {
    if (scope.length === 0 || coveredBy(scopeKeys, lock.key)) continue;
    const message = `${quoted(lock.path)} is not in the lock scope of task ${quoted(row.task_id)}.`;
    report('LEDGER_INCONSISTENT', `/active_locks/${lock.index}/resource`, message);
  }
}

function judgeBlockers(document: JsonObject, { rows, byTask }: LedgerView, report: AddFinding): void {
  const blocked = new Set<string>();
  for (const [blocker, index] of objectsAt(document, 'open_blockers')) {
    const task_id = textAt(blocker, 'task_id');
    if (task_id === null) continue;
    const row = byTask.get(task_id);
    const pointer = `/open_blockers/${index}/task_id`;
    blocked.add(task_id);
    if (row === undefined)
      report('LEDGER_INCONSISTENT', pointer, `There is no row for task ${quoted(task_id)}, which this blocker names.`);
    else if (row.status !== null && !isOpen(row.status))
      report('LEDGER_INCONSISTENT', pointer, `Task ${quoted(task_id)} is ${row.status}; close its blocker.`);
  }
  if (listAt(document, 'open_blockers') === null) return;
  for (const row of rows) {
    if (row.status !== 'blocked' || blocked.has(row.task_id)) continue;
    const message = `Task ${quoted(row.task_id)} is blocked, and no open blocker says why.`;
    report('LEDGER_INCONSISTENT', `/ledger/${row.index}/status`, message);
  }
}

function judgeTimes(document: JsonObject, { rows }: LedgerView, report: AddFinding): void {
  for (const key of ['now', 'generated_at']) judgeTime(document, key, '', report);
  for (const { source, task_id, index, status } of rows) {
    if (status === 'done' && valueAt(source, 'last_heartbeat_at') === null)
      report(
        'LEDGER_INCONSISTENT',
        `/ledger/${index}/last_heartbeat_at`,
        `Task ${quoted(task_id)} is done and has no last heartbeat; only a task that has not started has none.`,
      );
    if (status !== 'in_progress') judgeTime(source, 'last_heartbeat_at', `/ledger/${index}`, report);
  }
  const written = textAt(document, 'now');
  const now = written === null || parseMoment(written) === null ? null : written;
  for (const { source, task_id, status, index } of rows) {
    // Without a time, a row that leaves its heartbeat out is not judged.
    if (status === null || (now === null && valueAt(source, 'last_heartbeat_at') === undefined)) continue;
    const timeout_seconds = numberAt(source, 'timeout_seconds') ?? Number.NaN;
    const last_heartbeat_at = textAt(source, 'last_heartbeat_at');
    const row = { task_id, status, last_heartbeat_at, timeout_seconds };
    const verdict = now === null ? invalidHeartbeat(row) : judgeHeartbeat(row, now);
    if (verdict?.kind === 'timed_out') report(verdict.code, `/ledger/${index}/last_heartbeat_at`, verdict.reason);
    if (verdict?.kind === 'invalid') report(verdict.code, `/ledger/${index}/${verdict.field}`, verdict.reason);
  }
}

/** Reports a text that is no time. @param base pointer of the owner */
export function judgeTime(owner: JsonObject, key: string, base: string, report: AddFinding): void {
  const text = textAt(owner, key);
  if (text !== null && parseMoment(text) === null)
    report('SCHEMA_INVALID', `${base}/${key}`, `${quoted(text)} is no time.`);
}

/** Reports heartbeats of a row or a task that come too late for its timeout. @param base its pointer */
export function judgeInterval(owner: JsonObject, base: string, report: AddFinding): void {
  const timeout = numberAt(owner, 'timeout_seconds');
  const interval = numberAt(owner, 'heartbeat_interval_seconds');
  if (timeout === null || interval === null || interval < timeout) return;
  const message = `The heartbeat interval of ${interval} s must be shorter than the timeout of ${timeout} s.`;
  report('SCHEMA_INVALID', `${base}/heartbeat_interval_seconds`, message);
}

/** The events of a task have to lead to the state of its row: each begins in the state where the one before ended. */
function judgeEvents(document: JsonObject, { byTask }: LedgerView, report: AddFinding): void {
  const last = new Map<string, { readonly to: LedgerStatus; readonly pointer: string }>();
  for (const [event, index] of objectsAt(document, 'events')) {
    const base = `/events/${index}`;
    const task_id = textAt(event, 'task_id');
    judgeTime(event, 'created_at', base, report);
    if (task_id === null) continue;
    if (!byTask.has(task_id)) {
      report('LEDGER_INCONSISTENT', `${base}/task_id`, `There is no row for task ${quoted(task_id)} of this event.`);
      continue;
    }
    if (textAt(event, 'event_type') === 'created') continue;
    const edge = edgeOf(event);
    if (edge === null) {
      // The contract's own reconciler accepts events that name only their task.
      const short = textAt(event, 'created_at') === null && textAt(event, 'actor') === null;
      const message = 'A transition says from_state and to_state; without them it is compared with nothing.';
      report('MISSING_REQUIRED_INPUT', base, message, short ? 'warning' : 'error');
      continue;
    }
    judgeEdge(edge, { taskId: task_id, before: last.get(task_id)?.to ?? null, base }, report);
    last.set(task_id, { to: edge.to, pointer: base });
  }
  for (const [task_id, { to, pointer }] of last) {
    const status = byTask.get(task_id)?.status ?? null;
    if (status === null || status === to) continue;
    const message = `The last event of task ${quoted(task_id)} ends in ${to}, but its row is ${status}.`;
    report('LEDGER_INCONSISTENT', pointer, message);
  }
}

interface Edge {
  readonly from: LedgerStatus;
  readonly to: LedgerStatus;
  readonly reason: string;
  /** It plans the validation of a milestone again; the caller, which knows the plan, asks whether it may. */
  readonly reopens: boolean;
}

function judgeEdge(
  { from, to, reason, reopens }: Edge,
  { taskId, before, base }: { readonly taskId: string; readonly before: LedgerStatus | null; readonly base: string },
  report: AddFinding,
): void {
  if (before !== null && before !== from)
    report('LEDGER_INCONSISTENT', base, `Task ${quoted(taskId)} was ${before} before this event, which says ${from}.`);
  if (from === to && !isOpen(from)) {
    if (reason.trim() === '') report('MISSING_REQUIRED_INPUT', base, 'A replay of a final state names its reason.');
  } else if (!isLegalTransition(from, to) && !(reopens && from === 'done' && to === 'todo')) {
    report('INVALID_TRANSITION', base, `A task cannot go from ${from} to ${to}.`);
  }
}

/** The states of an event, from itself or, as the contract's own store writes them, from its payload. */
function edgeOf(event: JsonObject): Edge | null {
  const payload = objectAt(event, 'payload');
  const state = (key: string): LedgerStatus | undefined => {
    const text = textAt(event, key) ?? textAt(payload, key);
    return ledgerStatuses.find((status) => status === text);
  };
  const from = state('from_state');
  const to = state('to_state');
  if (from === undefined || to === undefined) return null;
  const reason = textAt(event, 'reason') ?? textAt(payload, 'reason') ?? '';
  return { from, to, reason, reopens: payload?.['reopens_milestone'] === true };
}

/** Dependencies name tasks of the ledger, form no cycle, and fit the states of their tasks. */
function judgeDependencies(document: JsonObject, view: LedgerView, report: AddFinding): void {
  for (const edge of view.dependencies) judgeDependency(edge, view, report);
  judgeCycles(view, report);
  judgeAgreement(document, view, report);
}

function judgeDependency({ task_id, on, pointer }: DependencyView, { byTask }: LedgerView, report: AddFinding): void {
  const row = byTask.get(task_id);
  const target = byTask.get(on);
  if (row === undefined) {
    report('LEDGER_INCONSISTENT', pointer, `There is no row for task ${quoted(task_id)}, which depends on something.`);
    return;
  }
  if (task_id === on) {
    report('LEDGER_INCONSISTENT', pointer, `Task ${quoted(task_id)} depends on itself.`);
    return;
  }
  if (target === undefined) {
    const message = `There is no row for task ${quoted(on)}, on which ${quoted(task_id)} depends.`;
    report('LEDGER_INCONSISTENT', pointer, message);
    return;
  }
  if (target.status === 'done') return;
  const state = target.status ?? 'of unknown state';
  if (row.status === 'in_progress' || row.status === 'done') {
    report('DEPENDENCY_NOT_MET', pointer, `Task ${quoted(task_id)} is ${row.status}, but ${quoted(on)} is ${state}.`);
  } else if ((row.status === 'todo' || row.status === 'blocked') && (state === 'failed' || state === 'canceled')) {
    const message = `Task ${quoted(task_id)} waits for ${quoted(on)}, which is ${state} and will never be done.`;
    report('DEPENDENCY_NOT_MET', pointer, message);
  }
}

function judgeCycles({ rows, byTask, dependencies }: LedgerView, report: AddFinding): void {
  const waitsFor = new Map<number, Set<number>>();
  for (const row of byTask.values()) waitsFor.set(row.index, new Set());
  for (const { task_id, on } of dependencies) {
    const target = byTask.get(on);
    if (target !== undefined && task_id !== on) waitsFor.get(byTask.get(task_id)?.index ?? -1)?.add(target.index);
  }
  const names = new Map(rows.map(({ index, task_id }) => [index, task_id]));
  const name = (index: number): string => names.get(index) ?? String(index);
  const edges = new Map(dependencies.map(({ task_id, on, pointer }) => [JSON.stringify([task_id, on]), pointer]));
  for (const cycle of cyclesOf(waitsFor)) {
    const [first = 0, second = 0] = cycle;
    const shown = cycle.length > 8 ? [...cycle.slice(0, 7).map(name), '...'] : cycle.map(name);
    report(
      'LEDGER_INCONSISTENT',
      edges.get(JSON.stringify([name(first), name(second)])) ?? `/ledger/${first}`,
      `Tasks wait for each other (${[...shown, name(first)].join(' needs ')}); remove one of these dependencies.`,
    );
  }
}

/** The document's own list of dependencies has to equal those of the rows that have a list. */
function judgeAgreement(document: JsonObject, { rows, byTask, dependencies }: LedgerView, report: AddFinding): void {
  if (listAt(document, 'dependencies') === null) return;
  const beside = new Set(documentDependencies(document).map(({ task_id, on }) => JSON.stringify([task_id, on])));
  for (const { task_id, on, pointer } of dependencies) {
    const row = byTask.get(task_id);
    if (row === undefined || !saysDependencies(row) || !pointer.startsWith('/ledger/')) continue;
    if (!beside.has(JSON.stringify([task_id, on]))) {
      const message = `${quoted(on)} is a dependency in the row and not in the list of dependencies.`;
      report('LEDGER_INCONSISTENT', pointer, message);
    }
  }
  const inRows = new Set(
    rows.flatMap(({ task_id, source }) =>
      (listAt(source, 'dependencies') ?? []).map((on) => JSON.stringify([task_id, on])),
    ),
  );
  for (const { task_id, on, pointer } of documentDependencies(document)) {
    const row = byTask.get(task_id);
    if (row === undefined || !saysDependencies(row) || inRows.has(JSON.stringify([task_id, on]))) continue;
    report('LEDGER_INCONSISTENT', pointer, `${quoted(on)} is no dependency in the row of task ${quoted(task_id)}.`);
  }
}
