import { FileType, Uri } from 'vscode';
import { parsedJson, textAt } from '../../base/json';
import { evidenceAnswer } from '../../core/view/evidence/evidenceAnswer';
import { executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import { readVerdict } from '../../engine/views/evidenceChecks';
import { ui } from '../../base/text/marked/ui';
import type { Composition } from '../compose';
import { workspaceOf } from '../folder/missionsHere';
import type { MissionFolder } from '../folder/types';
import { commands } from '../registry/registry';
import type { PanelData } from '../views/panelData';
import { entriesOf } from '../window/files';
import { pick } from '../window/pick';
import { alarm, busy, inform } from '../window/ui';
import { openSummary } from './opening';
import { chooseMission, namesMission, targetArgumentOf } from './ask/targets';

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
