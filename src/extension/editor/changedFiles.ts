import { workspace, type Uri } from 'vscode';
import type { MissionFolders } from '../folder/types';
import type { Contribution } from '../registry/contribution';

/**
 * Reports changes on disk to the owner in this window. The owner then looks early at workers that
 * may write out of scope. Uses VS Code's own watch of the workspace; `files.watcherExclude`
 * applies.
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
