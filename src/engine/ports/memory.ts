import type { LockedIntent } from '../../core/context/tier0';
import type { MemoryFile, MemoryIndexEntry } from '../../core/memory/chain';
import type { Outcome } from '../../base/outcome';
import type { NewEntry } from '../../core/model/journalEntry';
import type { WorkspaceEvent } from './workspaceEvents';

/** The memory of one workspace as it is found: its files, and what the journal knows of them. */
export interface MemoryReading {
  readonly files: readonly MemoryFile[];
  readonly index: readonly MemoryIndexed[];
}

/** Who saved it, so that a SAVE that is tried again finds its own. */
export interface MemoryIndexed extends MemoryIndexEntry {
  readonly mission_id: string;
  readonly task_id: string;
  readonly attempt: number;
}

export type MemoryRecorded = Extract<WorkspaceEvent, { type: 'MemoryRecorded' }>;

/** For people: reading changes nothing. Refused with MEMORY_DAMAGED where nothing can be read. */
export interface ReadMemory {
  read(): Promise<Outcome<MemoryReading>>;
}

/** For the driver: a task whose intent is resolved reads and adds; no caller can ask for it before. */
export interface DriverMemory {
  read(intent: LockedIntent): Promise<Outcome<MemoryReading>>;
  /** The journal knows of a record before its file is there. */
  record(intent: LockedIntent, entry: NewEntry<MemoryRecorded>, fence: number): Promise<Outcome<null>>;
  /** Moves the files of the memory to a folder beside it; without files nothing happens. */
  setAside(folder: string): Promise<Outcome<null>>;
  /** Creates the file of a record; one with the same bytes may be there. Nothing is ever replaced. */
  create(intent: LockedIntent, name: string, text: string): Promise<Outcome<null>>;
}
