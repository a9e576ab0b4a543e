import { readFileSync } from 'node:fs';
import { processTable } from './table';

/**
 * The process that a namespace was made for: the first child of its first process, by its pid out here. Null when it
 * has not begun to run its program, or has ended. Orphans of the namespace are children of that process as well.
 */
export async function programOf(first: number): Promise<number | null> {
  const wrapper = (await processTable.commandLine(first)).join('\0');
  for (const pid of childrenOf(first)) {
    if (pidInside(pid) !== 2) continue;
    // Until it has executed its program it is a copy of the process that it came from.
    return (await processTable.commandLine(pid)).join('\0') === wrapper ? null : pid;
  }
  return null;
}

function childrenOf(pid: number): readonly number[] {
  const text = textOf(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** The pid that a process has in its own namespace. */
function pidInside(pid: number): number {
  return Number(/^NSpid:.*\t(\d+)$/m.exec(textOf(`/proc/${pid}/status`))?.[1]);
}

/** Empty when the process has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
