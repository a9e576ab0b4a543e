import os from 'node:os';
import path from 'node:path';

/** Names of this machine and its user, recorded only if a person asks for it. */
export function machineIdentity(): { readonly host: string; readonly user: string } {
  return { host: os.hostname(), user: userName() };
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    // The user of a container may have no entry in the user database.
    return process.env['USER'] ?? process.env['USERNAME'] ?? `user ${process.getuid?.() ?? 'without a name'}`;
  }
}

/** This user's home; null: the user has no home, or it is the root folder, as for users of some containers. */
export function homeFolder(): string | null {
  try {
    const home = path.resolve(os.homedir());
    return home === path.parse(home).root ? null : home;
  } catch {
    return null; // neither HOME nor the user database names one
  }
}
