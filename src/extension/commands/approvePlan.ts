import { commands as vscodeCommands, window, workspace, type Uri } from 'vscode';
import { evidenceIgnoredBy } from '../../adapters/git/evidenceIgnored';
import type { Actor } from '../../contracts/vocabulary/actors';
import { recoveryPermissions, type RecoveryPermission } from '../../contracts/vocabulary/intents';
import type { PlanCheck, PlanCheckOptions } from '../../engine/plans/check';
import { asShown, notSaved } from '../../engine/plans/asShown';
import { approvedInstructions } from '../../engine/plans/instructions';
import { refusalText } from './answers';
import type { Composition } from '../compose';
import { inFolder, missionName, workspaceOf } from '../folder/missionsHere';
import type { MissionFolder } from '../folder/types';
import { endSuperseded, revisionOf } from './approveRevision';
import { stateOfPlans } from './planState';
import { choosePlan, openDocument, savedOrNothing } from '../plans/uris';
import { commands } from '../registry/registry';
import { offerExactBytes } from './exactBytes';
import type { TargetArgument } from './targets';
import { isOpen } from '../views/missionFacts';
import { approvalView } from '../../core/view/approvalView';
import { recoveryWords } from '../../base/text/words';
import { ui } from '../../base/text/ui';
import { toSupersede } from '../../base/text/revision';
import { pickMany } from '../window/pick';
import { alarm, inform } from '../window/ui';
import { perAgent } from '../../workers/registry';
import { approvalPage } from '../plans/approvalPage';

/** Shows what is approved, writes the approval into the file, and journals it. */
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

export function refuseUntrusted(title: string): void {
  void alarm(
    refusalText(title, {
      code: 'WORKSPACE_UNTRUSTED',
      reason: 'This workspace is not trusted, so nothing can be approved or started here.',
      next: ['Workspaces: Manage Workspace Trust'],
    }),
  );
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
  const { plans, planWork, planWritten, settings, person, clock, sandboxes } = composition;
  const folder = composition.folders.of(uri.fsPath);
  if (!folder) return undefined;
  if (!workspace.isTrusted) {
    refuseUntrusted(labels.title);
    return undefined;
  }
  const { confinement, agent_network } = settings.confinement();
  const options: PlanCheckOptions = {
    defaultWorker: settings.defaultWorker(),
    workspaceDir: folder.folder.uri.fsPath,
    ...(confinement && { confinement }),
  };
  const actor = await person.identify();
  if (!actor) return undefined;
  const recovery = (await planWork.asksRecovery(uri.fsPath)) ? await chooseRecovery(labels.title) : null;
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
  const planned = await planWork.approval(uri.fsPath, decision, options, machine);
  if (!planned.ok) {
    await showInvalid(labels.title, uri, planned.findings);
    return undefined;
  }
  const { plan_id, plan_sha256 } = planned;
  const revised = await revisionOf(composition, folder, planned, options);
  if (revised.findings.length > 0) {
    await showInvalid(labels.title, uri, revised.findings);
    return undefined;
  }
  const { revision, late } = revised;
  if (late) {
    void alarm(refusalText(labels.title, late));
    return undefined;
  }
  const ignored = await evidenceIgnoredBy(folder.folder.uri.fsPath, plan_id);
  const overview = {
    ...planned.overview,
    ...(revision && { revision }),
    ...(ignored && { evidence_ignored: ignored }),
  };
  const named = { plan_id, workspace: workspaceOf(folder.folder, composition.folders.all) };
  const { button, note } = labels;
  const question = ui`Approve plan ${missionName(named)} as ${actor.name}?`;
  const pressed = await composition.reviews.ask({
    about: uri.toString(),
    title: ui`Approve ${missionName(named)}`,
    body: approvalPage(
      approvalView(overview, (agent) => settings.worker(agent).extraArgs),
      { question, ...(note !== undefined && { note }) },
    ),
    button: ui`${button}`,
  });
  if (!pressed) return undefined;
  if (!(await isAsShown(composition, uri, labels.title, planned.read_sha256))) return undefined;
  const instructions = approvedInstructions(overview.instructions);
  const shown = {
    ...(overview.speaks_to && { speaks_to: overview.speaks_to }),
    ...(instructions && { instructions }),
  };
  const plan_path = workspace.asRelativePath(uri, false);
  const record = async (): Promise<boolean> => {
    const reason = 'Approved on a page of VS Code.';
    const answer = await folder.recordApproval(actor, { plan_id, plan_path, plan_sha256, ...shown }, reason);
    if (!answer.accepted) void alarm(refusalText(labels.title, answer));
    return answer.accepted;
  };
  const ends = revision ? toSupersede(revision) : [];
  // Writes a revision only if its approval can be recorded, because otherwise the superseded mission would not end.
  if (ends.length > 0 && !(await record())) return undefined;
  if (planned.changed) {
    const written = await plans.write(uri.fsPath, planned.bytes, planned.read_sha256);
    if (!written.ok) {
      void alarm(refusalText(labels.title, written.refusal));
      return undefined;
    }
    await planWritten.notify(uri);
  }
  if (ends.length === 0 && !(await record())) return undefined;
  const refused = await endSuperseded(folder, actor, ends, { plan_id, plan_sha256 });
  if (refused) {
    void alarm(refusalText(labels.title, refused));
    return undefined;
  }
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

/**
 * Returns whether the plan is what the page showed, because it may have been open for hours; a message says if not.
 */
async function isAsShown({ plans }: Composition, uri: Uri, title: string, shown: string): Promise<boolean> {
  const still = openDocument(uri)?.isDirty === true ? notSaved() : await asShown(plans, uri.fsPath, shown);
  if (!still.ok) void alarm(refusalText(title, still.refusal));
  return still.ok;
}

export async function showInvalid(title: string, uri: Uri, findings: PlanCheck['findings']): Promise<void> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
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
