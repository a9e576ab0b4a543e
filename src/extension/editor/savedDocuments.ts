import { workspace, type TextDocument } from 'vscode';
import { sha256Of } from '../../adapters/files/bytes/sha256';
import type { MissionFolders } from '../folder/types';
import type { Person } from '../folder/person';
import type { Contribution } from '../registry/contribution';
import type { SavesReported } from '../folder/savesReported';

/**
 * Reports files that a person saved in this window to the owner, so that it blames no worker. The
 * report has the digest of the bytes on disk. Does not report bytes that differ from the saved
 * text.
 */
export class SavedDocuments implements Contribution {
  readonly #subscription: Contribution;

  constructor(folders: MissionFolders, person: Person, reported: SavesReported) {
    this.#subscription = workspace.onDidSaveTextDocument((document) => {
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

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** Null: the disk has other bytes than were saved. */
export async function digestOf(document: TextDocument, text: string): Promise<string | null> {
  const { encoding, uri } = document;
  try {
    const bytes = await workspace.fs.readFile(uri);
    return (await workspace.decode(bytes, { encoding })) === text ? sha256Of(bytes) : null;
  } catch {
    return null; // deleted: there is nothing to attribute
  }
}
