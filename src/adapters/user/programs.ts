import { lstat, readdir, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { processTable } from '../processes/table';

/** The only folder from which programs are started; each is named by its content. */
export function programsFolder(state: string): string {
  return path.join(state, 'programs');
}

/** Touches a program, because its age counts from its last use. */
export async function keepYoung(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now);
}

/** Removes programs that were not used for 30 days and that no running process names. Ignores failures. */
export async function removeOld(folder: string): Promise<void> {
  const old: string[] = [];
  for (const name of await readdir(folder)) {
    const stats = await lstat(path.join(folder, name)).catch(() => null); // gone: another owner was first
    if (stats?.isFile() === true && stats.mtimeMs < Date.now() - keptDays * 86_400_000) old.push(name);
  }
  if (old.length === 0) return;
  const named = new Set<string>();
  // Skips the running ones except on Windows, which returns one command line a second and never deletes a running
  // program. A script stays usable, because Node reads it whole at the start.
  const running = process.platform === 'win32' ? [] : (await processTable.list()).keys();
  for (const pid of running)
    for (const argument of await processTable.commandLine(pid)) named.add(path.basename(argument));
  for (const name of old) if (!named.has(name)) await unlink(path.join(folder, name)).catch(() => undefined);
}

const keptDays = 30;
