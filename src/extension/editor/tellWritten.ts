import { workspace, type Uri } from 'vscode';
import { sha256Of } from '../../adapters/files/bytes/sha256';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { MissionFolders } from '../folder/types';
import type { PlanWritten } from '../plans/written';

/**
 * Reports that a person's command has written a file. The missions of its folder would blame the worker for it. The own
 * views would show it late, because they wait for file events.
 */
export async function tellWritten(
  {
    folders,
    person,
    planWritten,
  }: {
    readonly folders: Pick<MissionFolders, 'of'>;
    readonly person: { readonly actor: Actor };
    readonly planWritten: PlanWritten;
  },
  file: Uri,
): Promise<void> {
  void planWritten.notify(file);
  await folders.of(file.fsPath)?.documentSaved(person.actor, file.fsPath, sha256Of(await workspace.fs.readFile(file)));
}
