import { ledgerStatuses, type LedgerStatus } from '../../contracts/vocabulary/execution';
import { listAt, objectsAt, textAt, textsAt, type JsonObject } from '../../base/json';

/** The readable part of a row; the schema reports a wrong shape. */
export interface RowView {
  readonly index: number;
  readonly task_id: string;
  /** Null for an unknown status. */
  readonly status: LedgerStatus | null;
  readonly source: JsonObject;
}

export interface DependencyView {
  readonly task_id: string;
  readonly on: string;
  readonly pointer: string;
}

export interface LedgerView {
  readonly rows: readonly RowView[];
  /** The first row of each task. */
  readonly byTask: ReadonlyMap<string, RowView>;
  /** Those of the rows and of the document's own list, each edge once. */
  readonly dependencies: readonly DependencyView[];
}

export function ledgerView(document: JsonObject): LedgerView {
  const rows = objectsAt(document, 'ledger').flatMap(([source, index]): RowView[] => {
    const task_id = textAt(source, 'task_id');
    return task_id === null ? [] : [{ index, task_id, status: statusOf(source), source }];
  });
  const byTask = new Map<string, RowView>();
  for (const row of rows) if (!byTask.has(row.task_id)) byTask.set(row.task_id, row);
  const edges = new Map<string, DependencyView>();
  for (const edge of [...rowDependencies(rows), ...documentDependencies(document)]) {
    const key = JSON.stringify([edge.task_id, edge.on]);
    if (!edges.has(key)) edges.set(key, edge);
  }
  return { rows, byTask, dependencies: [...edges.values()] };
}

function rowDependencies(rows: readonly RowView[]): readonly DependencyView[] {
  return rows.flatMap(({ task_id, index, source }) =>
    textsAt(source, 'dependencies').map(([on, at]) => ({
      task_id,
      on,
      pointer: `/ledger/${index}/dependencies/${at}`,
    })),
  );
}

export function documentDependencies(document: JsonObject): readonly DependencyView[] {
  return objectsAt(document, 'dependencies').flatMap(([edge, index]) => {
    const task_id = textAt(edge, 'task_id');
    const on = textAt(edge, 'depends_on_task_id');
    return task_id === null || on === null ? [] : [{ task_id, on, pointer: `/dependencies/${index}` }];
  });
}

export function saysDependencies({ source }: RowView): boolean {
  return listAt(source, 'dependencies') !== null;
}

function statusOf(row: JsonObject): LedgerStatus | null {
  const status = textAt(row, 'status');
  return ledgerStatuses.find((known) => known === status) ?? null;
}
