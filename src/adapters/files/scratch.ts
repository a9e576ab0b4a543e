import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/**
 * A folder of this process below the temporary folder, for copies of files that git compares. What processes that were
 * killed in the middle of it left behind is removed first: it holds files of somebody's workspace.
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
    // Folders of other users are theirs to remove.
    if (pid !== undefined && isGone(Number(pid)))
      await rm(path.join(parent, entry), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Only when the system says so: a process that may not be asked is somebody's. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
