import { mostSiblings, type ConfinementMode } from '../../../contracts/vocabulary/confinement';
import { quoted, textAt, textsAt, type JsonObject } from '../../../base/json';
import { within } from '../../paths/compare';
import { foldersAbove } from '../../../base/fileState';
import { readWrittenPath } from '../../paths/writtenPath';
import { scratchPathsOf } from './ownPlaces';
import type { AddPlanFinding, JudgedTask } from './judgedTask';
import { dependenciesOf, tasksById } from './tasks';

/** What an approved path is on the disk. */
export interface PlaceFact {
  /** POSIX, relative to the workspace. */
  readonly path: string;
  /** `behind_link`: a folder on the way, or the folder itself, is a link; `outside`: it leads out of the workspace. */
  readonly kind: 'folder' | 'other' | 'missing' | 'behind_link' | 'outside';
  /** Names in the folder around it that a sandbox has to hold, links left out; empty: so few that it does not matter. */
  readonly beside: readonly string[];
}

/** The approved paths of all tasks that the disk can be asked about, each once. */
export function approvedPathsOf(tasks: readonly JudgedTask[]): readonly string[] {
  return [...new Set(tasks.flatMap((task) => pathsOf(task).map(({ path }) => path)))];
}

/** Approved paths that a sandbox could not hold, or that mean another thing than they seem to. */
export function judgePlaces(
  plan: JsonObject,
  tasks: readonly JudgedTask[],
  { facts, mode }: { readonly facts: readonly PlaceFact[]; readonly mode: ConfinementMode },
  report: AddPlanFinding,
): void {
  const found = new Map(facts.map((fact) => [fact.path, fact]));
  for (const { path, pointer } of tasks.flatMap(pathsOf))
    if (found.get(path)?.kind === 'outside')
      report(
        'PATH_INVALID',
        pointer,
        `${quoted(path)} leads out of the workspace through a link, and no task may write there; approve a path in the workspace.`,
      );
  if (mode === 'off') return;
  const scratch = scratchPathsOf(plan).map(([path]) => path);
  for (const task of tasks) judgeCoarse(pathsOf(task), scratch, { found, mode }, report);
  judgeShared(tasks, found, report);
}

interface ApprovedPath {
  readonly path: string;
  readonly pointer: string;
  readonly folder: boolean;
}

function pathsOf([task, , pointer]: JudgedTask): readonly ApprovedPath[] {
  return textsAt(task, 'paths').flatMap(([text, at]) => {
    const reading = readWrittenPath(text);
    return reading.ok ? [{ path: reading.path, pointer: `${pointer}/paths/${at}`, folder: text.endsWith('/') }] : [];
  });
}

interface Looked {
  readonly found: ReadonlyMap<string, PlaceFact>;
  readonly mode: ConfinementMode;
}

function judgeCoarse(
  paths: readonly ApprovedPath[],
  scratch: readonly string[],
  { found, mode }: Looked,
  report: AddPlanFinding,
): void {
  const required = mode === 'required';
  const folders = paths.flatMap(({ path, folder }) => (folder || found.get(path)?.kind === 'folder' ? [path] : []));
  const reported = new Set<string>();
  for (const { path, pointer } of paths) {
    const fact = found.get(path);
    if (fact?.kind === 'behind_link') {
      const message = `${quoted(path)} leads through a link, behind which a sandbox lets nothing be written; approve the path that the link leads to.`;
      report('PATH_BEHIND_LINK', pointer, message, required ? 'error' : 'warning');
      continue;
    }
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
    if (fact === undefined || fact.kind === 'outside' || folders.includes(path) || reported.has(above)) continue;
    if (within(above, folders)) continue;
    const beside = (name: string): string => (above === '.' ? name : `${above}/${name}`);
    const own = new Set([...paths.map((one) => one.path), ...scratch]);
    const others = fact.beside.filter((name) => !own.has(beside(name))).length;
    if (others <= mostSiblings) continue;
    reported.add(above);
    const effect = required
      ? 'A sandbox is required, so nothing would start'
      : 'All of them could be written, and are only observed';
    const instead = above === '.' ? 'move the file' : 'approve its folder, or move the file';
    const message = `The folder of ${quoted(path)} has ${others} other entries, and a sandbox keeps at most ${mostSiblings} of them read-only. ${effect}; ${instead}.`;
    report('CONFINEMENT_TOO_COARSE', pointer, message, required ? 'error' : 'info');
  }
}

/** Another task's path inside this one is sealed, so only that task could create it. */
function judgeShared(
  tasks: readonly JudgedTask[],
  found: ReadonlyMap<string, PlaceFact>,
  report: AddPlanFinding,
): void {
  const lists = tasks.map(pathsOf);
  const holders = new Map<string, number[]>();
  lists.forEach((paths, index) => {
    for (const { path } of paths) holders.set(path, [...(holders.get(path) ?? []), index]);
  });
  lists.forEach((paths, index) => {
    for (const { path } of paths) {
      if (found.get(path)?.kind !== 'missing') continue;
      for (const [above, at] of foldersAbove(path).flatMap((one) =>
        (holders.get(one) ?? []).map((at) => [one, at] as const),
      )) {
        const own = lists[at] ?? [];
        if (at === index || own.some((one) => within(one.path, [path])) || waitsFor(tasks, at, index)) continue;
        const message = `Task ${taskName(tasks[at])} may write ${quoted(above)}, but not ${quoted(path)} in it, which is approved for task ${taskName(tasks[index])} and is not there yet; if both make it, add it to the paths of both.`;
        report('PATH_OF_ANOTHER_TASK', own.find((one) => one.path === above)?.pointer ?? '', message, 'warning');
      }
    }
  });
}

/** Returns whether one task begins only when the other is done. */
function waitsFor(tasks: readonly JudgedTask[], one: number, other: number): boolean {
  const byId = tasksById(tasks);
  const seen = new Set<number>();
  for (const waiting = [one]; waiting.length > 0;) {
    const [task] = tasks[waiting.pop() ?? 0] ?? [];
    for (const [id] of task === undefined ? [] : dependenciesOf(task)) {
      const target = byId.get(id);
      if (target === other) return true;
      if (target === undefined || seen.has(target)) continue;
      seen.add(target);
      waiting.push(target);
    }
  }
  return false;
}

function taskName(task: JudgedTask | undefined): string {
  return quoted(textAt(task?.[0], 'task_id') ?? '');
}
