import { succeeds } from '../../base/outcome';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LaunchTicket } from '../../contracts/launch';

type Limits = NonNullable<LaunchTicket['limits']>;
export type HeldByGroup = Extract<keyof Limits, 'processes' | 'memory_mb'>;

/** A control group (version 2) of one launch, in which the kernel enforces its limits. */
export interface LimitGroup {
  readonly holds: readonly HeldByGroup[];
  /** Adds a process, with everything that it starts from now on. False: it has ended, or may not be added. */
  hold(pid: number): Promise<boolean>;
  /** The limit at which the kernel has refused something; null: none so far. */
  exceeded(): Promise<HeldByGroup | null>;
  /** Removes the group once no process lives in it. A group that cannot be removed stays and limits no process. */
  remove(): Promise<void>;
}

export interface ControlFiles {
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  makeFolder(folder: string): Promise<void>;
  removeFolder(folder: string): Promise<void>;
}

export const controlFiles: ControlFiles = {
  read: (file) => readFile(file, 'utf8'),
  // Creates no file, because the kernel has made them all.
  write: (file, text) => writeFile(file, text, { flag: 'r+' }),
  makeFolder: (folder) => mkdir(folder),
  removeFolder: (folder) => rmdir(folder),
};

/**
 * Threads for each process of the limit, because the kernel counts threads. So the group only stops processes that
 * multiply between two looks; the supervisor's count enforces the number of the plan.
 */
export const threadsOfProcess = 32;

const controllers: { readonly [L in HeldByGroup]: string } = { processes: 'pids', memory_mb: 'memory' };

/**
 * Makes a group below the supervisor's own, if that is delegated: it may be written, and can pass controllers on.
 * Otherwise returns the reason in a few words, and leaves no group.
 */
export async function makeLimitGroup(
  name: string,
  limits: Limits,
  files: ControlFiles = controlFiles,
): Promise<LimitGroup | string> {
  const own = await ownGroup(files);
  if (own === null) return 'there are no control groups of version 2';
  const wanted = (['processes', 'memory_mb'] as const).filter((limit) => limits[limit] > 0);
  const has = await wordsOfFile(files, path.posix.join(own, 'cgroup.controllers'));
  const usable = wanted.filter((limit) => has.includes(controllers[limit]));
  if (usable.length === 0) return 'no controller for processes or memory is delegated';
  for (const limit of usable)
    // Writes only if needed, because a group with processes in it passes no new memory controller on.
    await files.write(path.posix.join(own, 'cgroup.subtree_control'), `+${controllers[limit]}`).catch(() => undefined);
  const passed = await wordsOfFile(files, path.posix.join(own, 'cgroup.subtree_control'));
  const holds = usable.filter((limit) => passed.includes(controllers[limit]));
  if (holds.length === 0) return 'its controllers cannot be passed on';
  const folder = path.posix.join(own, name);
  const at = (file: string): string => path.posix.join(folder, file);
  try {
    await files.makeFolder(folder);
    if (holds.includes('processes')) await files.write(at('pids.max'), `${limits.processes * threadsOfProcess}`);
    if (holds.includes('memory_mb')) {
      await files.write(at('memory.max'), `${limits.memory_mb * 2 ** 20}`);
      // Ends the whole group, not only the process that asked last.
      await files.write(at('memory.oom.group'), '1').catch(() => undefined); // older kernels
    }
  } catch {
    await files.removeFolder(folder).catch(() => undefined);
    return 'no group can be made below that of the supervisor';
  }
  return {
    holds,
    hold: (pid) => succeeds(files.write(at('cgroup.procs'), `${pid}`)),
    async exceeded() {
      if ((await counted(files, at('memory.events'), 'oom_kill')) > 0) return 'memory_mb';
      return (await counted(files, at('pids.events'), 'max')) > 0 ? 'processes' : null;
    },
    remove: () => files.removeFolder(folder).catch(() => undefined),
  };
}

/** Null: there is no such file system, or this process is in none of its groups. */
async function ownGroup(files: ControlFiles): Promise<string | null> {
  const mounts = await files.read('/proc/self/mounts').catch(() => '');
  const mount = /^\S+ (\/\S*) cgroup2 /m.exec(mounts)?.[1];
  const own = /^0::(\/.*)$/m.exec(await files.read('/proc/self/cgroup').catch(() => ''))?.[1];
  return mount === undefined || own === undefined ? null : path.posix.join(mount, own);
}

async function wordsOfFile(files: ControlFiles, file: string): Promise<readonly string[]> {
  return (await files.read(file).catch(() => '')).split(/\s+/);
}

async function counted(files: ControlFiles, file: string, name: string): Promise<number> {
  const text = await files.read(file).catch(() => '');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}
