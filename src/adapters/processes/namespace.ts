import { readFileSync } from 'node:fs';
import { quietly } from './linux';
import { processTable } from './tree';

/**
 * The process that a namespace was made for, by its pid outside: pid 2 inside, because orphans become children of the
 * first process too. Null: it does not run its program yet, or has ended.
 */
export function programOf(first: number): Promise<number | null> {
  return childOf(first, (pid) => pidInside(pid) === 2);
}

/** Returns the process that the relay of that namespace runs, which is its only child. */
export async function programOfRelay(first: number): Promise<number | null> {
  const relay = await programOf(first);
  return relay === null ? null : childOf(relay, () => true);
}

async function childOf(parent: number, wanted: (pid: number) => boolean): Promise<number | null> {
  const copied = (await processTable.commandLine(parent)).join('\0');
  const pid = childrenOf(parent).find(wanted);
  if (pid === undefined) return null;
  const own = await processTable.commandLine(pid);
  // Between fork and exec a child still shows its parent's command line; an exiting process shows none.
  return own.length === 0 || own.join('\0') === copied ? null : pid;
}

function childrenOf(pid: number): readonly number[] {
  const text = textOf(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function pidInside(pid: number): number {
  return Number(/^NSpid:.*\t(\d+)$/m.exec(textOf(`/proc/${pid}/status`))?.[1]);
}

/** Empty: the process has ended. */
function textOf(file: string): string {
  return quietly(() => readFileSync(file, 'utf8')) ?? '';
}
