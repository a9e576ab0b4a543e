import path from 'node:path';
import { Uri, workspace } from 'vscode';
import { missingAttributeLines } from '../../../adapters/git/evidence';
import { locateRepository } from '../../../adapters/git/locate';
import { missingPrettierLines, type LackingPrettierLines } from '../../../adapters/files/prettierIgnore';
import { exactBytesQuestion, type LackingFile } from '../../plans/exactBytes';
import type { Composition } from '../../compose';
import { tellWritten } from '../../editor/savedDocuments';
import type { MissionFolder } from '../../folder/missionFolders';
import { inform } from '../../window/ui';

/**
 * Offers lines that keep git and Prettier from rewriting approved bytes. Asks once for each file of a repository,
 * whatever the answer, and never without a repository.
 */
export async function offerExactBytes(composition: Composition, { folder }: MissionFolder): Promise<void> {
  const { globalState } = composition.context;
  const repository = await locateRepository(folder.uri.fsPath);
  if (repository === null) return;
  const [attributes, prettier] = await Promise.all([
    missingAttributeLines(folder.uri.fsPath),
    missingPrettierLines(folder.uri.fsPath, repository.top),
  ]);
  const named = ({ file, lines }: LackingPrettierLines): LackingFile => ({
    name: path.relative(folder.uri.fsPath, file).replaceAll(path.sep, '/'),
    lines,
  });
  const all = [
    { name: '.gitattributes', lines: attributes, key: `gitAttributesOffered ${repository.commonDir}` },
    ...(prettier === null
      ? []
      : [
          {
            ...named(prettier),
            elsewhere: prettier.elsewhere && named(prettier.elsewhere),
            key: `prettierIgnoreOffered ${repository.commonDir}`,
          },
        ]),
  ];
  const lacking = all.filter(({ lines, key }) => lines.length > 0 && globalState.get(key) !== true);
  if (lacking.length === 0) return;
  for (const { key } of lacking) await globalState.update(key, true);
  const add = 'Add Lines';
  if ((await inform(exactBytesQuestion(lacking), add, 'Not Here')) !== add) return;
  for (const file of lacking) {
    const uri = Uri.joinPath(folder.uri, file.name);
    await addLines(uri, file);
    await tellWritten(composition, uri);
  }
}

async function addLines(file: Uri, { lines }: LackingFile): Promise<void> {
  const text = await Promise.resolve(workspace.fs.readFile(file)).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => '', // absent
  );
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await workspace.fs.writeFile(file, new TextEncoder().encode(`${text}${separator}${lines.join('\n')}\n`));
}
