import { Range, Uri, commands, env, window, workspace } from 'vscode';
import { planPlaces } from '../../adapters/documents/planPlaces';
import { placeInside } from '../../adapters/files/inside';
import { ui } from '../../base/text/marked/ui';
import { stepLines } from '../../base/text/steps';
import { nextSteps, type MissionView } from '../../contracts/page/missionView';
import type { CopiedThing } from '../../contracts/page/panelMessages';
import type { OpenTarget } from '../../contracts/page/pageMessage';
import type { PanelItem } from '../../engine/views/panelView';
import { openFirst, openOutput, openSummary, noPacketHere } from '../commands/opening';
import type { TargetArgument } from '../commands/ask/targets';
import { textOf } from '../editor/planDocuments';
import type { MissionFolder } from '../folder/missionFolders';
import { commands as registered } from '../registry/registry';
import { hasRun } from '../views/missionFacts';
import type { WorkerTerminals } from '../terminals/workerTerminals';
import { inform, warn } from '../window/ui';

/** Opens what the page names, if the last snapshot has it; otherwise a message says what is missing. */
export async function openTarget(
  item: PanelItem,
  folder: MissionFolder,
  target: OpenTarget,
  terminals: Pick<WorkerTerminals, 'show'>,
): Promise<void> {
  const mission = missionOf(item);
  switch (target.kind) {
    case 'plan':
      return openPlan(item, folder, mission, target.task_id);
    case 'evidence': {
      const dir = mission?.evidence_dir ?? (item.of.kind === 'evidence_only' ? item.of.evidence.dir : null);
      const task = mission?.tasks.find(({ task_id }) => task_id === target.task_id);
      if (dir === null) return;
      return openSummary(folder, dir, ...(task ? [`TASK_${task.task_id}.json`] : []));
    }
    case 'packet': {
      const block = mission?.blocks.find(({ packet_id }) => packet_id === target.packet_id);
      if (!block) return void gone();
      if (block.packet_path === null) return void noPacketHere(block);
      return openFirst(folder, block.packet_path.replace(/\.json$/, '.md'), block.packet_path);
    }
    case 'output': {
      const block = mission?.blocks.find(({ packet_id }) => packet_id === target.packet_id);
      return block ? openOutput(folder, block.run_dir) : void gone();
    }
    case 'diff': {
      const isThere = target.task_id === undefined || mission?.tasks.some(({ task_id }) => task_id === target.task_id);
      if (!mission || !isThere) return void gone();
      const argument: TargetArgument = {
        folder: folder.folder.uri.toString(),
        missionId: mission.mission_id,
        ...(target.task_id !== undefined && { taskId: target.task_id }),
      };
      await commands.executeCommand(registered.reviewChanges.id, argument);
      return;
    }
    case 'terminal': {
      const lane = mission?.lanes.find(({ task_id }) => task_id === target.task_id);
      if (!mission || !lane || !hasRun(lane)) return void gone();
      return (await terminals.show(folder, mission, lane)) ? undefined : void gone();
    }
    case 'file': {
      const file = mission?.tasks.find(({ task_id }) => task_id === target.task_id)?.changed[target.index];
      if (file === undefined) return void gone();
      return openInside(folder, file);
    }
  }
}

export async function copyThing(item: PanelItem, what: CopiedThing): Promise<void> {
  const mission = missionOf(item);
  if (!mission) return;
  const texts: Readonly<Record<CopiedThing, string>> = {
    mission_id: mission.mission_id,
    plan_sha256: mission.plan_sha256,
    status: `${mission.plan_id}: ${mission.headline}`,
    next: stepLines(nextSteps(mission)).join('\n'),
  };
  await env.clipboard.writeText(texts[what]);
}

function missionOf({ of }: PanelItem): MissionView | undefined {
  return of.kind === 'mission' ? of.view : undefined;
}

async function openPlan(
  { of }: PanelItem,
  { folder }: MissionFolder,
  mission: MissionView | undefined,
  task: string | undefined,
): Promise<void> {
  const file = mission?.plan_path ?? (of.kind === 'draft' ? of.draft.path : null);
  if (file === null) return;
  const uri = Uri.joinPath(folder.uri, ...file.split('/'));
  const document = await Promise.resolve(workspace.openTextDocument(uri)).catch(() => null);
  if (!document) return void warn(ui`${file} is not there.`);
  const text = task === undefined ? null : textOf(document);
  const place = text === null ? undefined : planPlaces(text).tasks.find(({ task_id }) => task_id === task)?.at;
  const start = place && document.positionAt(place.offset);
  await window.showTextDocument(document, { preview: true, ...(start && { selection: new Range(start, start) }) });
}

/** Opens a path that a worker chose, only if it lies inside the folder with links followed. */
async function openInside({ folder }: MissionFolder, file: string): Promise<void> {
  const place = await placeInside(folder.uri.fsPath, file);
  if (place === 'gone') return void warn(ui`${file} is gone.`);
  if (place === 'outside') return void warn(ui`${file} leads out of the workspace, so it is not opened.`);
  // Opens it like a click in the Explorer, which shows pictures and says what other bytes are.
  await commands.executeCommand('vscode.open', Uri.file(place.path), { preview: true });
}

function gone(): ReturnType<typeof inform> {
  return inform(ui`That is gone, because the mission has gone on. The page shows what is there now.`);
}
