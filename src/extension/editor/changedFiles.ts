import { workspace, type Uri } from 'vscode';
import type { MissionFolders } from '../folder/types';
import type { Contribution } from '../registry/contribution';

/**
 * Tells the owner in this window what changed on disk, whoever did it: the reason for an early look at a worker that may
 * write out of its scope. VS Code watches the workspace anyway; `files.watcherExclude` holds.
 */
export class ChangedFiles implements Contribution {
  readonly #subscriptions: readonly Contribution[];

  constructor(folders: MissionFolders) {
    const watcher = workspace.createFileSystemWatcher('**/*');
    const tell = ({ scheme, fsPath }: Uri): void => {
      if (scheme === 'file') folders.of(fsPath)?.fileChanged(fsPath);
    };
    this.#subscriptions = [watcher, watcher.onDidCreate(tell), watcher.onDidChange(tell), watcher.onDidDelete(tell)];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
