import { Uri, window, workspace } from 'vscode';
import { projectFilesOf } from '../../adapters/documents/project';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import { ui } from '../../base/text/marked/ui';
import {
  answered,
  proposeProject,
  stillToFill,
  writeProject,
  type ProjectField,
  type ProjectValues,
} from '../../engine/plans/newProject';
import { chooseFolder } from './plan/newPlan';
import { showRefusal } from './ask/targets';
import type { Composition } from '../compose';
import { statOf } from '../window/files';
import { tellWritten } from '../editor/savedDocuments';
import { commands } from '../registry/registry';
import { pick, askText } from '../window/ui';

/** Detects and asks; its Problems then name what is missing. */
export async function newProjectContext(composition: Composition, argument?: unknown): Promise<void> {
  const { title } = commands.newProjectContext;
  const root = await rootOf(composition, argument, title);
  if (!root) return;
  const files = projectFilesOf(root.fsPath);
  if (await statOf(Uri.joinPath(root, projectFile))) return open(root);
  const values = await askedFor(await proposeProject(files, composition.clock), title, answersOf(composition, root));
  if (!values) return;
  const written = await writeProject(files, values);
  if (!written.ok) void showRefusal(title, written.refusal);
  if (written.ok) await tellWritten(composition, Uri.joinPath(root, projectFile));
  if (written.ok || written.refusal.code === 'PROJECT_FILE_EXISTS') await open(root);
}

export async function openProjectContext(composition: Composition, argument?: unknown): Promise<void> {
  const root = await rootOf(composition, argument, commands.openProjectContext.title);
  if (root) await open(root);
}

async function rootOf(composition: Composition, argument: unknown, title: string): Promise<Uri | undefined> {
  const named = argument instanceof Uri ? workspace.getWorkspaceFolder(argument) : undefined;
  return (named ?? (await chooseFolder(composition, title))?.folder)?.uri;
}

async function open(root: Uri): Promise<void> {
  await window.showTextDocument(await workspace.openTextDocument(Uri.joinPath(root, projectFile)));
}

interface Answers {
  readonly said: ProjectValues;
  keep(said: ProjectValues): void;
}

/** Keeps the answers about a folder, because a closed list must not cost it. */
function answersOf({ context: { workspaceState } }: Composition, root: Uri): Answers {
  const key = `projectAnswers ${root.toString()}`;
  return { said: workspaceState.get<ProjectValues>(key) ?? {}, keep: (said) => void workspaceState.update(key, said) };
}

/**
 * Asks for the fields that could not be detected. Takes none as empty, because a task that needs the file blocks then.
 * Undefined: the person gave up, and nothing is written.
 */
async function askedFor(detected: ProjectValues, title: string, answers: Answers): Promise<ProjectValues | undefined> {
  let { said } = answers;
  for (const field of stillToFill({ ...detected, ...said })) {
    const { name, ask, choices } = field;
    const items = choices?.map((label) => ({ label }));
    const text = items
      ? (await pick(items, { title, placeHolder: ui`${name}: ${ask}` }))?.label
      : await write(field, title);
    if (text === undefined) return undefined;
    const answer = answered(said, name, text);
    if (answer.ok) answers.keep((said = answer.values));
  }
  return { ...detected, ...said };
}

function write({ name, ask }: ProjectField, title: string): Thenable<string | undefined> {
  return askText({
    title,
    prompt: ui`${name}: ${ask}.`,
    refuses: (text) => {
      const answer = answered({}, name, text);
      return answer.ok ? null : ui`${answer.why}`;
    },
  });
}
