import {
  Position,
  RelativePattern,
  TabInputTextDiff,
  Uri,
  WorkspaceEdit,
  commands as vscodeCommands,
  window,
  workspace,
} from 'vscode';
import { ui } from '../../../base/text/marked/ui';
import { fewNamed } from '../../../base/text/firstNamed';
import type { AgentName } from '../../../contracts/vocabulary/workers';
import { draftPlan, mayDraft, type Drafted } from '../../../engine/drafts/draft';
import { agentsHere, type DraftRequest } from '../../../engine/drafts/input';
import type { DraftPlan } from '../../../engine/drafts/judge';
import { agentWorkers } from '../../../workers/registry';
import { rightLine } from '../../../core/view/plan/approvalView';
import type { Composition } from '../../compose';
import { SavesMeanwhile } from '../../editor/savedDocuments';
import { untrusted } from '../../folder/answers';
import type { MissionFolder } from '../../folder/types';
import { withPorts } from '../../folder/owner';
import { commands } from '../../registry/registry';
import type { WorkerTerminals } from '../../terminals/workerTerminals';
import { openDocument } from '../../plans/uris';
import { statOf } from '../../window/files';
import { pick, pickMany } from '../../window/pick';
import { alarm, askText, busyUntilCanceled, inform, warn } from '../../window/ui';
import { showRefusal } from '../ask/refusal';
import { chooseFolder } from './newPlan';

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
