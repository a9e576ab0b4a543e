import path from 'node:path';
import {
  Uri,
  commands as vscodeCommands,
  window,
  workspace,
  Position,
  RelativePattern,
  TabInputTextDiff,
  WorkspaceEdit,
} from 'vscode';
import { planIdIn } from '../../../base/planId';
import { agentNames, type AgentName } from '../../../contracts/vocabulary/workers';
import { idFault, planPathOf, writePlanDraft, type PlanTemplateName } from '../../../engine/plans/draft';
import { agentWorkers } from '../../../workers/registry';
import { showRefusal } from '../ask/targets';
import { offerExactBytes } from './exactBytes';
import type { Composition } from '../../compose';
import type { AgentHere } from '../../views/foundText';
import { folderName } from '../../window/folderName';
import type { MissionFolder } from '../../folder/missionFolders';
import { tellWritten, SavesMeanwhile } from '../../editor/savedDocuments';
import { commands } from '../../registry/registry';
import { ui } from '../../../base/text/marked/ui';
import { pick, type PickItem, pickMany, askText, inform, alarm, busyUntilCanceled, warn } from '../../window/ui';
import { fewNamed } from '../../../base/text/firstNamed';
import { draftPlan, mayDraft, type Drafted } from '../../../engine/drafts/draft';
import { agentsHere, type DraftRequest } from '../../../engine/drafts/input';
import type { DraftPlan } from '../../../engine/drafts/judge';
import { rightLine } from '../../../core/view/plan/approvalView';
import { untrusted } from '../../folder/answers';
import { withPorts } from '../../folder/owner';
import type { WorkerTerminals } from '../../terminals/workerTerminals';
import { openDocument } from '../../plans/uris';
import { entriesOf, statOf } from '../../window/files';

export async function newPlan(composition: Composition): Promise<void> {
  const { title } = commands.newPlan;
  const folder = await chooseFolder(composition, title);
  if (!folder) return;
  const plans = path.posix.dirname(planPathOf('x'));
  const taken = new Set((await entriesOf(Uri.joinPath(folder.folder.uri, plans))).map(([name]) => `${plans}/${name}`));
  const plan_id = await askText({
    title,
    prompt: ui`The plan id names docs/plans/PLAN_<id>.json and the evidence folder.`,
    placeHolder: 'tidy-docs-1',
    refuses: (text) => {
      const fault = idFault(planIdIn(text));
      if (fault !== null) return ui`It ${fault}.`;
      const file = planPathOf(planIdIn(text));
      return taken.has(file) ? ui`${file} is there already, so choose another id.` : null;
    },
  });
  if (plan_id === undefined) return;
  const chosen = await chooseTemplate(title, await composition.agentsHere.look());
  if (!chosen) return;
  const uri = await writtenDraft(composition, title, folder.folder.uri, { plan_id, ...chosen });
  if (!uri) return;
  await showWritten(composition, uri);
  await offerExactBytes(composition, folder);
}

type Draft = Omit<Parameters<typeof writePlanDraft>[0], 'planner' | 'absolute'>;

/** Writes a draft of this person's below a folder; says why, and returns nothing, if it is refused. */
export async function writtenDraft(
  composition: Composition,
  title: string,
  root: Uri,
  draft: Draft,
): Promise<Uri | undefined> {
  const absolute = (relative: string): string => Uri.joinPath(root, ...relative.split('/')).fsPath;
  const written = await writePlanDraft({ ...draft, planner: composition.person.actor.name, absolute }, composition);
  if (written.ok) return Uri.file(absolute(written.value.plan_path));
  void showRefusal(title, written.refusal);
  return undefined;
}

export async function showWritten(composition: Composition, uri: Uri): Promise<void> {
  await tellWritten(composition, uri);
  await window.showTextDocument(await workspace.openTextDocument(uri));
}

/** The only folder, or the one that a person picks. Without an open folder says so and offers to open one. */
export async function chooseFolder({ folders }: Composition, title: string): Promise<MissionFolder | undefined> {
  const [first, ...others] = folders.all;
  if (!first) {
    const [open, sample] = ['Open Folder', commands.openSample.title] as const;
    void inform(ui`${title} works in a folder, and none is open.`, open, sample).then((chosen) => {
      if (chosen === open) void vscodeCommands.executeCommand('workbench.action.files.openFolder');
      if (chosen === sample) void vscodeCommands.executeCommand(commands.openSample.id);
    });
  }
  if (!first || others.length === 0) return first;
  const all = folders.all.map(({ folder }) => folder);
  const items = folders.all.map((folder) => ({ label: folderName(folder.folder, all), folder }));
  return (await pick(items, { placeHolder: 'In which folder?' }))?.folder;
}

interface Template {
  readonly template: PlanTemplateName;
  readonly worker?: AgentName;
}

/** Lists the agents of this machine first; if it has none, a command, which runs at once. */
async function chooseTemplate(title: string, found: readonly AgentHere[]): Promise<Template | undefined> {
  const agents = found.map(({ name, version }): PickItem & { readonly of: Template } => ({
    label: agentWorkers[name].title,
    detail: `Works on a prompt, confined to the approved paths. On this machine${version === null ? '' : `, version ${version}`}.`,
    of: { template: 'agent', worker: name },
  }));
  const none = { label: 'An agent', detail: `${titles()} works on a prompt, confined to the approved paths.` };
  const command = {
    label: 'A command',
    detail: 'A program of yours; no model is asked.',
    of: { template: 'command' },
  } as const;
  const items: readonly (PickItem & { readonly of: Template })[] = [
    ...(agents.length > 0 ? [...agents, command] : [command, { ...none, of: { template: 'agent' } as const }]),
    {
      label: 'An agent, in milestones',
      detail: 'Two tasks, each validated before the next one begins: by commands, and by you.',
      of: { template: 'milestones' },
    },
  ];
  return (await pick(items, { title, placeHolder: 'Who performs the first task?' }))?.of;
}

/** Names all agents, the last one after "or". Made when it is shown, because loading ICU takes longer than our own code. */
function titles(): string {
  const names = agentNames.map((name) => agentWorkers[name].title);
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
}

const { title } = commands.draftPlan;

const keptGoal = 'goalOfDraft';

/** Number of files to pick from; the agent can read the others too. */
const offeredFiles = 5_000;

/** Shows the draft as a diff; saving the diff keeps the draft. */
export async function draftPlanWithAgent(composition: Composition, terminals: WorkerTerminals): Promise<void> {
  const folder = await chooseFolder(composition, title);
  if (!folder) return;
  if (!workspace.isTrusted) return void showRefusal(title, untrusted);
  // Looks before it asks, because an answer to a question that leads nowhere is lost.
  const here = await agentsHere(composition);
  if (here.length === 0) {
    const reason = 'No agent CLI that could draft a plan is found on this machine.';
    return void showRefusal(title, { code: 'WORKER_MISSING', reason, next: ['Mission Control: Doctor'] });
  }
  const free = await withPorts(composition, folder, ({ ports, drafts }) => mayDraft(null, { ...ports, drafts }));
  if (!free.ok) return void showRefusal(title, free.refusal);
  const { workspaceState } = composition.context;
  const goal = await askText({
    title,
    prompt: ui`What do you want to reach? An agent reads this workspace and drafts a plan for it. It writes nothing, and nothing runs before you approve the plan.`,
    placeHolder: 'List every note in docs/notes.md, with a test that finds a missing one',
    // Kept until a draft came of it, because a refusal or a closed list must not cost what was typed.
    value: workspaceState.get<string>(keptGoal) ?? '',
    refuses: (text) => (text.trim() === '' ? ui`Say it in a sentence.` : null),
  });
  if (goal === undefined) return;
  await workspaceState.update(keptGoal, goal);
  const files = await chooseFiles(folder);
  const worker = files && (await chooseAgent(composition, here));
  const actor = worker && (await composition.person.identify());
  if (!actor) return;
  await drafted(composition, terminals, folder, { goal, files, worker, planner: actor.name });
}

type Asked = Pick<DraftRequest, 'goal' | 'files' | 'worker' | 'planner'>;

async function drafted(
  composition: Composition,
  terminals: WorkerTerminals,
  folder: MissionFolder,
  asked: Asked,
): Promise<void> {
  const { settings, log } = composition;
  const agent = agentWorkers[asked.worker];
  const node = await composition.openPorts(folder.folder.uri.fsPath);
  if (!node.ok) return void showRefusal(title, node.refusal);
  const saves = new SavesMeanwhile(folder);
  try {
    const savesReported = async (): Promise<void> => {
      await node.value.ports.savesReported();
      await saves.settled();
    };
    const { drafts } = node.value;
    // Counts unsaved drafts too, so that another one does not take their name.
    const planIds = async (): Promise<readonly string[]> => [...(await drafts.planIds()), ...openDrafts(folder)];
    const ports = { ...node.value.ports, drafts: { ...drafts, planIds }, savesReported };
    const { confinement, agent_network } = settings.confinement();
    const request = {
      ...asked,
      defaultWorker: settings.defaultWorker(),
      ...(confinement && { confinement }),
      ...(agent_network && { agent_network }),
    };
    const result = await busyUntilCanceled(ui`${agent.title} drafts a plan`, (cancel, say) => {
      // Ends the agent when the window closes, because no person would read its answer.
      const end = composition.whenClosing(cancel.ask);
      const onLaunch = ({ run_dir, number }: { readonly run_dir: string; readonly number: number }): void => {
        say(number === 1 ? ui`reading the workspace` : ui`mending what was found (${number - 1} of 2)`);
        // Goes on without a terminal if VS Code can open none.
        terminals
          .showDraft(folder, { runDir: run_dir, worker: asked.worker, launch: number })
          .catch((error: unknown) => composition.log.error(ui`The terminal of a draft could not be shown`, error));
      };
      return draftPlan(request, { cancel, saves: () => saves.found, onLaunch }, ports).finally(() => end.dispose());
    });
    if (!result.ok) {
      if (result.refusal.code === 'DRAFT_CANCELED') return void inform(ui`${result.refusal.reason}`);
      return void showRefusal(title, result.refusal);
    }
    if (result.value.plan !== null) await composition.context.workspaceState.update(keptGoal, undefined);
    await showDraft(composition, folder, agent.title, result.value);
  } catch (error) {
    log.error(ui`A plan could not be drafted`, error);
    throw error;
  } finally {
    saves.dispose();
    await node.value.close();
  }
}

async function chooseFiles({ folder }: MissionFolder): Promise<readonly string[] | undefined> {
  // Searches this folder only, because another one of the window may have more files than are offered.
  const all = new RelativePattern(folder, '**/*');
  const found = await workspace.findFiles(all, '**/{node_modules,.git,.mission-control}/**', offeredFiles);
  const items = found
    .filter((uri) => workspace.getWorkspaceFolder(uri)?.index === folder.index)
    .map((uri) => ({ label: workspace.asRelativePath(uri, false), uri }))
    .sort((left, right) => (left.label < right.label ? -1 : 1));
  if (items.length === 0) return [];
  const placeHolder = 'Files that the agent is given with the goal (none are needed)';
  return (await pickMany(items, { title, placeHolder }))?.map(({ uri }) => uri.fsPath);
}

async function chooseAgent({ settings }: Composition, found: readonly AgentName[]): Promise<AgentName | undefined> {
  const [first, ...others] = found;
  if (others.length === 0) return first;
  const usual = settings.defaultWorker();
  const items = [...found]
    .sort((left, right) => Number(right === usual) - Number(left === usual))
    .map((name) => ({ label: agentWorkers[name].title, name, ...(name === usual && { description: 'default' }) }));
  return (await pick(items, { title, placeHolder: 'Which agent drafts?' }))?.name;
}

/** Shows the draft against an empty document, in an unsaved editor: saving keeps it, closing discards it. */
async function showDraft(
  { pages }: Composition,
  { folder }: MissionFolder,
  agent: string,
  { plan, valid, findings, notes, launches, dropped, rights }: Drafted,
): Promise<void> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const found = ui`${errors.length} ${errors.length === 1 ? 'finding' : 'findings'}: ${fewNamed(errors.map(({ code }) => code))}`;
  if (plan === null) {
    void alarm(
      ui`${agent} answered ${launches} times with no plan, so nothing was written. ${found} Say the goal in other words, or choose another agent.`,
    );
    return;
  }
  const target = Uri.joinPath(folder.uri, ...plan.path.split('/'));
  const draft = target.with({ scheme: 'untitled' });
  const name = `PLAN_${plan.plan_id}.json`;
  await workspace.openTextDocument(draft);
  // Opens the editor before the document has a text. Otherwise VS Code gives the changed document
  // an editor of its own.
  await vscodeCommands.executeCommand(
    'vscode.diff',
    pages.hold(name, ''),
    draft,
    `${name} (a draft: save it to keep it)`,
    {
      preview: false,
    },
  );
  const edit = new WorkspaceEdit();
  edit.insert(draft, new Position(0, 0), plan.text);
  await workspace.applyEdit(edit);
  const kept = ui`${agent} drafted ${plan.plan_id}. Save it to keep it as ${plan.path}, then approve it.`;
  const remarks = [
    ...notes,
    ...(dropped.length === 0 ? [] : [`Left out, because an agent has no say in it: ${fewNamed(dropped)}.`]),
  ];
  const opens = rights.map((right) => ui`${rightLine(right).text}`);
  const asks = opens.length === 0 ? [] : [ui`It opens: ${ui.join(opens, ' ')}`];
  const message = ui.join([...asks, kept, ...remarks.map((note) => ui`${note}`)], ' ');
  const chosen = valid
    ? await inform(message, 'Save Draft', 'Discard Draft')
    : await warn(ui`${message} It is not valid yet. ${found}`, 'Save Draft', 'Discard Draft');
  if (chosen === 'Save Draft') await save(draft, plan);
  if (chosen === 'Discard Draft') await discard(draft, plan);
}

async function save(draft: Uri, { path }: DraftPlan): Promise<void> {
  // The person may have saved or closed it in the editor before pressing the button.
  const isOpen = openDocument(draft) !== undefined;
  const saved = isOpen ? await workspace.save(draft) : await savedBefore(draft);
  if (!saved && !isOpen) return void inform(ui`The draft of ${path} was discarded, so there is nothing to save.`);
  if (!saved) return void warn(ui`${path} was not saved. The draft is still open.`);
  await closeDiff(draft);
  await window.showTextDocument(saved, { preview: false });
}

async function discard(draft: Uri, { path }: DraftPlan): Promise<void> {
  const document = openDocument(draft);
  if (!document) {
    if (await savedBefore(draft))
      void inform(ui`${path} was saved before, so it stays. Nothing of it runs before you approve it.`);
    return;
  }
  await window.showTextDocument(document);
  await vscodeCommands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await closeDiff(draft);
}

async function savedBefore(draft: Uri): Promise<Uri | undefined> {
  const file = draft.with({ scheme: 'file' });
  return (await statOf(file)) ? file : undefined;
}

/** The ids of drafts of a folder that a person has neither saved nor discarded. */
function openDrafts({ folder }: MissionFolder): readonly string[] {
  const plans = `${Uri.joinPath(folder.uri, 'docs', 'plans').path}/`;
  return workspace.textDocuments.flatMap(({ uri, isClosed }) => {
    if (isClosed || uri.scheme !== 'untitled' || !uri.path.startsWith(plans)) return [];
    return /^PLAN_([^/]+)[.]json$/.exec(uri.path.slice(plans.length))?.[1] ?? [];
  });
}

async function closeDiff(draft: Uri): Promise<void> {
  const names = [draft.toString(), draft.with({ scheme: 'file' }).toString()];
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof TabInputTextDiff && names.includes(input.modified.toString()));
  await window.tabGroups.close(tabs);
}
