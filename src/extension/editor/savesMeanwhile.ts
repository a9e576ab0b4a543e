import { workspace } from 'vscode';
import type { ExternalSave } from '../../core/observation/change';
import type { MissionFolder } from '../folder/types';
import type { Contribution } from '../registry/contribution';
import { digestOf } from './savedDocuments';

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

  /** Resolves when every earlier save is among those collected. */
  async settled(): Promise<void> {
    await this.#reported;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
