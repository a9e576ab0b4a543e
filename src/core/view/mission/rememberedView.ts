import type { MemoryRecord } from '../../../contracts/memory';
import { memoryFolder } from '../../../contracts/vocabulary/memory';
import {
  judgeMemory,
  memoryFile,
  type MemoryFile,
  type MemoryFinding,
  type MemoryIndexEntry,
} from '../../memory/chain';
import { currentOf, memoryName } from '../../memory/rememberedValue';

export interface RememberedView extends MemoryRecord {
  /** `DOMAIN/KEY` */
  readonly name: string;
  /** The path of its file, POSIX, relative to the workspace root. */
  readonly path: string;
  /** It is the newest one under its name. */
  readonly current: boolean;
}

/** Returns what is remembered in a workspace, for people; nothing of a memory that is damaged. */
export function rememberedView(
  files: readonly MemoryFile[],
  index: readonly MemoryIndexEntry[],
): { readonly versions: readonly RememberedView[]; readonly findings: readonly MemoryFinding[] } {
  const verdict = judgeMemory(files, index);
  if (!verdict.ok) return { versions: [], findings: verdict.findings };
  const newest = new Set(currentOf(verdict.records));
  const versions = verdict.records.map((record) => ({
    ...record,
    name: memoryName(record),
    path: `${memoryFolder}/${memoryFile(record.number)}`,
    current: newest.has(record),
  }));
  return { versions, findings: [] };
}
