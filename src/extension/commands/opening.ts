import { FileType, Uri, commands as vscodeCommands, window, workspace } from 'vscode';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import type { Composition } from '../compose';
import type { MissionFolder } from '../folder/types';
import { commands } from '../registry/registry';
import type { WorkerTerminals } from '../terminals/workerTerminals';
import { hasLiveWorker, hasRun, isBlocked } from '../views/missionFacts';
import { chooseBlock, chooseLane, chooseMission } from './targets';
import { ui } from '../../base/text/ui';
import { inform, pick, warn } from '../window/ui';

/** Shows the terminal of a live worker; of several lanes, the one that the person picks. */
export async function showWorkerTerminal(
  composition: Composition,
  terminals: WorkerTerminals,
  argument?: unknown,
): Promise<void> {
  const title = commands.showWorkerTerminal.title;
  const target = await chooseMission(
    composition.folders,
    { title, none: 'No worker is running.', fits: hasLiveWorker },
    argument,
  );
  const lane = target && (await chooseLane(target.mission.lanes.filter(hasRun), title));
  if (lane) await terminals.show(target.folder, target.mission, lane);
}

/** Opens the summary of an execution, or one of its files. */
export async function openEvidence({ folders }: Composition, argument?: unknown): Promise<void> {
  const named = (argument as { readonly missionId?: unknown } | undefined)?.missionId;
  for (const folder of folders.all) {
    const mission = folder.view?.missions.find((candidate) => candidate.mission_id === named);
    if (mission)
      return openFirst(
        folder,
        `${mission.evidence_dir}/${evidenceNames.summary}`,
        `${mission.evidence_dir}/${evidenceNames.header}`,
      );
  }
  const files = (await Promise.all(folders.all.map(evidenceFiles))).flat();
  if (files.length === 0) {
    void inform(ui`There is no evidence in this workspace yet (${executionsDir}).`);
    return;
  }
  const chosen = await pick(files, {
    title: commands.openEvidence.title,
    placeHolder: 'Which file?',
    matchOnDescription: true,
  });
  if (chosen) await open(chosen.uri);
}

/** Opens the Markdown twin of a blocked task's packet. */
export async function openRecoveryPacket({ folders }: Composition, argument?: unknown): Promise<void> {
  const question = { title: commands.openRecoveryPacket.title, none: 'No recovery packet is open.' };
  const target = await chooseMission(folders, { ...question, fits: isBlocked }, argument);
  const block = target && (await chooseBlock(target.mission.blocks, question));
  if (!block) return;
  if (block.packet_path === null) void inform(ui`The recovery packet is being written.`);
  else await openFirst(target.folder, block.packet_path.replace(/\.json$/, '.md'), block.packet_path);
}

/** Opens a file of the folder to be edited. */
export async function openFile({ folder }: MissionFolder, path: string): Promise<void> {
  await window.showTextDocument(Uri.joinPath(folder.uri, ...path.split('/')), { preview: false });
}

async function openFirst({ folder }: MissionFolder, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const uri = Uri.joinPath(folder.uri, ...path.split('/'));
    if (await typeOf(uri)) return open(uri);
  }
  void warn(ui`${paths[0] ?? ''} is not there.`);
}

async function open(uri: Uri): Promise<void> {
  if (uri.path.endsWith('.md')) await vscodeCommands.executeCommand('markdown.showPreview', uri);
  else await window.showTextDocument(uri, { preview: true });
}

interface EvidenceItem {
  readonly label: string;
  readonly description: string;
  readonly uri: Uri;
}

/** Files of all executions, the summaries first. */
async function evidenceFiles({ folder }: MissionFolder): Promise<readonly EvidenceItem[]> {
  const root = Uri.joinPath(folder.uri, ...executionsDir.split('/'));
  if ((await typeOf(root)) !== FileType.Directory) return [];
  const items: EvidenceItem[] = [];
  for (const [plan, type] of await workspace.fs.readDirectory(root)) {
    if (type !== FileType.Directory) continue;
    const files = await workspace.fs.readDirectory(Uri.joinPath(root, plan));
    for (const [name, kind] of files)
      if (kind === FileType.File) items.push({ label: name, description: plan, uri: Uri.joinPath(root, plan, name) });
  }
  const rank = (item: EvidenceItem): string =>
    `${item.description} ${item.label === evidenceNames.summary ? '0' : '1'} ${item.label}`;
  return items.sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

async function typeOf(uri: Uri): Promise<FileType | null> {
  return Promise.resolve(workspace.fs.stat(uri)).then(
    ({ type }) => type,
    () => null,
  );
}
