import { Uri, commands as vscodeCommands, window, workspace } from 'vscode';
import { agentNames, type AgentName } from '../../../contracts/vocabulary/workers';
import { writePlanDraft, type PlanTemplateName } from '../../../engine/plans/draft';
import { agentWorkers } from '../../../workers/registry';
import { showRefusal } from '../ask/refusal';
import { offerExactBytes } from './exactBytes';
import type { Composition } from '../../compose';
import type { AgentHere } from '../../views/foundText';
import { folderName } from '../../window/folderName';
import type { MissionFolder } from '../../folder/types';
import { tellWritten } from '../../editor/savedDocuments';
import { commands } from '../../registry/registry';
import { ui } from '../../../base/text/marked/ui';
import { pick, type PickItem } from '../../window/pick';
import { askText, inform } from '../../window/ui';

export async function newPlan(composition: Composition): Promise<void> {
  const { title } = commands.newPlan;
  const folder = await chooseFolder(composition, title);
  if (!folder) return;
  const plan_id = await askText({
    title,
    prompt: ui`The plan id names docs/plans/PLAN_<id>.json and the evidence folder.`,
    placeHolder: 'tidy-docs-1',
    refuses: (text) =>
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(text) && !text.includes('..')
        ? null
        : ui`Letters, digits, dot, dash and underscore; at most 80.`,
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
