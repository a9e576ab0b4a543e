import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { errorCode } from '../../base/outcome';

/**
 * Runs `work` in a temporary folder for copies of workspace files that git compares, and removes it afterwards. First
 * removes the folders of processes that were killed, because they hold workspace files.
 */
export async function inScratchFolder<T>(name: string, work: (folder: string) => Promise<T>): Promise<T> {
  const parent = os.tmpdir();
  await removeLeftovers(parent, name);
  const folder = await mkdtemp(path.join(parent, `${name}-${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftovers(parent: string, name: string): Promise<void> {
  const entries = await readdir(parent).catch(() => []);
  for (const entry of entries) {
    const pid = entry.startsWith(`${name}-`) ? /^-(\d+)-/.exec(entry.slice(name.length))?.[1] : undefined;
    // Folders of other users cannot be removed; the runs of those users do it.
    if (pid !== undefined && isGone(Number(pid)))
      await rm(path.join(parent, entry), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** A process that this user may not signal (EPERM) is alive. */
function isGone(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}
