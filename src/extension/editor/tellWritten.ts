import type { Uri } from 'vscode';
import { workspace } from 'vscode';
import { sha256Of } from '../../adapters/files/sha256';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { MissionFolders } from '../folder/types';

/**
 * Reports to the missions of a folder that a person's command has written a file. Otherwise they
 * would blame the worker for it.
 */
export async function tellWritten(
  { folders, person }: { readonly folders: Pick<MissionFolders, 'of'>; readonly person: { readonly actor: Actor } },
  file: Uri,
): Promise<void> {
  await folders.of(file.fsPath)?.documentSaved(person.actor, file.fsPath, sha256Of(await workspace.fs.readFile(file)));
}
