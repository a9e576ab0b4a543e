import { RelativePattern, Uri, workspace } from 'vscode';
import { ownKeyFolder } from '../../adapters/user/key';
import { machinePolicyName, repositoryPolicyPath } from '../../contracts/vocabulary/models';
import type { Contribution } from '../registry/contribution';
import { settings } from '../registry/settingEntries';
import { watchFiles } from '../window/files';

/** Follows the default worker and both model policies, because every plan is judged by them. */
export function followBesidePlans(changed: () => void): readonly Contribution[] {
  const machine = ownKeyFolder();
  const patterns = [
    `**/${repositoryPolicyPath}`,
    ...(machine === null ? [] : [new RelativePattern(Uri.file(machine), machinePolicyName)]),
  ];
  return [
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settings.defaultWorker.id)) changed();
    }),
    ...patterns.map((pattern) => watchFiles(pattern, changed)),
  ];
}
