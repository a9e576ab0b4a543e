import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { endedLaunches, ownLayers, sharedLayers } from '../../adapters/sandbox/layers/layers';
import { bytesIn, removeTree } from '../../adapters/files/removeTree';
import { liveRuns } from '../../adapters/launches/launches';
import { draftFolders } from '../../adapters/launches/drafts';
import { cachesOf, copiesOf, manifestsOf } from '../../adapters/workspace/manifest/place';
import { errorWords, valueOn } from '../../base/outcome';
import { isPathId, stateFolderName } from '../../adapters/state/folder';
import { userStateFolder } from '../../adapters/user/folder';
import { MissionReader, noMissions, ofWorkspace } from '../../engine/views/reader';
import type { Command } from '../shell/command';
import { exitCodes } from '../shell/output';
import { insideWorker } from '../owner/decide';
import { isInsideWorker, looking } from '../owner/session';
import { bytesText } from '../../base/text/words';
import { inColumns, terminal } from '../../base/text/marked/terminal';

interface OldFolder {
  /** Null: belongs to no mission. */
  readonly mission_id: string | null;
  /** POSIX path relative to the workspace; absolute outside of it. */
  readonly path: string;
  readonly bytes: number;
}

export const clean: Command = {
  summary:
    'List, then delete run directories, baselines and copies of missions and drafts that have ended, and caches.',
  details: [
    'Without --yes it asks on a terminal and only lists elsewhere. Evidence, journal and recovery packets stay; what a task changed can be shown afterwards only where git has the earlier content. Links are never followed.',
  ],
  options: { yes: { help: 'Delete without asking.' } },
  async run(call) {
    const { out } = call;
    const read = await looking(call.workspace, async (viewer) => viewer && new MissionReader(viewer.journal).read());
    if (!read.ok) return out.refuse(read.refusal);
    const { missions, unreadable } = read.value ?? noMissions;
    const ended = missions.filter(({ mission }) => mission.execution === 'REPORTED');
    const closed = ended.map(({ mission }) => mission.mission_id);
    const groups = [...(await drafts(call.workspace))];
    const isOpen = unreadable.length > 0 || ofWorkspace({ missions }).some(({ execution }) => execution !== 'REPORTED');
    groups.push(...(await caches(call.workspace, isOpen)).map(alone));
    for (const mission_id of closed)
      groups.push(
        ...(await runDirectories(call.workspace, mission_id)).map(alone),
        ...(await baselines(call.workspace, mission_id)).map(alone),
      );
    const directories = groups.flat();
    const bytes = directories.reduce((sum, directory) => sum + directory.bytes, 0);
    for (const line of inColumns(directories.map((directory) => [directory.path, bytesText(directory.bytes)])))
      out.line(line);
    const wanted =
      directories.length > 0 &&
      (call.flag('yes') ||
        (!out.json &&
          out.interactive &&
          (await out.ask(terminal`Delete ${directories.length} folders (${bytesText(bytes)})?`))));
    if (wanted && (await isInsideWorker(call.workspace))) return out.refuse(insideWorker);
    const failed: Failure[] = [];
    if (wanted) for (const group of groups) failed.push(...(await removed(call.workspace, group)));
    const freed = directories.reduce(
      (sum, { path: at, bytes: own }) => sum + (failed.some((one) => one.path === at) ? 0 : own),
      0,
    );
    if (directories.length === 0)
      out.line(terminal`Nothing to clean: no ended mission has run directories, baselines or copies.`);
    else
      out.line(
        wanted
          ? terminal`${out.paint('green', 'Deleted')}: ${directories.length - failed.length} folders, ${bytesText(freed)}.`
          : terminal`${directories.length} folders, ${bytesText(bytes)}. Delete them with: mission clean --yes`,
      );
    for (const { path: place, reason } of failed) out.note(terminal`${place} was not deleted: ${reason}`);
    out.document({ deleted: wanted && failed.length === 0, directories, bytes, failed });
    return failed.length === 0 ? exitCodes.ok : exitCodes.failed;
  },
};

/** Folders in the order of removal. The last one names the others, so the next call finds what is left. */
type Group = readonly OldFolder[];

function alone(folder: OldFolder): Group {
  return [folder];
}

interface Failure {
  readonly path: string;
  readonly reason: string;
}

/** Removes the group. Returns what was not removed, and why; the first that cannot be removed keeps those after it. */
async function removed(workspace: string, group: Group): Promise<readonly Failure[]> {
  for (const [index, folder] of group.entries()) {
    try {
      await removeTree(path.resolve(workspace, folder.path));
    } catch (error) {
      const kept = `it is kept until ${folder.path} is gone, which is found by it`;
      const later = group.slice(index + 1).map((one) => ({ path: one.path, reason: kept }));
      return [{ path: folder.path, reason: errorWords(error) }, ...later];
    }
  }
  return [];
}

/** The run directories of a mission. It follows no link, so every folder on the way is a real one. */
async function runDirectories(workspace: string, missionId: string): Promise<readonly OldFolder[]> {
  if (!isPathId(missionId)) return [];
  const parts = [stateFolderName, 'missions', missionId, 'runs'];
  for (let depth = 1; depth <= parts.length; depth++) {
    if (!(await isRealFolder(path.join(workspace, ...parts.slice(0, depth))))) return [];
  }
  const names = (await readdir(path.join(workspace, ...parts))).sort();
  return realFolders(
    workspace,
    missionId,
    names.map((name) => [...parts, name].join('/')),
  );
}

/** Finds what drafts of plans have left: their baselines, and their runs, by which alone a draft is found. */
async function drafts(workspace: string): Promise<readonly Group[]> {
  const missions = path.join(workspace, stateFolderName, 'missions');
  for (const folder of [path.dirname(missions), missions]) if (!(await isRealFolder(folder))) return [];
  const found: Group[] = [];
  for (const { draft_id, live } of await draftFolders(missions)) {
    const runs = live ? [] : await realFolders(workspace, null, [`${stateFolderName}/missions/${draft_id}`]);
    if (runs.length > 0) found.push([...(await baselines(workspace, draft_id)), ...runs]);
  }
  return found;
}

/** Caches of the sandbox, while no command runs. A layer may hold work of a mission that is not over. */
async function caches(workspace: string, isOpen: boolean): Promise<readonly OldFolder[]> {
  const state = userStateFolder();
  if (!state.ok || (await liveRuns(path.join(workspace, stateFolderName, 'missions'))).length > 0) return [];
  const folder = cachesOf(state.value, await realpath(workspace));
  if (!(await isRealFolder(folder))) return [];
  // A process of a launch that was not proven gone may still write into its layer.
  const names = isOpen ? (await readdir(folder)).filter((name) => name !== sharedLayers && name !== ownLayers) : [''];
  const ended = isOpen ? await endedLaunches(path.join(folder, ownLayers)) : [];
  return realFolders(workspace, null, [...names.map((name) => path.join(folder, name)), ...ended]);
}

/** The baselines of an ended mission or draft, which no comparison uses, and the copies of files beside them. */
async function baselines(workspace: string, mission_id: string): Promise<readonly OldFolder[]> {
  const state = userStateFolder();
  if (!state.ok || !isPathId(mission_id)) return [];
  const root = await realpath(workspace);
  const places = [manifestsOf(state.value, root, mission_id), copiesOf(state.value, root, mission_id)];
  return realFolders(workspace, mission_id, places);
}

async function realFolders(
  workspace: string,
  mission_id: string | null,
  places: readonly string[],
): Promise<readonly OldFolder[]> {
  const found: OldFolder[] = [];
  for (const place of places) {
    const folder = path.resolve(workspace, place);
    if (await isRealFolder(folder)) found.push({ mission_id, path: place, bytes: await bytesIn(folder) });
  }
  return found;
}

async function isRealFolder(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(valueOn(null, 'ENOENT'));
  return stats?.isDirectory() === true;
}
