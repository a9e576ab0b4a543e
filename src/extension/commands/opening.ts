import { FileType, Uri, commands as vscodeCommands, window, workspace } from 'vscode';
import type { BlockView } from '../../contracts/page/blockView';
import type { runFiles } from '../../contracts/launch';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import type { Composition } from '../compose';
import { missionsHere, workspaceOf, type MissionFolder } from '../folder/missionFolders';
import { choosePlan } from '../plans/uris';
import { commands } from '../registry/registry';
import type { WorkerTerminals } from '../terminals/workerTerminals';
import { needsYouMenu } from '../views/attentionItems';
import type { PanelData } from '../views/panelData';
import { hasLiveWorker, hasRun, isBlocked, underWay } from '../views/missionFacts';
import { chooseBlock, chooseLane, chooseMission, namesMission, targetArgumentOf } from './ask/targets';
import { stateOfPlans } from './plan/planState';
import { ui } from '../../base/text/marked/ui';
import { statOf, entriesOf } from '../window/files';
import { pick, pickFrom, inform, warn, alarm, busy } from '../window/ui';
import { parsedJson, textAt } from '../../base/json';
import { evidenceAnswer } from '../../core/view/evidence/evidenceAnswer';
import { readVerdict } from '../../engine/views/evidenceChecks';

/** Shows the terminal of a live worker or orchestrator; a person picks one of several. */
export async function showWorkerTerminal(
  composition: Composition,
  terminals: WorkerTerminals,
  argument?: unknown,
): Promise<void> {
  const question = { title: commands.showWorkerTerminal.title, none: 'No worker is running.' };
  const target = await chooseMission(composition, { ...question, fits: hasLiveWorker }, argument);
  const lane = target && (await chooseLane(target, underWay(target.mission).filter(hasRun)));
  if (!lane || (await terminals.show(target.folder, target.mission, lane))) return;
  void inform(
    ui`Task ${lane.task_id} of mission ${target.mission.plan_id} has ended meanwhile. ${commands.openEvidence.title} or ${commands.openRecoveryPacket.title} shows what became of it.`,
  );
}

export async function openEvidence(
  composition: Composition,
  found: Pick<PanelData, 'evidenceOf'>,
  argument?: unknown,
): Promise<void> {
  const { folders } = composition;
  const { title } = commands.openEvidence;
  const { missionId } = targetArgumentOf(argument);
  const evidence = missionId !== undefined && !namesMission(folders, argument) ? found.evidenceOf(missionId) : null;
  if (evidence) return openSummary(evidence.folder, evidence.dir);
  if (missionId !== undefined) {
    const target = await chooseMission(composition, { title, none: '', fits: () => true }, argument);
    return target && openSummary(target.folder, target.mission.evidence_dir);
  }
  const files = (await Promise.all(folders.all.map((folder) => evidenceFiles(folder, folders.all)))).flat();
  if (files.length === 0) return void inform(ui`There is no evidence in this workspace yet (${executionsDir}).`);
  const chosen = await pick(files, {
    title,
    placeHolder: 'Which file?',
    matchOnDescription: true,
  });
  if (chosen) await open(chosen.uri);
}

export async function openPlan(composition: Composition, argument?: unknown): Promise<void> {
  const uri = await choosePlan(argument, commands.openPlan.title, stateOfPlans(composition));
  if (uri) await window.showTextDocument(uri, { preview: true });
}

/** The menu behind the status bar. */
export async function showNeedsYou({ folders }: Composition): Promise<void> {
  const chosen = await pickFrom(needsYouMenu(missionsHere(folders.all)), {
    title: commands.showNeedsYou.title,
    placeHolder: 'What do you want to do?',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen) await vscodeCommands.executeCommand(commands[chosen.command].id, chosen.on ?? undefined);
}

/** Opens the Markdown twin of a blocked task's packet. */
export async function openRecoveryPacket(composition: Composition, argument?: unknown): Promise<void> {
  const question = { title: commands.openRecoveryPacket.title, none: 'No recovery packet is open.' };
  const target = await chooseMission(composition, { ...question, fits: isBlocked }, argument);
  const block = target && (await chooseBlock(target, target.mission.blocks));
  if (!block) return;
  if (block.packet_path === null) void noPacketHere(block);
  else await openFirst(target.folder, block.packet_path.replace(/\.json$/, '.md'), block.packet_path);
}

export function noPacketHere({ task_id, packet_away }: BlockView): ReturnType<typeof inform> {
  const { title } = commands.openRecoveryPacket;
  return packet_away
    ? inform(ui`The recovery packet of task ${task_id} is on the host that runs its mission.`)
    : inform(ui`The recovery packet of task ${task_id} is being written. Run ${title} again in a moment.`);
}

export async function openFile({ folder }: MissionFolder, path: string): Promise<void> {
  await window.showTextDocument(Uri.joinPath(folder.uri, ...path.split('/')), { preview: false });
}

/** Opens one of the files of an execution that is there: the summary, else the header, and `first` before both. */
export function openSummary(folder: MissionFolder, dir: string, ...first: readonly string[]): Promise<void> {
  const names = [...first, evidenceNames.summary, evidenceNames.header];
  return openFirst(folder, ...names.map((name) => `${dir}/${name}`));
}

export async function openFirst({ folder }: MissionFolder, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const uri = Uri.joinPath(folder.uri, ...path.split('/'));
    if (await statOf(uri)) return open(uri);
  }
  void warn(ui`${paths[0] ?? ''} is not there.`);
}

/** Opens both output channels of a launch, except empty ones, with standard output in front. */
export async function openOutput({ folder }: MissionFolder, runDir: string): Promise<void> {
  const files = channels.map((name) => Uri.joinPath(folder.uri, ...runDir.split('/'), name));
  const stats = await Promise.all(files.map(statOf));
  const printed = files.filter((_, index) => (stats[index]?.size ?? 0) > 0);
  if (printed.length === 0) return void inform(ui`It printed nothing, or its output is gone: ${runDir}.`);
  for (const uri of printed) await window.showTextDocument(uri, { preview: false });
}

/** Only the names, because their module would load the schemas of a run. */
const channels = ['stderr.log', 'stdout.jsonl'] satisfies readonly (typeof runFiles)[keyof typeof runFiles][];

async function open(uri: Uri): Promise<void> {
  if (uri.path.endsWith('.md')) await vscodeCommands.executeCommand('markdown.showPreview', uri);
  else await window.showTextDocument(uri, { preview: true });
}

interface EvidenceItem {
  readonly label: string;
  readonly description: string;
  readonly uri: Uri;
}

/** Files of all executions, the summaries first. @param all folders of the window */
async function evidenceFiles(
  { folder }: MissionFolder,
  all: readonly MissionFolder[],
): Promise<readonly EvidenceItem[]> {
  const where = workspaceOf(folder, all);
  const root = Uri.joinPath(folder.uri, ...executionsDir.split('/'));
  if ((await statOf(root))?.type !== FileType.Directory) return [];
  const items: EvidenceItem[] = [];
  // Rejects where it cannot be read, because evidence is there then.
  for (const [plan, type] of await workspace.fs.readDirectory(root)) {
    if (type !== FileType.Directory) continue;
    const description = where === null ? plan : `${plan} · ${where}`;
    for (const [name, kind] of await workspace.fs.readDirectory(Uri.joinPath(root, plan)))
      if (kind === FileType.File) items.push({ label: name, description, uri: Uri.joinPath(root, plan, name) });
  }
  const rank = (item: EvidenceItem): string =>
    `${item.description} ${item.label === evidenceNames.summary ? '0' : '1'} ${item.label}`;
  return items.sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

/** One execution whose evidence lies in a folder of the window. */
interface Execution {
  readonly folder: MissionFolder;
  readonly planId: string;
}

export async function verifyEvidence(
  composition: Composition,
  found: Pick<PanelData, 'evidenceOf' | 'verify'>,
  argument?: unknown,
): Promise<void> {
  const execution = await executionOf(composition, found, argument);
  if (!execution) return;
  const { folder, planId } = execution;
  const printed = await busy(ui`Verifying the evidence of ${planId}…`, () => found.verify(folder, planId));
  const verdict = readVerdict(printed);
  if (typeof verdict === 'string') {
    const why = textAt(parsedJson(printed), 'reason') ?? verdict;
    void alarm(ui`The evidence of ${planId} could not be verified: ${why} Doctor says what this machine lacks.`);
    return;
  }
  const dir = `${executionsDir}/${planId}`;
  const entries = await entriesOf(Uri.joinPath(folder.folder.uri, ...dir.split('/')));
  const names = entries.map(([name]) => name);
  const { holds, text, lines } = evidenceAnswer(planId, names, verdict);
  if (holds) composition.doneSteps.tick('evidenceHolds');
  const [tell, findings, open] = [holds ? inform : alarm, 'Show Findings', 'Open Evidence'] as const;
  const chosen = await (lines.length > 0 ? tell(ui`${text}`, findings, open) : tell(ui`${text}`, open));
  if (chosen === findings) await composition.pages.stay(`Findings of ${planId}.txt`, ui.lines([text, '', ...lines]));
  if (chosen === open) await openSummary(folder, dir);
}

async function executionOf(
  composition: Composition,
  found: Pick<PanelData, 'evidenceOf'>,
  argument: unknown,
): Promise<Execution | undefined> {
  const { folders } = composition;
  const { title } = commands.verifyEvidence;
  const { missionId } = targetArgumentOf(argument);
  const evidence = missionId !== undefined && !namesMission(folders, argument) ? found.evidenceOf(missionId) : null;
  if (evidence) return { folder: evidence.folder, planId: evidence.dir.slice(evidence.dir.lastIndexOf('/') + 1) };
  if (missionId !== undefined) {
    const target = await chooseMission(composition, { title, none: '', fits: () => true }, argument);
    if (!target) return undefined;
    const { plan_id, execution } = target.mission;
    if (execution === 'REPORTED') return { folder: target.folder, planId: plan_id };
    void inform(ui`Mission ${plan_id} writes its evidence until it has ended. Verify it afterwards.`);
    return undefined;
  }
  const all = (await Promise.all(folders.all.map(executionsIn))).flat();
  const [first, ...others] = all;
  if (!first) void inform(ui`There is no evidence in this workspace yet (${executionsDir}).`);
  if (!first || others.length === 0) return first;
  const items = all.map((execution) => ({
    label: execution.planId,
    description: workspaceOf(execution.folder.folder, folders.all) ?? '',
    execution,
  }));
  return (await pick(items, { title, placeHolder: 'Whose evidence?', matchOnDescription: true }))?.execution;
}

async function executionsIn(folder: MissionFolder): Promise<readonly Execution[]> {
  const entries = await entriesOf(Uri.joinPath(folder.folder.uri, ...executionsDir.split('/')));
  return entries.flatMap(([planId, type]) => (type === FileType.Directory ? [{ folder, planId }] : []));
}
