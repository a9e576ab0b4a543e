import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readRunFile } from '../../src/adapters/launches/files';
import { isAlive } from '../../src/adapters/processes/tree';
import { stateFolderOf } from '../../src/adapters/state/folder';
import { processRecordSchema, runFiles, type ProcessIdentity, type ProcessRecord } from '../../src/contracts/launch';
import type { Places } from './scenarios';

/** Who is killed at a time instead of at a point. */
export const victimNames = ['owner', 'supervisor', 'worker'] as const;
export type Victim = (typeof victimNames)[number];

/** Sends SIGKILL to all of them at once. False: there was no such process in this moment, and none was killed. */
export async function strike(victims: readonly Victim[], owner: number, places: Places): Promise<boolean> {
  const run = victims.some((victim) => victim !== 'owner') ? await liveRun(places) : null;
  const targets: number[] = [];
  for (const victim of victims) {
    if (victim === 'owner') targets.push(owner);
    else if (run?.[victim]) targets.push(run[victim].pid);
    else return false;
  }
  return targets.map(endProcess).includes(true);
}

/** SIGKILL for a process of the round. False: it has ended by itself since it was seen. */
export function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Processes of the round that are alive, by the HOME that only they have. */
export function processesOf({ scratch }: Places): readonly { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
      if (!environment.includes(`HOME=${scratch}`)) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
      return [{ pid, command: command.replaceAll(scratch, '').replaceAll(process.cwd(), '') }];
    } catch {
      return []; // it has ended, or it is not ours to look at
    }
  });
}

async function liveRun(
  places: Places,
): Promise<{ supervisor: ProcessIdentity; worker: ProcessIdentity | null } | null> {
  for (const runDir of runDirsOf(places)) {
    const record = await readRunFile<ProcessRecord>(runDir, runFiles.process, processRecordSchema);
    if (record.kind !== 'ok') continue;
    const { supervisor, worker } = record.value;
    if (await isAlive(supervisor))
      return { supervisor, worker: worker !== null && (await isAlive(worker)) ? worker : null };
  }
  return null;
}

/** Absolute, of every mission. */
export function runDirsOf({ workspace }: Places): readonly string[] {
  const { missionsDir } = stateFolderOf(workspace);
  return namesIn(missionsDir).flatMap((mission) => {
    const runs = path.join(missionsDir, mission, 'runs');
    return namesIn(runs).map((run) => path.join(runs, run));
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet
  }
}
