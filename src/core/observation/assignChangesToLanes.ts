import { caseSensitive, comparisonKey, inScope, within, type PathComparison } from '../paths/compare';
import { listIn } from '../../base/listIn';
import { reservedFolderOf } from '../paths/reserved';
import type { Change, RawChange } from './change';

/** Another task that held a lock at some time since this task's baseline. */
export interface Beside {
  readonly task_id: string;
  /** Its approved paths, normalised. */
  readonly paths: readonly string[];
  /** Time of its baseline, ISO-8601: earlier changes are not its own. Null before that. */
  readonly since: string | null;
  /** When it released its lock, ISO-8601; null while it holds it, or where it ran on after its worker. */
  readonly ended_at: string | null;
  /** The changes observed at its end; empty before that. */
  readonly left: readonly Change[];
}

/** What ran beside a task, and what the runner wrote for it. */
export interface RanBeside {
  readonly beside: readonly Beside[];
  /** Evidence that the runner wrote meanwhile. */
  readonly evidence: readonly { readonly path: string; readonly sha256: string }[];
  /** Folders with the evidence of other missions, which is verified by itself. */
  readonly folders: readonly string[];
}

export interface DivisionInput extends RanBeside {
  readonly changes: readonly RawChange[];
  /** Approved paths of the task whose changes are divided. */
  readonly paths: readonly string[];
  readonly announced: readonly string[];
  readonly comparison?: PathComparison;
}

/**
 * The changes that one lane has to answer for. Source: decision 21. A changed path belongs to the lane whose lock
 * covers it. An ended lane owns what it left, not later changes of it. A violation that was counted against another
 * lane does not count against this one. Nor does a doubt in the lock of another lane, which blocks for it. A doubt
 * outside all locks blocks each lane that may have made it, because no one knows whose it is.
 */
export function divideChanges(input: DivisionInput): {
  readonly own: readonly RawChange[];
  /** Completes the sentence "not observed: ...", for each task that ran beside. */
  readonly elsewhere: readonly string[];
} {
  const isEvidence = evidenceIn(input);
  const holderOf = holdersIn(input);
  const own = input.changes.filter(
    (change) =>
      !isEvidence(change) &&
      !within(change.path, input.folders, input.comparison ?? caseSensitive) &&
      holderOf(change) === null,
  );
  const tasks = new Map(input.beside.map(({ task_id, paths }) => [task_id, paths]));
  const elsewhere = [...tasks].map(
    ([task_id, paths]) =>
      `${paths.join(', ')}: locked by task ${task_id}, which ran beside it and is observed by itself`,
  );
  const evidence = input.folders.map(
    (folder) => `${folder}: evidence that another mission wrote meanwhile and that is verified by itself`,
  );
  return { own, elsewhere: [...elsewhere, ...evidence] };
}

function evidenceIn({ changes, evidence }: DivisionInput): (change: RawChange) => boolean {
  const changed = new Set(changes.map(({ path }) => path));
  const here = evidence.filter(({ path }) => changed.has(path));
  const written = new Set(here.map(({ path, sha256 }) => `${sha256.toUpperCase()} ${path}`));
  return ({ path, after_sha256 }) => written.has(`${after_sha256?.toUpperCase() ?? ''} ${path}`);
}

/** The other lane that a change belongs to; null: it is the task's own. */
function holdersIn(input: DivisionInput): (change: RawChange) => Beside | null {
  const comparison = input.comparison ?? caseSensitive;
  const place = (path: string): string => comparisonKey(path, comparison);
  const answered = new Map<string, { readonly lane: Beside; readonly found: Change }[]>();
  const lanes = input.beside.map((lane) => {
    const left = new Map<string, Change[]>();
    for (const found of lane.left) {
      const key = place(found.path);
      listIn(left, key).push(found);
      const isOfLock = found.doubt !== undefined && within(found.path, lane.paths, comparison);
      if (found.violation !== null || isOfLock) listIn(answered, key).push({ lane, found });
    }
    return { lane, left };
  });
  const announced = new Set(input.announced.map(place));
  return (change) => {
    const { path } = change;
    const key = place(path);
    if (change.layered) return null;
    // Its layer held these bytes, which landed: also in paths that both tasks approve.
    const landed = lanes.find(({ left }) => left.get(key)?.some((found) => found.layered && isSame(found, change)));
    if (landed) return landed.lane;
    const answer = answered.get(key)?.find(({ found }) => isSame(found, change));
    if (answer) return answer.lane;
    if (change.kind === 'git' || reservedFolderOf(path) !== null || inScope(path, input.paths, comparison)) return null;
    if (announced.has(key)) return null;
    const holding = lanes.find(
      ({ lane, left }) =>
        inScope(path, lane.paths, comparison) &&
        (left.get(key)?.some((found) => isSame(found, change)) === true || isMeanwhile(change, lane)),
    );
    return holding?.lane ?? null;
  };
}

/** Returns whether the change falls into the lane's lock; without a time (an index flag) it is a live lane's. */
function isMeanwhile({ changed_at }: RawChange, { since, ended_at }: Beside): boolean {
  if (since === null) return false;
  if (changed_at === null) return ended_at === null;
  const at = Date.parse(changed_at);
  return at >= Date.parse(since) && (ended_at === null || at <= Date.parse(ended_at));
}

/** Returns whether two lanes saw the same state; what one baseline shows as added may be modified for the other. */
function isSame(found: RawChange, change: RawChange): boolean {
  return (
    found.after_sha256?.toUpperCase() === change.after_sha256?.toUpperCase() &&
    (found.kind === change.kind || (isContent(found) && isContent(change)))
  );
}

function isContent({ kind }: RawChange): boolean {
  return kind === 'added' || kind === 'modified' || kind === 'deleted' || kind === 'type_changed';
}
