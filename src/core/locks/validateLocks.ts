import { judgeDocument } from '../documents/judgeDocument';
import type { AddFinding } from '../documents/addFinding';
import { verdictOf, type ShapedDocument, type Verdict } from '../documents/verdict';
import type { Finding } from '../documents/finding';
import { objectAt, objectsAt, quoted, textAt, textsAt, valueAt, type JsonObject } from '../../base/json';
import { conflictsAmong, lockIndex, type NormalLock } from './conflicts';
import { lockPath, lockPathProblems, lockSurroundings, type LockSurroundings } from './lockPath';

/** Whether locks can stand side by side, and whether what is requested can be added. Document: `mission check locks`. */
export function validateLocks(document: ShapedDocument, surroundings?: LockSurroundings): Verdict {
  return verdictOf(document.value, lockFindings(document, surroundings));
}

export function lockFindings(document: ShapedDocument, surroundings?: LockSurroundings): readonly Finding[] {
  return judgeDocument(document, (value, report) => {
    const around = surroundings ?? surroundingsOf(value);
    if (value['active_locks'] === undefined && value['locks'] === undefined)
      report('MISSING_REQUIRED_INPUT', '', 'The document lacks "active_locks"; add it, empty when no lock is held.');
    const active = judgeActiveLocks(value, '', around, report, ['active_locks', 'locks']);
    const requested = objectAt(value, 'requested');
    if (requested === null) return;
    const holder = textAt(requested, 'task_id');
    const scope = judgeScope(requested, 'resources', '/requested', holder ?? '', around, report);
    judgeRequest(scope, active, '/requested/resources', report);
  });
}

/** Facts about the file system that the document itself carries. */
export function surroundingsOf(document: JsonObject): LockSurroundings {
  const links = Object.entries(objectAt(document, 'x_links') ?? {}).filter(
    (entry): entry is [string, string | null] => typeof entry[1] === 'string' || entry[1] === null,
  );
  return lockSurroundings(
    { case_insensitive: valueAt(document, 'x_case_insensitive') === true },
    Object.fromEntries(links),
  );
}

/**
 * The active locks of a document in normal form; says which are malformed and which overlap. `lists`: where they stand;
 * the contract's own tools call them `locks`.
 */
export function judgeActiveLocks(
  document: JsonObject,
  base: string,
  surroundings: LockSurroundings,
  report: AddFinding,
  lists: readonly string[] = ['active_locks'],
): readonly NormalLock[] {
  const active: NormalLock[] = [];
  const places: string[] = [];
  for (const list of lists) {
    for (const [lock, at] of objectsAt(document, list)) {
      const index = places.push(`${base}/${list}/${at}/resource`) - 1;
      const resource = textAt(lock, 'resource');
      if (valueAt(lock, 'active') !== true || resource === null) continue;
      const path = judgePath(resource, places[index] ?? base, surroundings, report);
      if (path !== null) active.push({ index, task_id: textAt(lock, 'task_id') ?? '', ...path });
    }
  }
  for (const { first, second } of conflictsAmong(active)) {
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

/** A list of resources that one task wants, in normal form; says which are malformed and which overlap. */
export function judgeScope(
  owner: JsonObject,
  key: string,
  base: string,
  taskId: string,
  surroundings: LockSurroundings,
  report: AddFinding,
): readonly NormalLock[] {
  const scope: NormalLock[] = [];
  for (const [resource, index] of textsAt(owner, key)) {
    const path = judgePath(resource, `${base}/${key}/${index}`, surroundings, report);
    if (path !== null) scope.push({ index, task_id: taskId, ...path });
  }
  for (const { first, second } of conflictsAmong(scope)) {
    report(
      'LOCK_CONFLICT',
      `${base}/${key}/${second.index}`,
      `${quoted(second.path)} overlaps ${quoted(first.path)} of the same list; name what covers both once.`,
    );
  }
  return scope;
}

/** Says which wanted resources overlap locks of other tasks; a task's own locks do not stand in its way. */
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
    report(
      'LOCK_CONFLICT',
      `${pointer}/${lock.index}`,
      `${quoted(lock.path)} overlaps ${quoted(other.path)}, which task ${quoted(other.task_id)} holds.`,
    );
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
  report(
    path.problem === 'empty' ? 'MISSING_REQUIRED_INPUT' : 'SCHEMA_INVALID',
    pointer,
    `The path ${quoted(resource)} ${lockPathProblems[path.problem]}.`,
  );
  return null;
}
