import { RelativePattern, Uri, workspace } from 'vscode';
import { ownKeyFolder } from '../../adapters/user/key';
import { machinePolicyName, repositoryPolicyPath } from '../../contracts/vocabulary/models';
import type { Contribution } from '../registry/contribution';
import { settings } from '../registry/settingEntries';

/**
 * Follows what the findings of every plan depend on, apart from its file and ai.project.json: the default worker, and
 * the model policies of repository and machine. Each change has all plans judged again.
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
