import { Uri, workspace } from 'vscode';
import { missingAttributeLines } from '../../adapters/git/attributes';
import { locateRepository } from '../../adapters/git/locate';
import { ui } from '../../base/text/ui';
import type { Composition } from '../compose';
import { tellWritten } from '../editor/tellWritten';
import type { MissionFolder } from '../folder/types';
import { inform } from '../window/ui';

/** Offers to add missing lines, once for each repository, whatever the answer. Never without a repository. */
export async function offerGitAttributes(composition: Composition, { folder }: MissionFolder): Promise<void> {
  const { context } = composition;
  const repository = await locateRepository(folder.uri.fsPath);
  if (repository === null) return;
  const key = `gitAttributesOffered ${repository.commonDir}`;
  if (context.globalState.get(key) === true) return;
  const missing = await missingAttributeLines(folder.uri.fsPath);
  if (missing.length === 0) return;
  await context.globalState.update(key, true);
  const add = 'Add Lines';
  const chosen = await inform(
    ui`Keep the approved bytes exact in Git: add ${missing.length} line(s) to .gitattributes?`,
    add,
    'Not Here',
  );
  if (chosen !== add) return;
  const file = Uri.joinPath(folder.uri, '.gitattributes');
  const text = await Promise.resolve(workspace.fs.readFile(file)).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => '', // absent
  );
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await workspace.fs.writeFile(file, new TextEncoder().encode(`${text}${separator}${missing.join('\n')}\n`));
  await tellWritten(composition, file);
}
