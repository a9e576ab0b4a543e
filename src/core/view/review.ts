import { announcedBy } from '../lifecycle/parts/announced';
import { attributeChanges } from '../lifecycle/changes/attributeChanges';
import type { AttemptRecord } from '../model/attempt';
import { laneOf } from '../model/lanes';
import { type Mission, rowNamed, type TaskRow, type Tasks, writablePaths } from '../model/state';
import { blocks } from '../observation/attribute';
import { announcedChanges } from '../observation/claim';
import type { Change, RawChange } from '../observation/change';
import { changesAtEnd } from '../observation/verifyChange';
import { within } from '../paths/compare';

/** One file of what tasks changed: from before the first attempt that changed it, to what the last one left. */
export interface ReviewFile {
  /** POSIX, relative to the workspace root. */
  readonly path: string;
  /** Where it lay before, when it was moved; else the same. */
  readonly before_path: string;
  readonly tasks: readonly string[];
  /** Those of `tasks` that it blocked, while nothing shows who changed it. */
  readonly doubted: readonly string[];
  /** Those of `tasks` that changed it by its time alone: no result and no stream announced it. */
  readonly unannounced: readonly string[];
  readonly before: BeforeSide;
  readonly after: AfterSide;
  /** Why it should not have been changed; null: it may. */
  readonly violation: string | null;
  /** What changed of it, apart from its content, such as `mode 0644 -> 0755`; null: nothing. */
  readonly note: string | null;
}

export type BeforeSide =
  | { readonly kind: 'absent' }
  | BeforeFile
  /** A link, or what could not be read; one sentence. */
  | { readonly kind: 'other'; readonly says: string };

/** What may have the bytes of a file; `kept`: copies were made below its path. */
export interface BeforeFile {
  readonly kind: 'file';
  readonly sha256: string;
  readonly heads: readonly string[];
  readonly baselines: readonly string[];
  readonly kept: boolean;
}

export type AfterSide =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly sha256: string }
  | { readonly kind: 'other'; readonly says: string };

export interface Review {
  /** Out-of-scope files first, each part by path. */
  readonly files: readonly ReviewFile[];
  /** Changes that are no files, such as those of git, one sentence each. */
  readonly beside: readonly string[];
}

/**
 * Returns what tasks changed, as the evidence has it: compared with the first baseline, because nothing is reverted
 * between two attempts.
 *
 * @param live what the tasks under way have changed by now, as raw differences from their baselines
 */
export function review(
  mission: Reviewed,
  tasks: readonly string[],
  live: ReadonlyMap<string, readonly RawChange[]> = new Map(),
): Review {
  const rows = tasks.flatMap((id) => rowNamed(mission, id) ?? []);
  const made = [
    ...rows.flatMap((row) => carriedAttempts(mission, row)).sort((one, other) => (one.at < other.at ? -1 : 1)),
    ...rows.flatMap((row) => attemptsOf(mission, row, live)).sort((one, other) => one.seq - other.seq),
  ];
  const files = new Map<string, ReviewFile>();
  const beside: string[] = [];
  /** What only a layer has of these: the next attempt begins with what is there. */
  const held = new Set<string>();
  for (const { row, before, changes, announced, landed } of made) {
    for (const change of changes) {
      const { attribution } = change;
      // What blocks is shown as well, because a person decides about it.
      const isShown = attribution === 'worker' || attribution === 'verify' || blocks(change);
      if (change.scratch || !isShown) continue;
      if (change.kind === 'git' || change.kind === 'index_flag') {
        beside.push(
          `${row.task.task_id}: ${change.path} (${change.violation ?? change.doubt ?? change.detail ?? 'changed'})`,
        );
        continue;
      }
      const known = files.get(change.path);
      files.set(change.path, merged(known, fileOf(row, before, change, announced.has(change)), held.has(change.path)));
      if (change.layered && !landed) held.add(change.path);
      else held.delete(change.path);
    }
  }
  return { files: moved([...files.values()].filter(isChanged)).sort(byPlace), beside };
}

/** The tasks of a mission, with the handoff that it goes on from. */
export type Reviewed = Tasks & Pick<Mission, 'resumed_from'>;

interface Made {
  readonly row: TaskRow;
  /** Where the bytes may be that its files had before it. */
  readonly before: Pick<BeforeFile, 'heads' | 'baselines'>;
  readonly changes: readonly Change[];
  readonly announced: ReadonlySet<Change>;
  /** What it did in a layer is in the workspace. */
  readonly landed: boolean;
}

function carriedAttempts({ resumed_from }: Reviewed, row: TaskRow): readonly (Made & { readonly at: string })[] {
  const commit = resumed_from?.base_commit ?? null;
  return (row.carried?.attempts ?? []).map(({ changes: recorded, claim, not_landed, ended_at }) => {
    const landed = recorded.filter(({ attribution }) => not_landed !== true || attribution !== 'worker');
    const changes = landed.map((change): Change => ({ ...change, changed_at: null }));
    return {
      ...{ row, changes, at: ended_at ?? '' },
      before: { heads: commit === null ? [] : [commit], baselines: [] },
      announced: announcedChanges(claim.kind === 'valid' ? (claim.packet?.changes ?? []) : [], changes),
      landed: true,
    };
  });
}

function attemptsOf(
  mission: Tasks,
  row: TaskRow,
  live: ReadonlyMap<string, readonly RawChange[]>,
): readonly (Made & {
  /** The place of its end in the journal; a live attempt is the last. */ readonly seq: number;
})[] {
  const made = (attempt: AttemptRecord, changes: readonly Change[]): Made => ({
    ...{ row, changes, announced: announcedBy(attempt, changes), landed: attempt.landing?.failure === null },
    before: {
      heads: attempt.baseline?.head ? [attempt.baseline.head] : [],
      baselines: attempt.baseline ? [attempt.baseline.manifest_sha256] : [],
    },
  });
  const ended = row.attempts.map((attempt) => ({
    ...made(attempt, changesAtEnd(attempt.observed?.changes ?? [], attempt.after_verify?.changes ?? [])),
    seq: attempt.ended_seq,
  }));
  const lane = laneOf(mission, row.task.task_id);
  const found = live.get(row.task.task_id);
  if (!lane) return ended;
  const changes = found
    ? attributeChanges(mission, lane, found, mission.file_system).changes
    : changesAtEnd(lane.observed?.changes ?? [], lane.after_verify?.changes ?? []);
  return [...ended, { ...made(lane, changes), seq: Number.MAX_SAFE_INTEGER }];
}

function fileOf(row: TaskRow, places: Made['before'], change: Change, announced: boolean): ReviewFile {
  const { path, before_mode, after_mode } = change;
  const isModeToo = before_mode !== undefined && after_mode !== undefined;
  return {
    path,
    before_path: path,
    tasks: [row.task.task_id],
    doubted: change.attribution !== 'worker' && blocks(change) ? [row.task.task_id] : [],
    unannounced: announced ? [] : [row.task.task_id],
    before: beforeOf(row, places, change),
    after: afterOf(change),
    violation: change.violation ?? change.doubt ?? change.relied_on ?? null,
    note: change.kind === 'mode_changed' || isModeToo ? change.detail : null,
  };
}

function beforeOf(row: TaskRow, places: Made['before'], change: Change): BeforeSide {
  const { path, kind, before_sha256, before_link, detail } = change;
  if (kind === 'added') return { kind: 'absent' };
  if (before_link !== undefined) return { kind: 'other', says: `a link to ${before_link}` };
  if (before_sha256 === null)
    return { kind: 'other', says: detail === null ? 'not read when the baseline was taken' : detail };
  return {
    kind: 'file',
    sha256: before_sha256.toUpperCase(),
    ...places,
    kept: within(path, writablePaths(row)),
  };
}

function afterOf({ kind, after_sha256, after_link, detail }: Change): AfterSide {
  if (kind === 'deleted') return { kind: 'absent' };
  if (after_link !== undefined) return { kind: 'other', says: `a link to ${after_link}` };
  return after_sha256 === null
    ? { kind: 'other', says: detail ?? 'not read' }
    : { kind: 'file', sha256: after_sha256.toUpperCase() };
}

/** The earlier change says what was before, unless it never got into the workspace; the later one what is. */
function merged(known: ReviewFile | undefined, next: ReviewFile, isHeld: boolean): ReviewFile {
  if (!known) return next;
  return {
    ...next,
    ...byWhom(known, next),
    before: isHeld ? next.before : known.before,
    violation: next.violation ?? known.violation,
    note: next.note ?? known.note,
  };
}

/** A task that changed it once without a doubt is no longer doubted. One that announced it once has announced it. */
function byWhom(first: ReviewFile, next: ReviewFile): Pick<ReviewFile, 'tasks' | 'doubted' | 'unannounced'> {
  const tasks = [...new Set([...first.tasks, ...next.tasks])];
  const always = (named: 'doubted' | 'unannounced'): readonly string[] =>
    tasks.filter((task) => [first, next].every((file) => !file.tasks.includes(task) || file[named].includes(task)));
  return { tasks, doubted: always('doubted'), unannounced: always('unannounced') };
}

/** A change that a later attempt undid counts only if the file was forbidden, or more than its content changed. */
function isChanged({ before, after, violation, note }: ReviewFile): boolean {
  if (violation !== null || note !== null) return true;
  if (before.kind === 'file' && after.kind === 'file') return before.sha256 !== after.sha256;
  return before.kind !== 'absent' || after.kind !== 'absent';
}

/** A deleted and an added file with the same bytes are one, where there is only one of each. */
function moved(files: readonly ReviewFile[]): ReviewFile[] {
  const [gone, come] = [new Map<string, ReviewFile[]>(), new Map<string, ReviewFile[]>()];
  const put = (into: Map<string, ReviewFile[]>, sha256: string, file: ReviewFile): void => {
    const same = into.get(sha256);
    if (same) same.push(file);
    else into.set(sha256, [file]);
  };
  for (const file of files) {
    if (file.before.kind === 'file' && file.after.kind === 'absent') put(gone, file.before.sha256, file);
    if (file.before.kind === 'absent' && file.after.kind === 'file') put(come, file.after.sha256, file);
  }
  const joined = new Map<ReviewFile, ReviewFile>();
  for (const [sha256, [to, ...others]] of come) {
    const [from, ...more] = gone.get(sha256) ?? [];
    if (to && from && others.length === 0 && more.length === 0) joined.set(to, from);
  }
  const left = new Set(joined.values());
  return files.flatMap((file) => {
    if (left.has(file)) return [];
    const from = joined.get(file);
    if (!from) return [file];
    const violation = file.violation ?? from.violation;
    return [{ ...file, ...byWhom(from, file), violation, before: from.before, before_path: from.path }];
  });
}

function byPlace(left: ReviewFile, right: ReviewFile): number {
  const out = Number(right.violation !== null) - Number(left.violation !== null);
  return out === 0 ? (left.path < right.path ? -1 : left.path > right.path ? 1 : 0) : out;
}
