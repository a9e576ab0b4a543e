import os from 'node:os';

/** Names of this machine and its user; they leave it only where somebody asked for it. */
export function machineIdentity(): { readonly host: string; readonly user: string } {
  return { host: os.hostname(), user: userName() };
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return process.env['USER'] ?? process.env['USERNAME'] ?? ''; // a container's user may have no entry anywhere
  }
}
