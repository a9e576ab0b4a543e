import { workspace, type TextDocument, type Uri } from 'vscode';
import { sha256Of } from '../../adapters/files/bytes/sha256';
import type { MissionFolders, MissionFolder } from '../folder/missionFolders';
import type { Person } from '../folder/person';
import type { Contribution } from '../registry/registry';
import type { SavesReported } from '../folder/savesReported';
import type { ExternalSave } from '../../core/observation/change';
import { watchFiles } from '../window/files';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { PlanWritten } from '../plans/written';

/**
 * Reports files that a person saved in this window to the owner, so that it blames no worker. The report has the digest
 * of the bytes on disk. Does not report bytes that differ from the saved text.
 */
export function reportSaves(folders: MissionFolders, person: Person, reported: SavesReported): Contribution {
  return workspace.onDidSaveTextDocument((document) => {
    const folder = document.uri.scheme === 'file' ? folders.of(document.uri.fsPath) : undefined;
    if (!folder) return;
    const text = document.getText();
    reported.add(
      digestOf(document, text).then((sha256) =>
        sha256 === null ? undefined : folder.documentSaved(person.actor, document.uri.fsPath, sha256),
      ),
    );
  });
}

/** Null: the disk has other bytes than were saved. */
async function digestOf(document: TextDocument, text: string): Promise<string | null> {
  const { encoding, uri } = document;
  try {
    const bytes = await workspace.fs.readFile(uri);
    return (await workspace.decode(bytes, { encoding })) === text ? sha256Of(bytes) : null;
  } catch {
    return null; // deleted: there is nothing to attribute
  }
}

/** Collects a person's saves in this window while an agent only reads, because they are not the agent's. */
export class SavesMeanwhile implements Contribution {
  readonly #found: ExternalSave[] = [];
  #reported: Promise<unknown> = Promise.resolve();
  readonly #subscription: Contribution;

  constructor({ folder }: Pick<MissionFolder, 'folder'>) {
    this.#subscription = workspace.onDidSaveTextDocument((document) => {
      if (document.uri.scheme !== 'file' || workspace.getWorkspaceFolder(document.uri)?.index !== folder.index) return;
      const at = new Date().toISOString();
      const path = workspace.asRelativePath(document.uri, false);
      const digest = digestOf(document, document.getText());
      this.#reported = Promise.all([
        this.#reported,
        digest.then((sha256) => (sha256 === null ? 0 : this.#found.push({ path, sha256, at }))),
      ]);
    });
  }

  get found(): readonly ExternalSave[] {
    return this.#found;
  }

  async settled(): Promise<void> {
    await this.#reported;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/**
 * Reports changes on disk to the owner in this window. The owner then looks early at workers that may write out of
 * scope. Uses VS Code's own watch of the workspace; `files.watcherExclude` applies.
 */
export function reportChanges(folders: MissionFolders): Contribution {
  return watchFiles('**/*', ({ scheme, fsPath }) => {
    if (scheme === 'file') folders.of(fsPath)?.fileChanged(fsPath);
  });
}

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
