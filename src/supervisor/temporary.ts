import { accessSync, constants, statSync } from 'node:fs';
import type { LaunchTicket } from '../contracts/launch';
import { isShort } from '../contracts/vocabulary/temporary';

/**
 * The variable for temporary files of a command that no sandbox holds. The person's own folder stays if it is there, can
 * be written and is short; nix, direnv and pam name others. bubblewrap and an agent's launch line set it themselves.
 */
export function temporaryVariable(
  { worker, sandbox }: Pick<LaunchTicket, 'worker' | 'sandbox'>,
  environment: Readonly<Record<string, string>>,
): { readonly TMPDIR?: string } {
  if (process.platform === 'win32' || worker !== 'command' || sandbox !== undefined) return {};
  const named = environment['TMPDIR'];
  if (named === undefined || (named.startsWith('/') && isShort(named) && isUsable(named))) return {};
  const found = ['/tmp', '/var/tmp'].find(isUsable);
  return found === undefined ? {} : { TMPDIR: found };
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
