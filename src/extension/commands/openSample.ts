import { Uri, commands as vscodeCommands, window, workspace } from 'vscode';
import { ui } from '../../base/text/marked/ui';
import type { Composition } from '../compose';
import { type Contribution, commands } from '../registry/registry';
import { sampleName } from '../plans/samples';
import { entriesOf, statOf } from '../window/files';
import { inform } from '../window/ui';
import { executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import { refuseUntrusted } from './plan/approvePlan';
import { chooseFolder, showWritten, writtenDraft } from './plan/newPlan';
import { runPlan } from './plan/runPlan';

/** Makes a new folder with the sample plan and opens it, so that no folder of the person's is used. */
export async function openSample(composition: Composition): Promise<void> {
  const { folders } = composition;
  const root = await freeFolder(samplesOf(composition));
  await workspace.fs.writeFile(Uri.joinPath(root, 'README.md'), new TextEncoder().encode(readme));
  const draft = { plan_id: samplePlan, template: 'sample' } as const;
  if (!(await writtenDraft(composition, commands.openSample.title, root, draft))) return;
  // Marks it by a file, because a window that opens a folder may not store its state in time.
  await workspace.fs.writeFile(markerOf(root), new Uint8Array());
  await vscodeCommands.executeCommand('vscode.openFolder', root, { forceNewWindow: folders.all.length > 0 });
}

export function showOpenedSample(composition: Composition): Contribution {
  const inside = `${samplesOf(composition).path}/`;
  const sample = composition.folders.all.find(({ folder }) => folder.uri.path.startsWith(inside));
  if (sample)
    showPlan(sample.folder.uri).catch((error: unknown) =>
      composition.log.error(ui`The sample could not be shown`, error),
    );
  return { dispose: () => undefined };
}

async function showPlan(root: Uri): Promise<void> {
  const marker = markerOf(root);
  if ((await statOf(marker)) === null) return;
  await workspace.fs.delete(marker);
  const plan = Uri.joinPath(root, 'docs', 'plans', `PLAN_${samplePlan}.json`);
  await window.showTextDocument(await workspace.openTextDocument(plan), { preview: false });
  const run = commands.runPlan.title;
  const said = ui`This plan runs two small commands in this folder alone. Run Plan shows all that will run, and asks you first.`;
  if ((await inform(said, run)) === run) await vscodeCommands.executeCommand(commands.runPlan.id, plan);
}

function samplesOf({ context }: Composition): Uri {
  return Uri.joinPath(context.globalStorageUri, 'samples');
}

/** The file beside a sample that stays until its window has shown it. */
function markerOf(root: Uri): Uri {
  return root.with({ path: `${root.path}.new` });
}

const samplePlan = sampleName(1);

const readme = `# A sample of Mission Control

This folder holds a plan of two small commands: docs/plans/PLAN_${samplePlan}.json. They need no agent and no account.

1. Run "Mission Control: Run Plan". It shows all that will run. Press "Approve and Run".
2. Look at "Mission Control: Show Mission Control" while it runs.
3. Run "Mission Control: Verify Evidence". The evidence lies in docs/ops/executions/${samplePlan}.
`;

async function freeFolder(parent: Uri): Promise<Uri> {
  const names = new Set((await entriesOf(parent)).map(([name]) => name));
  for (let number = 1; ; number += 1) {
    const name = `mission-control-sample-${number}`;
    if (!names.has(name)) return Uri.joinPath(parent, name);
  }
}

/** Writes a plan of two small commands, shows what it will do, and runs it. Needs no agent and no account. */
export async function runSample(composition: Composition): Promise<void> {
  const { title } = commands.runSample;
  if (!workspace.isTrusted) return void refuseUntrusted(title);
  const folder = await chooseFolder(composition, title);
  if (!folder) return;
  const root = folder.folder.uri;
  const uri = await writtenDraft(composition, title, root, { plan_id: await freeId(root), template: 'sample' });
  if (!uri) return;
  await showWritten(composition, uri);
  await runPlan(composition, uri);
}

async function freeId(root: Uri): Promise<string> {
  for (let number = 1; ; number += 1) {
    const id = sampleName(number);
    const places = [`docs/plans/PLAN_${id}.json`, `${executionsDir}/${id}`];
    const taken = await Promise.all(places.map((place) => statOf(Uri.joinPath(root, ...place.split('/')))));
    if (taken.every((file) => file === null)) return id;
  }
}
