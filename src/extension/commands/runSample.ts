import { Uri, window, workspace } from 'vscode';
import { writePlanDraft } from '../../engine/plans/draft';
import { executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import { refusalText } from './ask/answers';
import type { Composition } from '../compose';
import { tellWritten } from '../editor/tellWritten';
import { sampleName } from '../plans/samples';
import { commands } from '../registry/registry';
import { alarm } from '../window/ui';
import { approve, refuseUntrusted } from './plan/approvePlan';
import { chooseFolder } from './plan/newPlan';
import { runPlan } from './plan/runPlan';

/** Writes a plan of two small commands, shows what it will do, and runs it. Needs no agent and no account. */
export async function runSample(composition: Composition): Promise<void> {
  const { title } = commands.runSample;
  if (!workspace.isTrusted) {
    refuseUntrusted(title);
    return;
  }
  const folder = await chooseFolder(composition, title);
  if (!folder) return;
  const root = folder.folder.uri;
  const absolute = (relative: string): string => Uri.joinPath(root, ...relative.split('/')).fsPath;
  const plan_id = await freeId(root);
  const planner = composition.person.actor.name;
  const written = await writePlanDraft({ plan_id, template: 'sample', planner, absolute }, composition);
  if (!written.ok) {
    void alarm(refusalText(title, written.refusal));
    return;
  }
  const uri = Uri.file(absolute(written.value.plan_path));
  await tellWritten(composition, uri);
  await window.showTextDocument(await workspace.openTextDocument(uri));
  if (await approve(composition, uri, { title, button: 'Approve and Run' })) await runPlan(composition, uri);
}

/** The first name that no plan and no evidence here has. */
async function freeId(root: Uri): Promise<string> {
  for (let number = 1; ; number += 1) {
    const id = sampleName(number);
    const places = [`docs/plans/PLAN_${id}.json`, `${executionsDir}/${id}`];
    const taken = await Promise.all(places.map((place) => isThere(Uri.joinPath(root, ...place.split('/')))));
    if (!taken.includes(true)) return id;
  }
}

async function isThere(uri: Uri): Promise<boolean> {
  return Promise.resolve(workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
}
