import { judgeDocument, type ShapedDocument } from '../documents/verdict';
import type { AddFinding, Finding } from '../documents/finding';
import { objectAt, objectsAt, quoted, textAt, textsAt, valueAt, type JsonObject } from '../../base/json';
import { conflictsAmong, lockIndex, type NormalLock } from './conflicts';
import { lockPath, lockPathProblems, lockSurroundings, type LockSurroundings } from './lockPath';

/** For `mission check locks`: whether locks are compatible, and whether the requested ones can be added. */
export function lockFindings(document: ShapedDocument, surroundings?: LockSurroundings): readonly Finding[] {
  return judgeDocument(document, (value, report) => {
    const around = surroundings ?? surroundingsOf(value);
    if (value['active_locks'] === undefined && value['locks'] === undefined)
      report('MISSING_REQUIRED_INPUT', '', 'The document lacks "active_locks"; add it, empty when no lock is held.');
    const active = judgeActiveLocks({ document: value, base: '', lists: ['active_locks', 'locks'] }, around, report);
    const requested = objectAt(value, 'requested');
    if (requested === null) return;
    const taskId = textAt(requested, 'task_id') ?? '';
    const scope = judgeScope({ owner: requested, key: 'resources', base: '/requested', taskId }, around, report);
    judgeRequest(scope, active, '/requested/resources', report);
  });
}

export function surroundingsOf(document: JsonObject): LockSurroundings {
  const links = Object.entries(objectAt(document, 'x_links') ?? {}).filter(
    (entry): entry is [string, string | null] => typeof entry[1] === 'string' || entry[1] === null,
  );
  return lockSurroundings(
    { case_insensitive: valueAt(document, 'x_case_insensitive') === true },
    Object.fromEntries(links),
  );
}

/** Where a document has its active locks: below the pointer `base`, in the named lists. */
interface LockLists {
  readonly document: JsonObject;
  readonly base: string;
  /** The contract's own tools call the list `locks`. */
  readonly lists?: readonly string[];
}

/** The active locks of a document in normal form; reports which are malformed and which overlap. */
export function judgeActiveLocks(
  { document, base, lists = ['active_locks'] }: LockLists,
  surroundings: LockSurroundings,
  report: AddFinding,
): readonly NormalLock[] {
  const active: NormalLock[] = [];
  const places: string[] = [];
  for (const list of lists) {
    for (const [lock, at] of objectsAt(document, list)) {
      const index = places.push(`${base}/${list}/${at}/resource`) - 1;
      const resource = textAt(lock, 'resource');
      if (valueAt(lock, 'active') !== true || resource === null) continue;
      const path = judgePath(resource, places[index] ?? base, surroundings, report);
      const layered = valueAt(lock, 'x_layered') === true && { layered: true as const };
      if (path !== null) active.push({ index, task_id: textAt(lock, 'task_id') ?? '', ...path, ...layered });
    }
  }
  for (const { first, second } of conflictsAmong(active)) {
    if (first.layered && second.layered && first.task_id !== second.task_id) continue;
    report(
      'LOCK_CONFLICT',
      places[second.index] ?? base,
      second.task_id === first.task_id
        ? `Task ${quoted(second.task_id)} holds ${quoted(second.path)} and ${quoted(first.path)}; one lock covers both.`
        : `${quoted(second.path)} of task ${quoted(second.task_id)} overlaps ${quoted(first.path)}, which task ${quoted(first.task_id)} holds.`,
    );
  }
  return active;
}

/** The list `owner[key]` of resources of a task; `base` is the pointer of `owner`. */
interface ScopeList {
  readonly owner: JsonObject;
  readonly key: string;
  readonly base: string;
  readonly taskId: string;
}

/** A task's resources in normal form; reports which are malformed and which overlap. */
export function judgeScope(
  { owner, key, base, taskId }: ScopeList,
  surroundings: LockSurroundings,
  report: AddFinding,
): readonly NormalLock[] {
  const scope: NormalLock[] = [];
  for (const [resource, index] of textsAt(owner, key)) {
    const path = judgePath(resource, `${base}/${key}/${index}`, surroundings, report);
    if (path !== null) scope.push({ index, task_id: taskId, ...path });
  }
  for (const { first, second } of conflictsAmong(scope)) {
    const message = `${quoted(second.path)} overlaps ${quoted(first.path)} of the same list; name what covers both once.`;
    report('LOCK_CONFLICT', `${base}/${key}/${second.index}`, message);
  }
  return scope;
}

export function judgeRequest(
  wanted: readonly NormalLock[],
  active: readonly NormalLock[],
  pointer: string,
  report: AddFinding,
): void {
  const inTheWay = lockIndex(active);
  for (const lock of wanted) {
    const other = inTheWay(lock);
    if (other === null) continue;
    const message = `${quoted(lock.path)} overlaps ${quoted(other.path)}, which task ${quoted(other.task_id)} holds.`;
    report('LOCK_CONFLICT', `${pointer}/${lock.index}`, message);
  }
}

function judgePath(
  resource: string,
  pointer: string,
  surroundings: LockSurroundings,
  report: AddFinding,
): { readonly path: string; readonly key: string } | null {
  const path = lockPath(resource, surroundings);
  if (path.ok) return path;
  const message = `The path ${quoted(resource)} ${lockPathProblems[path.problem]}.`;
  report(path.problem === 'empty' ? 'MISSING_REQUIRED_INPUT' : 'SCHEMA_INVALID', pointer, message);
  return null;
}
