import { lstat, readdir, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { processTable } from '../processes/table';

/** Programs are started from here and from nowhere else; each is named by its content. */
export function programsFolder(state: string): string {
  return path.join(state, 'programs');
}

/** The age of a program is the time since it was last needed. */
export async function keepYoung(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now);
}

/** What nobody has needed for 30 days and no process names. What cannot be removed stays. */
export async function removeOld(folder: string): Promise<void> {
  const old: string[] = [];
  for (const name of await readdir(folder)) {
    const stats = await lstat(path.join(folder, name)).catch(() => null); // gone: another owner was first
    if (stats?.isFile() === true && stats.mtimeMs < Date.now() - keptDays * 86_400_000) old.push(name);
  }
  if (old.length === 0) return;
  const named = new Set<string>();
  // Windows tells one command line a second, and lets nobody delete a program that runs; a script is read whole at its start.
  const running = process.platform === 'win32' ? [] : (await processTable.list()).keys();
  for (const pid of running)
    for (const argument of await processTable.commandLine(pid)) named.add(path.basename(argument));
  for (const name of old) if (!named.has(name)) await unlink(path.join(folder, name)).catch(() => undefined);
}

const keptDays = 30;
