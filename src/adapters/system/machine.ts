import os from 'node:os';
import path from 'node:path';

/** Names of this machine and its user; they leave it only where somebody asked for it. */
export function machineIdentity(): { readonly host: string; readonly user: string } {
  return { host: os.hostname(), user: userName() };
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    // A container's user may have no entry anywhere.
    return process.env['USER'] ?? process.env['USERNAME'] ?? `user ${process.getuid?.() ?? 'without a name'}`;
  }
}

/** This user's home; null where there is none: a container's user may have no entry, or the root folder for it. */
export function homeFolder(): string | null {
  try {
    const home = path.resolve(os.homedir());
    return home === path.parse(home).root ? null : home;
  } catch {
    return null; // neither HOME nor an entry says which
  }
}
