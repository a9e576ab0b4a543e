import { commands as vscodeCommands, window, workspace, type Uri } from 'vscode';
import { done } from '../../../base/outcome';
import { evidenceIgnoredBy } from '../../../adapters/git/evidence';
import type { Actor } from '../../../contracts/vocabulary/actors';
import { recoveryPermissions, type RecoveryPermission } from '../../../contracts/vocabulary/intents';
import type { PlanCheck } from '../../../engine/plans/check';
import { approvePlan as approvePlanOf, asksRecovery, plannedFile } from '../../../engine/mission/approvePlan';
import { refusalText, showRefusal, type TargetArgument } from '../ask/targets';
import type { Composition } from '../../compose';
import { inFolder, missionName, workspaceOf, type MissionFolder, type Answer } from '../../folder/missionFolders';
import { stateOfPlans } from './planState';
import { choosePlan, openDocument, savedOrNothing } from '../../plans/uris';
import { commands } from '../../registry/registry';
import { offerExactBytes } from './exactBytes';
import { isOpen } from '../../views/missionFacts';
import { approvalView } from '../../../core/view/plan/approvalView';
import { recoveryWords } from '../../../base/text/words';
import { ui } from '../../../base/text/marked/ui';
import { pickMany, alarm, inform, busy } from '../../window/ui';
import { perAgent } from '../../../workers/registry';
import { approvalPage } from '../../plans/approvalPage';
import type { RevisionOverview } from '../../../base/text/revision';
import type { SupersededBy } from '../../../core/model/carried';

export async function approvePlan(composition: Composition, argument?: unknown): Promise<void> {
  const { title } = commands.approvePlan;
  const uri = await choosePlan(argument, title, stateOfPlans(composition));
  if (!uri || !(await savedOrNothing(uri))) return;
  const approved = await approve(composition, uri, { title, button: 'Approve These Bytes' });
  if (!approved) return;
  const where = inFolder(workspaceOf(approved.folder.folder, composition.folders.all));
  const { id, title: then, argument: about } = nextOf(approved, uri);
  void inform(ui`Plan ${approved.plan_id} is approved by ${approved.actor.name}${where}.`, then).then((chosen) => {
    if (chosen === then) void vscodeCommands.executeCommand(id, about);
  });
  await offerExactBytes(composition, approved.folder);
}

type NextCommand = (typeof commands)['runPlan' | 'showMissionControl'];

/** A plan whose mission is open does not start again. */
function nextOf({ folder, plan_id }: Approved, uri: Uri): NextCommand & { readonly argument: Uri | TargetArgument } {
  const open = folder.view?.missions.find((mission) => mission.plan_id === plan_id && isOpen(mission));
  if (!open) return { ...commands.runPlan, argument: uri };
  const argument = { folder: folder.folder.uri.toString(), missionId: open.mission_id };
  return { ...commands.showMissionControl, argument };
}

export function refuseUntrusted(title: string): Promise<void> {
  return showRefusal(title, {
    code: 'WORKSPACE_UNTRUSTED',
    reason: 'This workspace is not trusted, so nothing can be approved or started here.',
    next: ['Workspaces: Manage Workspace Trust'],
  });
}

type ApproveButton = 'Approve These Bytes' | 'Approve and Run' | 'Approve and Resume';

export interface Approved {
  readonly plan_id: string;
  readonly actor: Actor;
  readonly folder: MissionFolder;
}

/**
 * Asks for the approval on a page. Callers are this command, a run of unapproved
 * bytes, and the resumption of a handoff. Undefined: not approved.
 */
export async function approve(
  composition: Composition,
  uri: Uri,
  labels: { readonly title: string; readonly button: ApproveButton; readonly note?: string },
): Promise<Approved | undefined> {
  const { plans, planWritten, settings, person, clock, sandboxes } = composition;
  const folder = composition.folders.of(uri.fsPath);
  if (!folder) return undefined;
  if (!workspace.isTrusted) return void refuseUntrusted(labels.title);
  const { confinement, agent_network } = settings.confinement();
  const defaultWorker = settings.defaultWorker();
  const options = { defaultWorker, workspaceDir: folder.folder.uri.fsPath, ...(confinement && { confinement }) };
  const actor = await person.identify();
  if (!actor) return undefined;
  const recovery = asksRecovery((await plans.read(uri.fsPath)).value) ? await chooseRecovery(labels.title) : null;
  if (recovery === undefined) return undefined;
  const decision = {
    approved_by: actor.name,
    approved_at: `${clock.now().slice(0, 19)}Z`,
    note: null,
    recovery_allow: recovery,
  };
  const machine = {
    wanted: confinement ?? null,
    agent_network: agent_network ?? null,
    hosts: composition.hosts(),
    providers: await composition.providers(),
    models: perAgent((agent) => settings.worker(agent).model),
    standing: await sandboxes.standing(folder.folder.uri.fsPath),
  };
  const { button, note } = labels;
  const approval = await approvePlanOf(await plannedFile(plans, uri.fsPath, { decision, machine }, options), {
    plans,
    path: uri.fsPath,
    plan_path: workspace.asRelativePath(uri, false),
    defaultWorker,
    missions: async (look) => done(await look(await folder.missionSources())),
    evidenceIgnored: (planId) => evidenceIgnoredBy(folder.folder.uri.fsPath, planId),
    confirm(shown) {
      const name = missionName({ ...shown, workspace: workspaceOf(folder.folder, composition.folders.all) });
      const question = ui`Approve plan ${name} as ${actor.name}?`;
      return composition.reviews.ask({
        about: uri.toString(),
        title: ui`Approve ${name}`,
        body: approvalPage(
          approvalView(shown, (agent) => settings.worker(agent).extraArgs),
          { question, ...(note !== undefined && { note }) },
        ),
        button: ui`${button}`,
      });
    },
    unsaved: () => openDocument(uri)?.isDirty === true,
    async record(file) {
      const answer = await folder.recordApproval(actor, file, 'Approved on a page of VS Code.');
      return answer.accepted ? null : answer;
    },
    async written() {
      await planWritten.notify(uri);
    },
  });
  if (approval.kind === 'declined') return undefined;
  if (approval.kind === 'invalid') {
    await showInvalid(labels.title, uri, approval.findings);
    return undefined;
  }
  if (approval.kind === 'refused') return void showRefusal(labels.title, approval.refusal);
  const { approved, unrecorded, ends } = approval;
  const refused = unrecorded ?? (await endSuperseded(folder, actor, ends, approved));
  if (refused) return void showRefusal(labels.title, refused);
  const { plan_id } = approved;
  composition.doneSteps.tickPlan('planApproved', plan_id);
  return { plan_id, actor, folder };
}

/** Asks which corrections need no question, if the plan does not say. Undefined: the person left the dialog. */
async function chooseRecovery(title: string): Promise<readonly RecoveryPermission[] | undefined> {
  const items = recoveryPermissions.map((permission) => ({ ...recoveryWords[permission], permission }));
  const picked = await pickMany(items, {
    title,
    placeHolder: 'Tick what may be corrected without asking you; Enter confirms.',
  });
  return picked?.map(({ permission }) => permission);
}

export function isOfApproval({ pointer }: PlanCheck['findings'][number]): boolean {
  return pointer === '/status' || pointer.startsWith('/approval');
}

export async function showInvalid(title: string, uri: Uri, findings: PlanCheck['findings']): Promise<void> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  // What lacks only its approval is approved by itself, so another error is the reason.
  const first = errors.find((one) => !isOfApproval(one)) ?? errors[0];
  const more = errors.length > 1 ? ` (${errors.length - 1} more)` : '';
  const show = 'Show Problems';
  const chosen = await alarm(
    refusalText(title, {
      code: first?.code ?? 'PLAN_INVALID',
      reason: `${first?.message ?? 'The plan is not valid.'}${more}`,
      next: ['Correct the plan.'],
    }),
    show,
  );
  if (chosen !== show) return;
  await window.showTextDocument(uri);
  await vscodeCommands.executeCommand('workbench.actions.view.problems');
}

/** Milliseconds that a superseded mission has to end, with its workers. */
const endLimit = 60_000;
const lookAgainAfter = 250;

/** Null: they have ended; else the reason why not. */
export async function endSuperseded(
  folder: MissionFolder,
  actor: Actor,
  missions: RevisionOverview['missions'],
  by: SupersededBy,
): Promise<Answer | null> {
  if (missions.length === 0) return null;
  return busy(ui`Ending the missions that plan ${by.plan_id} supersedes…`, () => endAll(folder, actor, missions, by));
}

async function endAll(
  folder: MissionFolder,
  actor: Actor,
  missions: RevisionOverview['missions'],
  by: SupersededBy,
): Promise<Answer | null> {
  for (const { mission_id } of missions) {
    const reason = `Plan ${by.plan_id} was approved, which supersedes its plan.`;
    const answer = await folder.command(actor, mission_id, { type: 'SupersedeMission', ...by }, reason);
    if (!answer.accepted) return notEnded(by, mission_id, answer);
    for (const deadline = performance.now() + endLimit; !(await hasEnded(folder, mission_id));) {
      if (performance.now() > deadline) return notEnded(by, mission_id, { ...answer, code: 'MISSION_OPEN' });
      await new Promise((resolve) => setTimeout(resolve, lookAgainAfter));
    }
  }
  return null;
}

async function hasEnded(folder: MissionFolder, missionId: string): Promise<boolean> {
  await folder.refresh();
  const mission = folder.view?.missions.find(({ mission_id }) => mission_id === missionId);
  return mission === undefined || mission.execution === 'REPORTED';
}

function notEnded({ plan_id }: SupersededBy, missionId: string, { code, reason, next }: Answer): Answer {
  return {
    accepted: false,
    code,
    reason: `Plan ${plan_id} is approved, and mission ${missionId} has not ended: the revision runs when it has. ${reason}`,
    next: [...next, 'Approve it again.'],
  };
}
