import type { AddFinding } from '../documents/finding';
import { listAt, quoted, type JsonObject } from '../../base/json';
import { cyclesOf } from '../plan/rules/dependencies';
import { documentDependencies, saysDependencies, type DependencyView, type LedgerView } from './ledgerView';

/** Dependencies name tasks of the ledger, form no cycle, and fit the states of their tasks. */
export function judgeDependencies(document: JsonObject, view: LedgerView, report: AddFinding): void {
  for (const edge of view.dependencies) judgeEdge(edge, view, report);
  judgeCycles(view, report);
  judgeAgreement(document, view, report);
}

function judgeEdge({ task_id, on, pointer }: DependencyView, { byTask }: LedgerView, report: AddFinding): void {
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
