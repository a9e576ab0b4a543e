import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '../../contracts/launch';
import type { ProcessFacts, ProcessTable } from './facts';
import { errorCode } from '../../base/outcome';
import { darwinProcesses } from './darwin';
import { linuxProcesses } from './linux';
import { windowsProcesses } from './windows';

export interface TreeTarget {
  readonly root: ProcessIdentity | null;
  readonly nonce: string;
  /**
   * First process of the tree's namespace, whose descendants are all members; it does not count itself. When it ends,
   * the kernel has ended all the others. Absent: the tree has no namespace of its own.
   */
  readonly namespace?: ProcessIdentity | null | undefined;
  /** Descendants seen earlier. They stay members, because their parents may end and they may hide their environment. */
  readonly seen?: readonly ProcessIdentity[];
  /**
   * Pid of the root if it ended just now; its process group and session are still members. The kernel does not reuse a
   * pid that still names a group or session, but may do so later.
   */
  readonly justEnded?: number | null;
}
export interface TreeEnd {
  /** Proven: the last look found no member alive, and the namespace has ended. */
  readonly gone: boolean;
  readonly survivors: readonly ProcessIdentity[];
  /** All processes that any look found alive, including the root. */
  readonly members: readonly ProcessIdentity[];
}

/**
 * Every living process of the launch: the root, its group and session, those seen earlier, those with the nonce, and
 * their descendants. Never this process or its ancestors. Limit: a process that lost environment, session and parent
 * before any look.
 */
export async function treeMembers(target: TreeTarget): Promise<readonly ProcessIdentity[]> {
  const carriers = await processTable.carriers(target.nonce);
  const table = await processTable.list();
  return membersIn(table, await processTable.bootId(), target, carriers);
}

/** Does the same for a table that was read before; without `carriers` it finds no process by its nonce. */
export function membersIn(
  table: ReadonlyMap<number, ProcessFacts>,
  bootId: string,
  target: TreeTarget,
  carriers: readonly number[] = [],
): readonly ProcessIdentity[] {
  const present = (identity: ProcessIdentity): boolean =>
    identity.boot_id === bootId && table.get(identity.pid)?.startTime === identity.start_time;
  const seeds = [...(target.root === null ? [] : [target.root]), ...(target.seen ?? [])]
    .filter(present)
    .map((identity) => identity.pid);
  const leader = target.root !== null && seeds.includes(target.root.pid) ? target.root.pid : (target.justEnded ?? null);
  if (leader !== null) {
    for (const facts of table.values()) if (facts.group === leader || facts.session === leader) seeds.push(facts.pid);
  }
  const children = childrenOf(table);
  const found = new Set<number>();
  const first = target.namespace && present(target.namespace) ? target.namespace.pid : null;
  const pending = [...seeds, ...carriers, ...(first === null ? [] : (children.get(first) ?? []))];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    pending.push(...(children.get(pid) ?? []));
  }
  for (const pid of [process.pid, ...ancestorsIn(table, process.pid), first ?? -1]) found.delete(pid);
  return [...found].flatMap((pid) => {
    const facts = table.get(pid);
    return facts === undefined || facts.zombie ? [] : [{ pid, start_time: facts.startTime, boot_id: bootId }];
  });
}

/**
 * Ends the whole tree. Collects all members before the first signal, asks them to end, waits `graceMs`, then kills
 * them. Looks again until none is left; after `giveUpMs` the rest are survivors. Kills a namespace first.
 *
 * @param options `unasked`: ends a namespace by its first process before any look, because members may multiply
 */
export async function killTree(
  target: TreeTarget,
  options: { readonly graceMs: number; readonly giveUpMs?: number; readonly unasked?: boolean },
): Promise<TreeEnd> {
  const members = new Map<string, ProcessIdentity>();
  const look = async (justEnded?: number | null): Promise<readonly ProcessIdentity[]> => {
    const alive = await treeMembers({
      ...target,
      justEnded: justEnded ?? null,
      seen: [...(target.seen ?? []), ...members.values()],
    });
    for (const member of alive) members.set(`${member.pid} ${member.start_time}`, member);
    return alive;
  };

  if (options.unasked === true)
    for (const first of await namespaceOf(target)) await signalIdentity(first, 'SIGKILL', false);
  let alive = await look(target.justEnded);
  if (alive.length > 0) await askToEnd(target.root, alive);
  const graceOver = performance.now() + options.graceMs;
  while (alive.length > 0 && performance.now() < graceOver) {
    await sleep(Math.min(50, options.graceMs));
    alive = await look();
  }
  // Waits for an empty namespace, because it ends by itself and first reports how its program ended.
  const byItself = performance.now() + emptyMs;
  while (alive.length === 0 && performance.now() < byItself && (await namespaceOf(target)).length > 0) await sleep(20);
  const giveUp = performance.now() + (options.giveUpMs ?? 10_000);
  let left = [...(await namespaceOf(target)), ...alive];
  while (left.length > 0 && performance.now() < giveUp) {
    for (const member of left) await signalIdentity(member, 'SIGKILL', false);
    await sleep(20);
    left = [...(await namespaceOf(target)), ...(await look())];
  }
  return { gone: left.length === 0, survivors: left, members: [...members.values()] };
}

/** Milliseconds for a namespace without members to end. */
const emptyMs = 5_000;

/** A namespace's first process becomes a zombie only when the kernel has ended all its others. */
async function namespaceOf({ namespace }: TreeTarget): Promise<readonly ProcessIdentity[]> {
  return namespace && (await isAlive(namespace)) ? [namespace] : [];
}

/** Pids from the parent upwards. */
export function ancestorsIn(table: ReadonlyMap<number, ProcessFacts>, pid: number): readonly number[] {
  const found: number[] = [];
  for (let at = table.get(pid)?.parent; at !== undefined && at > 0 && !found.includes(at); at = table.get(at)?.parent) {
    found.push(at);
  }
  return found;
}

/** CPU seconds of the tree, including collected children; of `except` (the CLI itself) only those of its children. */
export function treeCpuSeconds(
  table: ReadonlyMap<number, ProcessFacts>,
  members: readonly ProcessIdentity[],
  except: number | null,
): number {
  return members.reduce((total, { pid }) => {
    const facts = table.get(pid);
    if (facts === undefined) return total;
    return total + facts.childCpuSeconds + (pid === except ? 0 : facts.cpuSeconds);
  }, 0);
}

/** Signals the root's group at once, so that no member sees another one fail first, then the others. */
async function askToEnd(root: ProcessIdentity | null, alive: readonly ProcessIdentity[]): Promise<void> {
  const table = await processTable.list();
  const leader = alive.find((member) => member.pid === root?.pid && member.start_time === root.start_time);
  const leads = leader !== undefined && table.get(leader.pid)?.group === leader.pid;
  if (leads) await signalIdentity(leader, 'SIGTERM', true);
  for (const member of alive) {
    if (leads && table.get(member.pid)?.group === leader.pid) continue;
    await signalIdentity(member, 'SIGTERM', false);
  }
}

/** Checks the start time right before the signal, because the pid may have been reused. */
async function signalIdentity(identity: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL', group: boolean): Promise<void> {
  const facts = await processTable.read(identity.pid);
  if (facts?.startTime !== identity.start_time) return;
  await processTable.signal(identity.pid, signal, group);
}

function childrenOf(table: ReadonlyMap<number, ProcessFacts>): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of table.values()) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [pid]);
    else siblings.push(pid);
  }
  return children;
}

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
