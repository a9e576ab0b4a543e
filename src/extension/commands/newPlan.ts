import { Uri, window, workspace } from 'vscode';
import { agentNames } from '../../contracts/vocabulary/workers';
import { planTemplateNames, writePlanDraft, type PlanTemplateName } from '../../engine/plans/draft';
import { agentWorkers } from '../../workers/registry';
import { refusalText } from './answers';
import type { Composition } from '../compose';
import type { MissionFolder } from '../folder/types';
import { commands } from '../registry/registry';
import { ui } from '../../base/text/ui';
import { alarm, askText, pick } from '../window/ui';

/** Asks for an id, writes a DRAFT that is valid except for its approval, and opens it. */
export async function newPlan(composition: Composition): Promise<void> {
  const { title } = commands.newPlan;
  const folder = await chooseFolder(composition);
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
  const template = await chooseTemplate(title);
  if (!template) return;
  const planner = composition.person.actor.name;
  const absolute = (relative: string): string => Uri.joinPath(folder.folder.uri, ...relative.split('/')).fsPath;
  const written = await writePlanDraft({ plan_id, template, planner, absolute }, composition);
  if (!written.ok) {
    void alarm(refusalText(title, written.refusal));
    return;
  }
  await window.showTextDocument(await workspace.openTextDocument(Uri.file(absolute(written.value.plan_path))));
}

/** The only folder, or the one that a person picks. */
export async function chooseFolder({ folders }: Composition): Promise<MissionFolder | undefined> {
  const [first, ...others] = folders.all;
  if (!first || others.length === 0) return first;
  const items = folders.all.map((folder) => ({ label: folder.folder.name, folder }));
  return (await pick(items, { placeHolder: 'In which folder?' }))?.folder;
}

async function chooseTemplate(title: string): Promise<PlanTemplateName | undefined> {
  const items = planTemplateNames.map((name) => ({ label: labels[name].label, detail: labels[name].detail, name }));
  return (await pick(items, { title, placeHolder: 'Who performs the first task?' }))?.name;
}

/** "Claude Code, Codex or Gemini" */
const titles = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  agentNames.map((name) => agentWorkers[name].title),
);

const labels: Readonly<Record<PlanTemplateName, { readonly label: string; readonly detail: string }>> = {
  agent: {
    label: 'An agent',
    detail: `${titles} works on a prompt, confined to the approved paths.`,
  },
  command: { label: 'A command', detail: 'A program of yours; no model is asked.' },
};
