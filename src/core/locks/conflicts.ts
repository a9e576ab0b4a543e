import { lockPath, plainSurroundings, type LockSurroundings } from './lockPath';

/** A lock in normal form. `index`: its place in its list. */
export interface NormalLock {
  readonly index: number;
  readonly task_id: string;
  readonly path: string;
  readonly key: string;
  /** What its task writes there waits in a layer and is merged, so two such locks are in no conflict. */
  readonly layered?: true;
}

/** Two locks of which one is or contains the other, in the order of their list. */
export interface LockConflict {
  readonly first: NormalLock;
  readonly second: NormalLock;
}

/** Returns whether two resources cannot be locked by two tasks at once; false for an invalid path. Symmetric. */
export function lockConflict(left: string, right: string, surroundings: LockSurroundings = plainSurroundings): boolean {
  const [a, b] = [lockPath(left, surroundings), lockPath(right, surroundings)];
  return a.ok && b.ok && (holds(a.key, b.key) || holds(b.key, a.key));
}

function holds(outer: string, inner: string): boolean {
  return outer === '.' || inner === outer || inner.startsWith(`${outer}/`);
}

/** Conflicts among locks, each with one lock of each nearest folder, so that equal locks give no square of them. */
export function conflictsAmong(locks: readonly NormalLock[]): readonly LockConflict[] {
  const sorted = locks.map((lock) => ({ lock, sort: sortKey(lock.key) })).sort(byKeyThenPlace);
  const conflicts: LockConflict[] = [];
  /** Locks that contain the current one, outermost first; of equal keys the first of at most two tasks. */
  const open: NormalLock[][] = [];
  for (const { lock } of sorted) {
    while (open.length > 0 && !holds(open.at(-1)?.[0]?.key ?? '', lock.key)) open.pop();
    for (const group of open.slice(-namedHolders)) {
      const other = group.find(({ task_id }) => task_id !== lock.task_id) ?? group[0];
      if (other !== undefined) conflicts.push(inOrder(other, lock));
    }
    const top = open.at(-1);
    if (top?.[0]?.key !== lock.key) open.push([lock]);
    else if (top.length < 2 && top.every(({ task_id }) => task_id !== lock.task_id)) top.push(lock);
  }
  return conflicts.sort((a, b) => a.second.index - b.second.index || a.first.index - b.first.index);
}

/** Returns a function that finds a lock of another task that overlaps a wanted one; null: none. */
export function lockIndex(locks: readonly NormalLock[]): (wanted: NormalLock) => NormalLock | null {
  const byKey = new Map<string, NormalLock[]>();
  for (const lock of locks) {
    const same = byKey.get(lock.key);
    if (same === undefined) byKey.set(lock.key, [lock]);
    else if (same.length < 2 && same.every(({ task_id }) => task_id !== lock.task_id)) same.push(lock);
  }
  const sorted = [...byKey]
    .map(([key, same]) => ({ sort: sortKey(key), same }))
    .sort((a, b) => (a.sort < b.sort ? -1 : 1));
  const foreign = (same: readonly NormalLock[] | undefined, taskId: string): NormalLock | null =>
    same?.find(({ task_id }) => task_id !== taskId) ?? null;
  return ({ key, task_id }) => {
    for (const outer of foldersOf(key)) {
      const other = foreign(byKey.get(outer), task_id);
      if (other !== null) return other;
    }
    const prefix = key === '.' ? '' : `${sortKey(key)}\u0000`;
    let low = 0;
    for (let high = sorted.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.sort ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    for (let at = low; sorted[at]?.sort.startsWith(prefix) === true; at += 1) {
      const other = foreign(sorted[at]?.same, task_id);
      if (other !== null) return other;
    }
    return null;
  };
}

export function coveredBy(keys: ReadonlySet<string>, key: string): boolean {
  return foldersOf(key).some((folder) => keys.has(folder));
}

function foldersOf(key: string): readonly string[] {
  const folders = ['.'];
  for (let end = key.indexOf('/'); end !== -1; end = key.indexOf('/', end + 1)) folders.push(key.slice(0, end));
  folders.push(key);
  return folders;
}

/** The paths without those that another of them covers. */
export function minimalScope(
  resources: readonly string[],
  surroundings: LockSurroundings = plainSurroundings,
): readonly string[] {
  const kept: { readonly resource: string; readonly key: string }[] = [];
  for (const resource of resources) {
    const path = lockPath(resource, surroundings);
    if (!path.ok || kept.some(({ key }) => holds(key, path.key))) continue;
    for (let index = kept.length - 1; index >= 0; index -= 1) {
      if (holds(path.key, kept[index]?.key ?? '')) kept.splice(index, 1);
    }
    kept.push({ resource: path.path, key: path.key });
  }
  return kept.map(({ resource }) => resource);
}

const namedHolders = 8;

function inOrder(left: NormalLock, right: NormalLock): LockConflict {
  return left.index < right.index ? { first: left, second: right } : { first: right, second: left };
}

/** Sorts each folder directly before its contents: `a` < `a/b` < `a.b`. */
function sortKey(key: string): string {
  return key === '.' ? '' : key.replaceAll('/', '\u0000');
}

function byKeyThenPlace(
  left: { readonly lock: NormalLock; readonly sort: string },
  right: { readonly lock: NormalLock; readonly sort: string },
): number {
  if (left.sort !== right.sort) return left.sort < right.sort ? -1 : 1;
  return left.lock.index - right.lock.index;
}
