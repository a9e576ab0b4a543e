import type { LockedIntent } from '../../core/context/tier0';
import type { MemoryFile, MemoryIndexEntry } from '../../core/memory/chain';
import type { Outcome } from '../../base/outcome';
import type { NewEntry } from '../../core/model/journalEntry';
import type { WorkspaceEvent } from './workspaceEvents';

/** The memory of one workspace: its files, and what the journal knows of them. */
export interface MemoryReading {
  readonly files: readonly MemoryFile[];
  readonly index: readonly MemoryIndexed[];
}

/** A record, with the task that saved it, so that a repeated SAVE finds its own. */
export interface MemoryIndexed extends MemoryIndexEntry {
  readonly mission_id: string;
  readonly task_id: string;
  readonly attempt: number;
}

export type MemoryRecorded = Extract<WorkspaceEvent, { type: 'MemoryRecorded' }>;

/** For people: reading changes nothing. Refuses with MEMORY_DAMAGED a memory that cannot be read at all. */
export interface ReadMemory {
  read(): Promise<Outcome<MemoryReading>>;
}

/** For the driver: only a task whose intent is resolved reads and adds, because every method takes that intent. */
export interface DriverMemory {
  read(intent: LockedIntent): Promise<Outcome<MemoryReading>>;
  /** Journals a record before its file is written. */
  record(intent: LockedIntent, entry: NewEntry<MemoryRecorded>, fence: number): Promise<Outcome<null>>;
  /** Moves the files of the memory to a folder beside it; does nothing without files. */
  setAside(folder: string): Promise<Outcome<null>>;
  /** Creates the file of a record, never over another; accepts a file with the same bytes. */
  create(intent: LockedIntent, name: string, text: string): Promise<Outcome<null>>;
}
