import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '../../contracts/launch';
import { processTable } from './table';
import type { ProcessFacts } from './facts';

/** What is known of one launch's processes. */
export interface TreeTarget {
  readonly root: ProcessIdentity | null;
  readonly nonce: string;
  /** Descendants seen earlier: they stay ours when their parents end and they hide their environment. */
  readonly seen?: readonly ProcessIdentity[];
  /**
   * Pid of the root when it ended this very moment: who is left in its process group or session is ours. The
   * kernel gives nobody a pid that is still in use as their number; later it could be another family's.
   */
  readonly justEnded?: number | null;
}
export interface TreeEnd {
  /** Proven: in the last look no member was alive. */
  readonly gone: boolean;
  readonly survivors: readonly ProcessIdentity[];
  /** Everybody who was alive at any look, the root included. */
  readonly members: readonly ProcessIdentity[];
}

/**
 * Every living process of the launch: the root, its group and session, those seen earlier, those that carry the
 * nonce, and all their descendants. Never this process or its ancestors. Limit: a process that cleared its environment
 * *and* left
 * the session *and* whose parent ended before anybody looked is not found.
 */
export async function treeMembers(target: TreeTarget): Promise<readonly ProcessIdentity[]> {
  const carriers = await processTable.carriers(target.nonce);
  const table = await processTable.list();
  return membersIn(table, await processTable.bootId(), target, carriers);
}

/** The same from a table that was read already; without `carriers` it is the parent walk alone. */
export function membersIn(
  table: ReadonlyMap<number, ProcessFacts>,
  bootId: string,
  target: TreeTarget,
  carriers: readonly number[] = [],
): readonly ProcessIdentity[] {
  const seeds = [...(target.root === null ? [] : [target.root]), ...(target.seen ?? [])]
    .filter((identity) => identity.boot_id === bootId && table.get(identity.pid)?.startTime === identity.start_time)
    .map((identity) => identity.pid);
  const leader = target.root !== null && seeds.includes(target.root.pid) ? target.root.pid : (target.justEnded ?? null);
  if (leader !== null) {
    for (const facts of table.values()) if (facts.group === leader || facts.session === leader) seeds.push(facts.pid);
  }
  const children = childrenOf(table);
  const found = new Set<number>();
  const pending = [...seeds, ...carriers];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    pending.push(...(children.get(pid) ?? []));
  }
  for (const pid of [process.pid, ...ancestorsIn(table, process.pid)]) found.delete(pid);
  return [...found].flatMap((pid) => {
    const facts = table.get(pid);
    return facts === undefined || facts.zombie ? [] : [{ pid, start_time: facts.startTime, boot_id: bootId }];
  });
}

/**
 * Ends the whole tree: everybody is collected before the first signal, asked to end, given `graceMs`, then
 * killed, and looked for again until nobody is left (or `giveUpMs` are over: then there are survivors).
 */
export async function killTree(
  target: TreeTarget,
  options: { readonly graceMs: number; readonly giveUpMs?: number },
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

  let alive = await look(target.justEnded);
  if (alive.length > 0) await askToEnd(target.root, alive);
  const graceOver = performance.now() + options.graceMs;
  while (alive.length > 0 && performance.now() < graceOver) {
    await sleep(Math.min(50, options.graceMs));
    alive = await look();
  }
  const giveUp = performance.now() + (options.giveUpMs ?? 10_000);
  while (alive.length > 0 && performance.now() < giveUp) {
    for (const member of alive) await signalIdentity(member, 'SIGKILL', false);
    await sleep(20);
    alive = await look();
  }
  return { gone: alive.length === 0, survivors: alive, members: [...members.values()] };
}

/** Pids from the parent upwards. */
export async function ancestors(pid: number = process.pid): Promise<readonly number[]> {
  return ancestorsIn(await processTable.list(), pid);
}

export function ancestorsIn(table: ReadonlyMap<number, ProcessFacts>, pid: number): readonly number[] {
  const found: number[] = [];
  for (let at = table.get(pid)?.parent; at !== undefined && at > 0 && !found.includes(at); at = table.get(at)?.parent) {
    found.push(at);
  }
  return found;
}

/** CPU seconds used by the tree so far, ended children included; `except` (the CLI itself) counts with its children only. */
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

/** The root's group at once, so that no member sees another one fail first; everybody else one by one. */
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

/** Looks at the start time right before: a pid that was reused in between belongs to somebody else. */
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
