import { accessSync, constants, statSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import type { LaunchTicket } from '../contracts/launch';

/**
 * The variable for temporary files of a command without a sandbox. Replaces the person's own folder
 * if it is absent, cannot be written or is long. nix, direnv and pam name such folders. bubblewrap
 * and an agent's launch line set it themselves.
 */
export function temporaryVariable(
  { worker, sandbox }: Pick<LaunchTicket, 'worker' | 'sandbox'>,
  environment: Readonly<Record<string, string>>,
): { readonly TMPDIR?: string } {
  if (process.platform === 'win32' || worker !== 'command' || sandbox !== undefined) return {};
  const named = environment['TMPDIR'];
  if (named === undefined || (named.startsWith('/') && isShort(named) && isUsable(named))) return {};
  const found = shared.find(isUsable);
  return found === undefined ? {} : { TMPDIR: found };
}

/**
 * Gives the own folder of an agent without a sandbox of ours a short name. Otherwise the path of a
 * socket in it would be too long. The name is a link, so files stay with the launch. Null: the path
 * is short, or no link can be made; then the agent has the long name. The ticket has that name in TMPDIR.
 */
export async function openShortTemporary(ticket: LaunchTicket) {
  const { worker, sandbox, env } = ticket;
  const own = env['TMPDIR'];
  const place = shared.find(isUsable);
  if (process.platform === 'win32' || worker === 'command' || sandbox !== undefined) return null;
  if (own === undefined || isShort(own) || place === undefined) return null;
  const folder = await mkdtemp(path.join(place, 'mission-tmp-')).catch(() => null);
  if (folder === null) return null;
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => undefined);
  const link = path.join(folder, 't');
  try {
    await symlink(own, link);
  } catch {
    await close();
    return null;
  }
  return { ticket: { ...ticket, env: { ...env, TMPDIR: link } }, close };
}

const shared = ['/tmp', '/var/tmp'];

/** Returns whether paths of sockets fit below a folder; they have at most 107 bytes, on macOS 103. */
function isShort(folder: string): boolean {
  return Buffer.byteLength(folder) <= mostBytes;
}

/** Bytes of a folder's path; tools append some forty more. */
const mostBytes = 50;

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
