import { Uri, workspace } from 'vscode';
import type { Composition } from '../compose';
import type { MissionFolder } from '../missionFolder';
import { ui } from '../../core/text/ui';
import { inform } from '../ui';

/** Without these, Git may change line ends of bytes that a hash stands for. */
const lines = ['docs/plans/*.json -text', 'docs/ops/executions/** -text'];

/** Offers, once per folder, to add the lines that are missing. Never asked where there is no repository. */
export async function offerGitAttributes({ context }: Composition, { folder }: MissionFolder): Promise<void> {
  const key = `gitAttributesOffered ${folder.uri.toString()}`;
  const file = Uri.joinPath(folder.uri, '.gitattributes');
  if (context.workspaceState.get(key) === true || !(await exists(Uri.joinPath(folder.uri, '.git')))) return;
  const text = (await exists(file)) ? new TextDecoder().decode(await workspace.fs.readFile(file)) : '';
  const missing = lines.filter((line) => !text.split(/\r?\n/).includes(line));
  if (missing.length === 0) return;
  const add = 'Add Lines';
  const never = 'Not Here';
  const chosen = await inform(
    ui`Keep the approved bytes exact in Git: add ${missing.length} line(s) to .gitattributes?`,
    add,
    never,
  );
  if (chosen === undefined) return;
  await context.workspaceState.update(key, true);
  if (chosen !== add) return;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await workspace.fs.writeFile(file, new TextEncoder().encode(`${text}${separator}${missing.join('\n')}\n`));
}

async function exists(uri: Uri): Promise<boolean> {
  return Promise.resolve(workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
}
