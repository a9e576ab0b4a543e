import { ui } from '../../base/text/marked/ui';
import path from 'node:path';
import type { Composition } from '../compose';
import type { Contribution } from '../registry/registry';

/** Adds `mission` to the integrated terminals, because our texts ask people to type it. */
export function provideMissionCommand({ context, log, terminalLauncher }: Composition): Contribution {
  const { environmentVariableCollection: variables } = context;
  variables.description = 'Adds the `mission` command of Mission Control, at the end of the search path.';
  void terminalLauncher().then(
    (folder) => {
      if (folder.ok) variables.append('PATH', `${path.delimiter}${folder.value}`);
      else {
        variables.delete('PATH');
        log.warn(ui`Terminals have no mission command: ${folder.refusal.reason}`);
      }
    },
    (error: unknown) => log.error(ui`Terminals have no mission command`, error),
  );
  return { dispose: () => undefined }; // terminals keep it when this window closes
}
