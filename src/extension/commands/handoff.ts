import { Uri, commands as vscodeCommands, env, window } from 'vscode';
import path from 'node:path';
import { handoffNames } from '../../contracts/vocabulary/handoff';
import { showAnswer } from './ask/decisions';
import { showRefusal, askReason, chooseFor } from './ask/targets';
import type { Composition } from '../compose';
import { handoffPage } from '../pages/handoff';
import { missionName, type MissionHere, type HandoffResumption, type MissionFolder } from '../folder/missionFolders';
import { commands } from '../registry/registry';
import { isOpen } from '../views/missionFacts';
import { approve } from './plan/approvePlan';
import { chooseFolder } from './plan/newPlan';
import { ui } from '../../base/text/marked/ui';
import { pick, ask, busy, inform } from '../window/ui';

export async function exportHandoff(composition: Composition, argument?: unknown): Promise<void> {
  const target = await chooseFor(composition, argument, 'exportHandoff', 'No mission is open.', isOpen);
  if (!target) return;
  const { title } = target.question;
  const { folder, mission } = target;
  const kind = await pick(kinds, { title, placeHolder: ui`What becomes of ${missionName(mission)} here?` });
  if (!kind) return;
  const { move } = kind;
  if (move && !(await confirmMove(mission))) return;
  const reason = await askReason(title, ui`A handoff of mission ${mission.plan_id} is written.`, target);
  const actor = reason === undefined ? undefined : await composition.person.identify();
  if (reason === undefined || !actor) return;
  const { answer, bundle } = await busy(ui`Writing a handoff of ${mission.plan_id}`, () =>
    folder.exportHandoff(actor, mission.mission_id, move, reason),
  );
  if (bundle === null) return void showAnswer(title, answer);
  const file = Uri.joinPath(folder.folder.uri, ...bundle.split('/'));
  const place = bundle.slice(0, bundle.lastIndexOf('/'));
  const chosen = await inform(ui`${answer.reason} It lies in ${place}.`, openBundle, copyPath);
  if (chosen === openBundle) await window.showTextDocument(file, { preview: true });
  if (chosen === copyPath) await env.clipboard.writeText(Uri.joinPath(file, '..').fsPath);
}

export async function resumeHandoff(composition: Composition): Promise<void> {
  const { title } = commands.resumeHandoff;
  const folder = await chooseFolder(composition, title);
  if (!folder) return;
  const picked = await window.showOpenDialog({
    title: 'Folder of the handoff',
    openLabel: 'Resume Handoff',
    canSelectFiles: false,
    canSelectFolders: true,
    defaultUri: folder.folder.uri,
  });
  const source = picked?.[0];
  if (!source) return;
  const reason = await askReason(title, ui`The run goes on in this folder.`, null);
  const actor = reason === undefined ? undefined : await composition.person.identify();
  if (reason === undefined || !actor) return;
  const wanted = { folder: source.fsPath, actor, reason, apply_diff: false };
  const resumed = await resumeWithConsent(composition, folder, wanted);
  if (!resumed) return;
  await composition.pages.show('Resume Handoff.md', handoffPage(source.fsPath, resumed));
  if (!resumed.answer.accepted) return void showRefusal(title, resumed.answer);
  const show = commands.showMissionControl.title;
  const chosen = await inform(ui`${resumed.answer.reason}`, show);
  if (chosen === show) await vscodeCommands.executeCommand(commands.showMissionControl.id);
}

/**
 * Asks before it writes what is missing here from the handoff. Also asks before it goes on with a
 * plan not approved here.
 */
async function resumeWithConsent(
  composition: Composition,
  folder: MissionFolder,
  wanted: Parameters<MissionFolder['resumeHandoff']>[0],
): Promise<HandoffResumption | undefined> {
  const { title } = commands.resumeHandoff;
  const resumed = await busy(ui`Checking the handoff`, () => folder.resumeHandoff(wanted));
  const { answer, plan_id, lacks } = resumed;
  const plan = plan_id === null ? null : Uri.joinPath(folder.folder.uri, 'docs', 'plans', `PLAN_${plan_id}.json`);
  if (lacks === 'plan' && plan) {
    const placed = await placePlan(composition, plan, wanted.folder, answer.reason);
    return placed ? resumeWithConsent(composition, folder, wanted) : resumed;
  }
  if (answer.code === 'APPROVAL_RECORD_REQUIRED' && plan) {
    const note = 'The plan of this run was approved somewhere else, so look at it before it goes on here.';
    const approved = await approve(composition, plan, { title, button: 'Approve and Resume', note });
    return approved && resumeWithConsent(composition, folder, wanted);
  }
  if (lacks === 'outputs') {
    const write = 'Write Them from the Diff';
    const chosen = await ask(
      ui`Outputs of done tasks are missing here.`,
      ui.lines([answer.reason, '', 'The handoff has a diff that holds all of them.']),
      write,
    );
    if (chosen === write) return resumeWithConsent(composition, folder, { ...wanted, apply_diff: true });
  }
  return resumed;
}

/** Writes the plan that the run is locked to, which a person then reads and approves like every other. */
async function placePlan({ plans }: Composition, plan: Uri, handoff: string, reason: string): Promise<boolean> {
  const write = 'Write It from the Handoff';
  const then = 'You read and approve it before the run goes on.';
  const chosen = await ask(ui`The plan of this run is missing here.`, ui.lines([reason, '', then]), write);
  if (chosen !== write) return false;
  const { bytes } = await plans.read(path.join(handoff, handoffNames.lockedPlan));
  const written = bytes && (await plans.write(plan.fsPath, bytes, null));
  if (written?.ok === false) void showRefusal(commands.resumeHandoff.title, written.refusal);
  return written?.ok === true;
}

const openBundle = 'Open Bundle';
const copyPath = 'Copy Path';

const kinds = [
  {
    label: 'The run stays here',
    detail: 'A copy of where it stands; resuming it elsewhere needs a person.',
    move: false,
  },
  { label: 'Give the run away', detail: 'The mission ends here and goes on where the handoff is resumed.', move: true },
];

async function confirmMove(mission: MissionHere): Promise<boolean> {
  const give = 'Give the Run Away';
  const detail = ui`Nothing of it may run now. The mission ends here as canceled (MOVED), with evidence that says where it went. This cannot be undone.`;
  return (await ask(ui`Give mission ${missionName(mission)} away?`, detail, give)) === give;
}
