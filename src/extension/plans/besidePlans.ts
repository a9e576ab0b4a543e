import { RelativePattern, Uri, workspace } from 'vscode';
import { ownKeyFolder } from '../../adapters/user/key';
import { machinePolicyName, repositoryPolicyPath } from '../../contracts/vocabulary/models';
import type { Contribution } from '../registry/contribution';
import { settings } from '../registry/settingEntries';

/**
 * What the findings of every plan depend on, apart from its file and ai.project.json: the default worker, and the model
 * policies of the repository and of this machine. A plan that was judged before such a change is judged again.
 */
export class BesidePlans implements Contribution {
  readonly #parts: readonly Contribution[];

  constructor(changed: () => void) {
    const machine = ownKeyFolder();
    const patterns = [
      `**/${repositoryPolicyPath}`,
      ...(machine === null ? [] : [new RelativePattern(Uri.file(machine), machinePolicyName)]),
    ];
    this.#parts = [
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settings.defaultWorker.id)) changed();
      }),
      ...patterns.map((pattern) => {
        const watcher = workspace.createFileSystemWatcher(pattern);
        watcher.onDidCreate(changed);
        watcher.onDidChange(changed);
        watcher.onDidDelete(changed);
        return watcher;
      }),
    ];
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }
}
