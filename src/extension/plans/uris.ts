import { RelativePattern, Uri, window, workspace, type TextDocument } from 'vscode';
import { ui } from '../../base/text/marked/ui';
import { fileName } from '../window/folderName';
import { planGlob } from '../registry/registry';
import { pick, ask, inform } from '../window/ui';

const planPath = /^\/?docs\/plans\/PLAN_[^/]*\.json$/;

export function isPlanUri(uri: Uri): boolean {
  const folder = workspace.getWorkspaceFolder(uri);
  return uri.scheme === 'file' && folder !== undefined && planPath.test(uri.path.slice(folder.uri.path.length));
}

export function idInName({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/PLAN_') + '/PLAN_'.length, -'.json'.length);
}

/** The plan of a command: its argument, the active editor, the only plan, or the one that a person picks. */
export async function choosePlan(
  argument: unknown,
  title: string,
  state: (uri: Uri) => Promise<string>,
): Promise<Uri | undefined> {
  if (argument instanceof Uri) {
    if (isPlanUri(argument)) return argument;
    // Stops here, because a command that was called on one file never turns to another one.
    void inform(
      ui`${title}: ${shownPath(argument)} is no plan of this window, so nothing was done. Plans lie in docs/plans of an open folder.`,
    );
    return undefined;
  }
  const active = window.activeTextEditor?.document.uri;
  if (active && isPlanUri(active)) return active;
  const folders = workspace.workspaceFolders ?? [];
  const all = (
    await Promise.all(folders.map((folder) => workspace.findFiles(new RelativePattern(folder, planGlob), null)))
  ).flat();
  const [first] = all;
  if (!first)
    return void inform(ui`There is no plan in this workspace (${planGlob}). Start with Mission Control: New Plan.`);
  if (all.length === 1) return first;
  const items = await Promise.all(
    all.map(async (uri) => {
      const label = uri.path.slice(uri.path.lastIndexOf('/') + 1);
      const path = shownPath(uri);
      // The state comes first on a line of its own, because beside a long name it would be cut off.
      return { label, detail: `${await state(uri)} · ${path}`, path, uri };
    }),
  );
  items.sort((left, right) => (left.path < right.path ? -1 : 1));
  return (await pick(items, { title, placeHolder: 'Which plan?', matchOnDetail: true }))?.uri;
}

/**
 * Saves unsaved changes first, because only bytes on disk count. False: the person declines.
 *
 * @param why ends the sentence "Only what is on disk can be"
 */
export async function savedOrNothing(uri: Uri, why = 'approved and run'): Promise<boolean> {
  const document = openDocument(uri);
  if (!document?.isDirty) return true;
  const save = 'Save and Continue';
  const chosen = await ask(ui`${shownPath(uri)} has unsaved changes.`, ui`Only what is on disk can be ${why}.`, save);
  return chosen === save && document.save();
}

/** The name of a file of the window for people, in a sentence or a list. */
export function shownPath(uri: Uri): string {
  const folder = workspace.getWorkspaceFolder(uri);
  const path = workspace.asRelativePath(uri, false);
  return folder ? fileName(folder, path, workspace.workspaceFolders ?? []) : path;
}

export function openDocument(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString() && !document.isClosed);
}
