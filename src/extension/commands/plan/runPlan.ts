import { commands as vscodeCommands, workspace, type Uri } from 'vscode';
import type { Refusal } from '../../../base/outcome';
import { lookBeforeApproval } from '../../../engine/mission/start';
import { checkPlan, type PlanCheck } from '../../../engine/plans/check';
import { showRefusal, askReason, type TargetArgument } from '../ask/targets';
import type { Composition } from '../../compose';
import {
  missionName,
  missionsOf,
  untilView,
  type MissionHere,
  type ApprovedBytes,
  type MissionFolder,
} from '../../folder/missionFolders';
import { withPorts } from '../../folder/owner';
import { stateOfPlans } from './planState';
import { choosePlan, savedOrNothing } from '../../plans/uris';
import { commands } from '../../registry/registry';
import { approve, isOfApproval, refuseUntrusted, showInvalid } from './approvePlan';
import { ask } from '../../window/ui';
import { takesNamed } from '../../views/missionFacts';
import { ui } from '../../../base/text/marked/ui';

/** Runs an approved plan; shows unapproved bytes first. Resolves when the mission has begun. */
export async function runPlan(composition: Composition, argument?: unknown): Promise<void> {
  const { title } = commands.runPlan;
  const uri = await choosePlan(argument, title, stateOfPlans(composition));
  if (!uri || !(await savedOrNothing(uri))) return;
  const folder = composition.folders.of(uri.fsPath);
  if (!folder) return;
  const check = await checkPlan(composition.plans, uri.fsPath, {
    defaultWorker: composition.settings.defaultWorker(),
    workspaceDir: folder.folder.uri.fsPath,
  });
  if (!(await mayStart(composition, folder, uri, check))) return;
  if (!check.valid || check.plan_sha256 === null) {
    if (await approvedNow(composition, uri, check)) await runPlan(composition, uri);
    return;
  }
  const bytes = {
    plan_id: check.plan?.plan_id ?? '',
    plan_file: uri.fsPath,
    plan_sha256: check.plan_sha256,
    other_forms: check.text.other_forms ?? [],
    risk_level: check.plan?.risk.level ?? 0,
  };
  const actor = await approvedActor(composition, folder, uri, bytes);
  if (!actor) return;
  const answer = await folder.run(actor, uri.fsPath);
  if (!answer.accepted) return void showRefusal(title, answer);
  if (answer.mission_id === undefined) return;
  // Takes the first of both, because a mission that changes all the time is read all the time.
  const isKnown = (): boolean =>
    folder.view?.missions.some(({ mission_id }) => mission_id === answer.mission_id) === true;
  await Promise.race([untilView(composition.folders, isKnown), folder.refresh()]);
  // Passes the mission, because the panel then leaves the focus where the person types.
  const started: TargetArgument = { folder: folder.folder.uri.toString(), missionId: answer.mission_id };
  await vscodeCommands.executeCommand(commands.showMissionControl.id, started);
}

/** Looks before a person reads and approves the plan; what keeps it from running is said or asked. */
async function mayStart(composition: Composition, folder: MissionFolder, uri: Uri, check: PlanCheck): Promise<boolean> {
  const { title } = commands.runPlan;
  if (!workspace.isTrusted) {
    void refuseUntrusted(title);
    return false;
  }
  await folder.refresh();
  const busy = (folder.view?.missions ?? []).flatMap(({ status, interrupted, mission_id }) =>
    status === 'running' && !interrupted ? [mission_id] : [],
  );
  const { settings } = composition;
  const asked = { default_worker: settings.defaultWorker(), ...settings.confinement() };
  const plan = { plan_path: workspace.asRelativePath(uri, false), busy: new Set(busy) };
  const free = await withPorts(composition, folder, ({ ports }) => lookBeforeApproval(check, plan, asked, ports));
  if (free.ok) return true;
  if (free.refusal.code === 'FAILURE_UNACKNOWLEDGED')
    return (await hasAcknowledged(composition, folder, free.refusal)) && mayStart(composition, folder, uri, check);
  void showRefusal(title, free.refusal);
  return false;
}

async function hasAcknowledged(
  { folders, person }: Composition,
  folder: MissionFolder,
  refusal: Refusal,
): Promise<boolean> {
  const failed = missionsOf(folder, folders.all)
    .filter((mission) => takesNamed('acknowledge', mission))
    .reduce<MissionHere | null>(
      (last, one) => (last && (last.ended_at ?? '') > (one.ended_at ?? '') ? last : one),
      null,
    );
  if (!failed) {
    void showRefusal(commands.runPlan.title, refusal);
    return false;
  }
  const button = 'Acknowledge and Run';
  const detail = ui`${failed.headline} The failure stays in the journal and in its evidence.`;
  if (
    (await ask(ui`Mission ${missionName(failed)} failed, and no person has acknowledged it.`, detail, button)) !==
    button
  )
    return false;
  const reason = await askReason(commands.acknowledge.title, ui`You have seen: ${failed.headline}`, {
    mission: failed,
  });
  const actor = reason === undefined ? undefined : await person.identify();
  if (reason === undefined || !actor) return false;
  const seen = await folder.command(actor, failed.mission_id, { type: 'Acknowledge' }, reason);
  if (!seen.accepted) void showRefusal(commands.runPlan.title, seen);
  return seen.accepted;
}

async function approvedActor(
  composition: Composition,
  folder: MissionFolder,
  uri: Uri,
  bytes: ApprovedBytes,
): ReturnType<Composition['person']['identify']> {
  const verdict = await folder.approvalOf(bytes);
  if (verdict?.counts) return composition.person.identify();
  const note =
    verdict && verdict.recorded !== 'none'
      ? `${verdict.why} Look at the plan again before it runs.`
      : 'The file says that it is approved. That was not done here, so look at it before it runs.';
  return (await approve(composition, uri, { title: commands.runPlan.title, button: 'Approve and Run', note }))?.actor;
}

/** Offers to approve and run a draft that lacks only its approval; shows the findings of other plans. */
async function approvedNow(composition: Composition, uri: Uri, check: PlanCheck): Promise<boolean> {
  const { title } = commands.runPlan;
  const errors = check.findings.filter(({ severity }) => severity === 'error');
  const onlyApproval = errors.every(isOfApproval);
  if (!onlyApproval) {
    await showInvalid(title, uri, check.findings);
    return false;
  }
  const note = 'The plan is a draft. Look at it before it runs.';
  return (await approve(composition, uri, { title, button: 'Approve and Run', note })) !== undefined;
}
