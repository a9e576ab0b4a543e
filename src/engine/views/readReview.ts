import { parsedJson } from '../../base/json';
import { fewNamed } from '../../base/text/firstNamed';
import { bytesText } from '../../base/text/words';
import { runFiles, strayTextsSchema, type StrayChange, type StrayTexts, type TreeLayer } from '../../contracts/launch';
import type { LinesView } from '../../contracts/page/panelView';
import { straysOf } from '../../core/lifecycle/parts/strays';
import type { Launch } from '../../core/model/attempt';
import { askingPacket, type Asking } from '../../core/mission/questions/questions';
import { laneOf } from '../../core/model/lanes';
import type { RawChange } from '../../core/observation/change';
import { rowOf, type Course, type TaskRow, type Tasks } from '../../core/model/state';
import { acceptance, waitingWork } from '../../core/model/waitingWork';
import { review, type BeforeSide, type Reviewed, type ReviewFile } from '../../core/view/review';
import type { BeforeQuery, Contents, FileContent, LinesQuery } from '../ports/contents';

/** The files that tasks changed, with the contents of both sides. */
export interface ReadReview {
  readonly files: readonly ReadFile[];
  /** Files that are as they were before, and so are not in `files`. The notes name the first ones. */
  readonly restored: readonly ReadFile[];
  /** A task runs, so its changes may change again. */
  readonly live: boolean;
  /** Some of its work was done in an earlier mission, which the notes name. */
  readonly elsewhere: boolean;
  /** One sentence for each thing that cannot be shown as a file, or that a reader has to know. */
  readonly notes: readonly string[];
}

export interface ReadFile extends ReviewFile {
  /** Null: the file did not exist. */
  readonly was: Side | null;
  /** Null: the file does not exist now. */
  readonly is: Side | null;
  /**
   * The difference from what the task left, as the end of a sentence that begins with its path; null: it does not
   * differ.
   */
  readonly since: string | null;
  /** It is as it was before the first task changed it, so there is no difference to show. */
  readonly put_back: boolean;
  /** A layer took it, so it never reached the workspace: both sides are texts of the launch. Absent: it did. */
  readonly not_kept?: true;
  /** The task whose layer holds its content, which is not in the workspace yet; absent: none does. */
  readonly waits_in?: string;
}

export interface Side {
  /** `words`: a sentence in place of a content that is not shown. */
  readonly kind: 'text' | 'words';
  readonly text: string;
}

/** At most so many files are shown; more are only counted. */
const shownFiles = 300;

/** Reads both sides of the files that tasks changed. Writes nothing, and follows no link. */
export async function readReview(mission: Reviewed, tasks: readonly string[], contents: Contents): Promise<ReadReview> {
  const { live, notes } = await liveChanges(mission, tasks, contents);
  const found = review(mission, tasks, live);
  const files = found.files.slice(0, shownFiles);
  const asked = files.flatMap(({ before, before_path }) => queryOf(before, before_path) ?? []);
  const moved = files.filter(({ path, before_path }) => before_path !== path);
  const [before, now, back] = await Promise.all([
    contents.before(mission.mission_id, asked),
    contents.now(files.map((file) => ({ path: file.path, layer: waitingIn(mission, file, live)?.layer }))),
    contents.now(moved.map(({ before_path }) => ({ path: before_path }))),
  ]);
  const at_before = new Map(moved.map((file, index) => [file, back[index]]));
  const known = new Map(asked.map((query, index) => [query, before[index]]));
  let next = 0;
  const isLive = tasks.some((id) => laneOf(mission, id) !== undefined);
  const read = files.map((reviewed, index): ReadFile => {
    const waits_in = waitingIn(mission, reviewed, live)?.task_id;
    const file = { ...reviewed, ...(waits_in !== undefined && { waits_in }) };
    const query = queryOf(file.before, file.before_path) && asked[next++];
    const content = now[index] ?? { kind: 'absent' };
    const was = wasSide(file.before, query && known.get(query));
    const is = content.kind === 'absent' ? null : side(content);
    if (!isLive && isPutBack(file, content, at_before.get(file))) {
      const before = file.unannounced.length === 0 ? 'the task changed it' : 'it changed';
      return { ...file, was, is, since: `is as it was before ${before}`, put_back: true };
    }
    const since = isLive ? null : sinceOf(file, content);
    return { ...file, was, is, since, put_back: false, note: file.note ?? unseen(file, was, is) };
  });
  // A forbidden change is shown even when it was put back.
  const restored = read.filter(({ put_back, violation }) => put_back && violation === null);
  const more = found.files.length - files.length;
  const strays = await readStrays(mission, tasks, contents);
  const rows = tasks.map((id) => rowOf(mission, id));
  return {
    files: [...read.filter((file) => !restored.includes(file)), ...strays],
    restored,
    live: isLive,
    elsewhere: rows.some(({ revised, earlier }) => revised !== null || earlier.length > 0),
    notes: [
      ...notes,
      ...rows.flatMap(earlierSentences),
      ...putBackSentences(restored),
      ...found.beside.slice(0, 20).map((line) => `Changed in addition to files: ${line}.`),
      ...(more > 0 ? [`${more} more files are not shown; the evidence lists them.`] : []),
    ],
  };
}

function earlierSentences({ task, carried, revised, earlier }: TaskRow): readonly string[] {
  const { task_id } = task;
  const paths = fewNamed([...(revised?.outputs ?? []), ...earlier].map(({ path }) => path));
  const notes: string[] = [];
  if ((carried?.attempts ?? []).length > 0)
    notes.push(
      `${task_id} ran before the handoff. Its changes are shown as its evidence has them, which does not say what the agent announced while it ran.`,
    );
  if (revised && paths !== '') {
    const { mission_id } = revised.from;
    notes.push(
      `${task_id} was done in mission ${mission_id}, which changed ${paths}. mission diff ${mission_id} ${task_id} shows it where that mission ran.`,
    );
  } else if (paths !== '') notes.push(`${task_id} ran in an earlier mission, which changed ${paths}.`);
  return notes;
}

async function readStrays(mission: Tasks, tasks: readonly string[], contents: Contents): Promise<readonly ReadFile[]> {
  const strayed = ({ purpose, end }: Launch): boolean => purpose.kind === 'worker' && end?.strays !== undefined;
  const found = tasks.flatMap((id) => {
    const made = rowOf(mission, id).attempts.findLast(({ launches }) => launches.some(strayed));
    const run = made?.launches.findLast(strayed)?.run_dir;
    return made && run !== undefined ? [{ id, changes: straysOf(mission.plan, made), run }] : [];
  });
  const kept = await contents.now(
    found.map(({ run }) => ({
      path: `.mission-control/missions/${mission.mission_id}/runs/${run}/${runFiles.strays}`,
    })),
  );
  return found.flatMap(({ id, changes }, index) => {
    const content = kept[index];
    const texts = strayTextsSchema.safeParse(content?.kind === 'text' ? parsedJson(content.text) : []);
    return changes.map((change) =>
      strayFile(
        id,
        change,
        texts.data?.find(({ path }) => path === change.lay_at),
      ),
    );
  });
}

function strayFile(task: string, change: StrayChange, text: StrayTexts[number] | undefined): ReadFile {
  const { path, kind, what } = change;
  const unread = wordsInPlace(what === 'file' ? 'The text of this file was not kept.' : `A ${what}.`);
  const shown = (one: string | null | undefined): Side | null =>
    one === undefined ? unread : one === null ? null : { kind: 'text', text: one };
  const was = kind === 'type_changed' ? wordsInPlace('It was of another kind.') : shown(text?.before);
  return {
    ...{ path, before_path: path, tasks: [task], doubted: [], unannounced: [] },
    before: { kind: 'other', says: 'in a layer' },
    after: { kind: 'other', says: 'in a layer' },
    was: kind === 'added' ? null : was,
    is: kind === 'deleted' ? null : shown(text?.after),
    ...{
      violation: null,
      note: kind === 'mode_changed' ? 'Its mode was changed.' : null,
      since: null,
      put_back: false,
    },
    not_kept: true,
  };
}

/** Lines by task id, for tasks that changed files. Unknown without a baseline or a text, or after a later change. */
export async function countTaskLines(mission: Reviewed, contents: Contents): Promise<ReadonlyMap<string, LinesView>> {
  const all = mission.rows.flatMap(({ task: { task_id } }) =>
    review(mission, [task_id]).files.map((file) => ({ task_id, file })),
  );
  const asked = all.slice(0, countedFiles);
  const lines = await contents.lines(
    mission.mission_id,
    asked.map(({ file }) => linesQuery(file, waitingIn(mission, file, new Map())?.layer)),
  );
  const counted = new Map<string, LinesView>();
  for (const [index, { task_id }] of all.entries()) {
    const known = counted.get(task_id) ?? { added: 0, removed: 0, unknown: 0 };
    const line = lines[index] ?? null;
    counted.set(
      task_id,
      line === null
        ? { ...known, unknown: known.unknown + 1 }
        : { ...known, added: known.added + line.added, removed: known.removed + line.removed },
    );
  }
  return counted;
}

/** At most so many files are counted; the lines of more are unknown. */
const countedFiles = 1000;

/** A side that is no file has no lines. */
function linesQuery({ before, before_path, after, path }: ReviewFile, layer: TreeLayer | undefined): LinesQuery {
  const none = { path, sha256: 'none' };
  return {
    before: queryOf(before, before_path),
    after:
      before.kind === 'other' || after.kind === 'other'
        ? none
        : after.kind === 'file'
          ? { ...after, path, layer }
          : null,
  };
}

/** What tasks under way have changed by now. */
type Live = ReadonlyMap<string, readonly RawChange[]>;

async function liveChanges(
  mission: Tasks,
  tasks: readonly string[],
  contents: Contents,
): Promise<Pick<ReadReview, 'notes'> & { readonly live: Live }> {
  const live = new Map<string, readonly RawChange[]>();
  const notes: string[] = [];
  for (const task_id of tasks) {
    const lane = laneOf(mission, task_id);
    const row = rowOf(mission, task_id);
    if (!lane?.baseline || lane.observed) continue;
    const work = waitingWork(row, lane);
    const { scope } = row;
    const found = await contents.difference({
      mission_id: mission.mission_id,
      baseline_sha256: lane.baseline.manifest_sha256,
      forbidden_paths: scope.forbidden_paths,
      paths: [...scope.paths, ...(lane.baseline.folders ?? [])],
      ...(work && { layer: work.layer }),
    });
    if (found.ok) live.set(task_id, found.value.changes);
    else notes.push(`What ${task_id} has changed by now could not be read: ${found.refusal.reason}`);
  }
  return { live, notes };
}

function queryOf(before: BeforeSide, path: string): BeforeQuery | null {
  if (before.kind !== 'file') return null;
  const { sha256, heads, baselines, kept } = before;
  return { path, sha256, heads, baselines, kept };
}

function wasSide(before: BeforeSide, content: FileContent | null | undefined): Side | null {
  if (before.kind === 'absent') return null;
  if (before.kind === 'other')
    return wordsInPlace(`No baseline kept: it was no file that could be read (${before.says}).`);
  if (!content || content.kind === 'absent' || content.kind === 'link') return wordsInPlace('No baseline kept.');
  return content.kind === 'unknown' ? wordsInPlace(`No baseline kept: ${content.reason}.`) : side(content);
}

/** Bytes that are not UTF-8 all look the same, so a sentence says that they differ. */
function unseen({ before, after }: ReviewFile, was: Side | null, is: Side | null): string | null {
  if (before.kind !== 'file' || after.kind !== 'file' || before.sha256 === after.sha256) return null;
  if (was?.kind !== 'text' || is?.kind !== 'text' || was.text !== is.text) return null;
  return 'Its bytes differ where they are no UTF-8 text, so both sides look the same.';
}

function side(content: Exclude<FileContent, { readonly kind: 'absent' }>): Side {
  switch (content.kind) {
    case 'text':
      return { kind: 'text', text: content.text };
    case 'binary':
      return wordsInPlace(`Binary file of ${sizeWords(content.size)}, SHA-256 ${content.sha256}.`);
    case 'large':
      return wordsInPlace(`File of ${sizeWords(content.size)}: too large to be shown here.`);
    case 'link':
      return wordsInPlace(`Symbolic link to ${content.target}. It is not followed.`);
    case 'unknown':
      return wordsInPlace(`Not shown: ${content.reason}.`);
  }
}

function sinceOf({ after }: ReviewFile, now: FileContent): string | null {
  if (after.kind === 'absent') return now.kind === 'absent' ? null : 'is there again';
  switch (now.kind) {
    case 'absent':
      return 'is gone';
    case 'link':
      return after.kind === 'other' && after.says === `a link to ${now.target}` ? null : 'is a symbolic link now';
    case 'unknown':
      return after.kind === 'other' ? null : `cannot be read now (${now.reason})`;
    case 'large':
      return null;
    case 'text':
    case 'binary':
      return after.kind === 'file' && after.sha256 === now.sha256 ? null : 'is not as the task left it';
  }
}

function wordsInPlace(text: string): Side {
  return { kind: 'words', text: `${text}\n` };
}

function sizeWords(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : bytesText(bytes);
}

/**
 * Says whether the content of a file is as before the first task that changed it; an unknown content is not.
 *
 * @param at_before of a moved file: what lies at its old path now
 */
function isPutBack(
  { path, before_path, before, note }: ReviewFile,
  now: FileContent,
  at_before: FileContent | undefined,
): boolean {
  // A file with a note may differ in more than its content, such as its mode.
  if (note !== null) return false;
  if (before_path !== path) return now.kind === 'absent' && at_before !== undefined && holds(before, at_before);
  return before.kind === 'absent' ? now.kind === 'absent' : holds(before, now);
}

function holds(before: BeforeSide, now: FileContent): boolean {
  return before.kind === 'file' && (now.kind === 'text' || now.kind === 'binary') && now.sha256 === before.sha256;
}

function putBackSentences(files: readonly ReviewFile[]): readonly string[] {
  const more = files.length - named;
  return [
    ...files.slice(0, named).map(({ path, before_path, before, tasks, unannounced }) => {
      const by = tasks.join(', ');
      const changed = `as it was before ${unannounced.length === 0 ? `${by} changed it` : `a change found during ${by}`}.`;
      if (before_path !== path) return `${before_path} is back, ${changed}`;
      return before.kind === 'absent' ? `${path} is gone, ${changed}` : `The content of ${path} is ${changed}`;
    }),
    ...(more > 0 ? [`${more} more files are as they were before.`] : []),
  ];
}

const named = 20;

function waitingIn(
  mission: Tasks,
  { path, tasks }: ReviewFile,
  live: Live,
): { readonly task_id: string; readonly layer: TreeLayer } | undefined {
  for (const task_id of tasks.toReversed()) {
    const row = rowOf(mission, task_id);
    const attempt = laneOf(mission, task_id) ?? row.attempts.at(-1);
    const work = attempt && waitingWork(row, attempt);
    const changes = live.get(task_id) ?? attempt?.observed?.changes;
    const holds = changes?.some((change) => change.layered && change.path === path);
    if (work && holds) return { task_id, layer: work.layer };
  }
  return undefined;
}

export type AskedReview = Asking;

/** Returns the packet that asks a person to accept the work of a task; undefined: none does. */
export function askingAcceptance(mission: Course, taskId: string): Asking | undefined {
  const packet = askingPacket(mission, taskId);
  const { choices = [], asked_by } = packet?.question ?? {};
  return asked_by?.kind === 'runner' && choices.some(({ id }) => id === acceptance.choice) ? packet : undefined;
}
