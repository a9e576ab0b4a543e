import type { MemoryRecord } from '../../contracts/memory';
import { memorySteps, memoryFolder, type MemoryFindingCode } from '../../contracts/vocabulary/memory';
import { memoryName } from './rememberedValue';

export interface MemoryFile {
  /** Below the folder of the memory. */
  readonly name: string;
  /** Upper-case SHA-256 of its bytes; null: it could not be read. */
  readonly sha256: string | null;
  /** Null: it is no record, for this reason. */
  readonly record: MemoryRecord | null;
  readonly problem: { readonly line: number; readonly reason: string } | null;
}

/** What the journal knows of a record; it is written before the file. */
export interface MemoryIndexEntry extends Pick<MemoryRecord, 'number' | 'domain' | 'key' | 'version'> {
  readonly sha256: string;
}

export interface MemoryFinding {
  readonly code: MemoryFindingCode;
  /** POSIX, relative to the workspace root. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly next: string;
}

export type JudgedMemory =
  | { readonly ok: true; readonly records: readonly MemoryRecord[] }
  | { readonly ok: false; readonly findings: readonly MemoryFinding[] };

export const noRecord = '0'.repeat(64);

export function memoryFile(number: number): string {
  return `${String(number).padStart(6, '0')}.json`;
}

/**
 * Compares every file with the journal and with the file before it. None of the memory is used unless all of it is
 * whole.
 */
export function judgeMemory(files: readonly MemoryFile[], index: readonly MemoryIndexEntry[]): JudgedMemory {
  const known = new Map(index.map((entry) => [memoryFile(entry.number), entry]));
  const findings = files
    .filter(({ name }) => !known.has(name))
    .map(({ name }) =>
      memoryFinding('MEMORY_FILE_FOREIGN', name, 'The journal has no record that a person confirmed it.'),
    );
  const records: MemoryRecord[] = [];
  let previous = noRecord;
  for (const [name, entry] of known) {
    const file = files.find((one) => one.name === name);
    const { record = null, problem = null } = file ?? {};
    if (!file)
      findings.push(
        memoryFinding('MEMORY_FILE_GONE', name, `${memoryName(entry)} version ${entry.version} was saved in it.`),
      );
    else if (file.sha256 === null)
      findings.push(
        memoryFinding('MEMORY_UNREADABLE', name, `It cannot be read (${problem?.reason ?? 'the reason is unknown'}).`),
      );
    else if (file.sha256 !== entry.sha256 || record === null)
      findings.push(
        problem
          ? memoryFinding(
              'MEMORY_FILE_CHANGED',
              name,
              `It is no record of the memory (${problem.reason}).`,
              problem.line,
            )
          : memoryFinding('MEMORY_FILE_CHANGED', name, 'It is not as it was saved.'),
      );
    else if (broken(record, entry, records, previous))
      findings.push(memoryFinding('MEMORY_CHAIN_BROKEN', name, 'It does not follow the record before it.'));
    else records.push(record);
    previous = entry.sha256;
  }
  return findings.length === 0 ? { ok: true, records } : { ok: false, findings };
}

function memoryFinding(code: MemoryFindingCode, name: string, message: string, line = 1): MemoryFinding {
  const { [code]: next } = memorySteps;
  return { code, file: `${memoryFolder}/${name}`, line, message, next };
}

function broken(
  record: MemoryRecord,
  entry: MemoryIndexEntry,
  before: readonly MemoryRecord[],
  previous: string,
): boolean {
  const last = before.findLast((one) => memoryName(one) === memoryName(record))?.version ?? null;
  return (
    record.number !== entry.number ||
    memoryName(record) !== memoryName(entry) ||
    record.version !== entry.version ||
    record.supersedes !== last ||
    record.version !== (last ?? 0) + 1 ||
    record.previous_sha256 !== previous
  );
}
