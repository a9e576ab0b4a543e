import type { ProcessIdentity } from '../../contracts/launch';
import { errorCode } from '../../base/outcome';
import { darwinProcesses } from './darwin';
import type { ProcessFacts, ProcessTable } from './facts';
import { linuxProcesses } from './linux';
import { windowsProcesses } from './windows';

/** The process table of this machine. Other POSIX systems get the `ps` variant. */
export const processTable: ProcessTable =
  process.platform === 'linux'
    ? linuxProcesses
    : bootOnce(process.platform === 'win32' ? windowsProcesses : darwinProcesses);

/** Identifies a process for ever: pid, start time and boot. Null: it has ended. */
export async function identityOf(pid: number): Promise<ProcessIdentity | null> {
  const facts = await processTable.read(pid);
  if (facts === null || facts.zombie) return null;
  return { pid, start_time: facts.startTime, boot_id: await processTable.bootId() };
}

/** `unknown`: it runs in another container of the same boot, whose processes are not visible here. */
export async function identityState(
  identity: ProcessIdentity,
  table: Pick<ProcessTable, 'bootId' | 'read'> = processTable,
): Promise<'alive' | 'dead' | 'unknown'> {
  const here = await table.bootId();
  if (identity.boot_id !== here) return isOfBoot(identity, here) ? 'unknown' : 'dead';
  const facts = await table.read(identity.pid);
  return facts !== null && !facts.zombie && facts.startTime === identity.start_time ? 'alive' : 'dead';
}

/** Returns whether a process ran since this machine started, here or in a container of it. @param here a boot id */
export function isOfBoot({ boot_id }: ProcessIdentity, here: string): boolean {
  const [boot, namespace] = boot_id.split(' ', 2);
  return boot_id === here || (namespace !== undefined && here.startsWith(`${boot ?? ''} `));
}

/** Compares the start time too, because a pid may be reused. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identityState(identity)) === 'alive';
}

/** The same for a table that was read before. */
export function isIn(table: ReadonlyMap<number, ProcessFacts>, bootId: string, identity: ProcessIdentity): boolean {
  const facts = table.get(identity.pid);
  return identity.boot_id === bootId && facts?.zombie === false && facts.startTime === identity.start_time;
}

/** Returns whether any process has this pid, because no other question is free on every platform. */
export function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

/** The same table, but it asks for the boot id once, because that cannot change while this process lives. */
export function bootOnce(table: ProcessTable): ProcessTable {
  let asked: Promise<string> | null = null;
  return {
    ...table,
    bootId() {
      const asking = (asked ??= table.bootId());
      asking.catch(() => (asked = null));
      return asking;
    },
  };
}
