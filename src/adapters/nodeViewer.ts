import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { MissionEvent } from '../core/model/events';
import type { LastStop } from '../core/view/mission/interrupted';
import type { LiveFacts } from '../core/view/mission/missionView';
import type { HostPorts } from '../engine/ports/engine';
import type { MissionSource } from '../engine/ports/journal';
import { withMirror } from './inbox/mirror';
import { createApprovals } from './state/approvals';
import { openJournalThread } from './journal/client';
import { refuseForeign } from './journal/foreign';
import { openJournalDb } from './journal/inProcess';
import type { StoreAccess } from './journal/store';
import { LeftLaunches, thisMachine } from './launches/orphanedLaunch';
import { type KnownLaunch, readLiveFacts } from './launches/files';
import { claimed } from './state/claim';
import { createLease } from './state/lease';
import { done, errorWords, refused, type Outcome, type Refusal } from '../base/outcome';
import { memoryOf } from './documents/memory';
import type { ReadMemory } from '../engine/ports/memory';
import { findStateFolder, type StateFolder } from './state/folder';
import type { StateJournal } from './journal/journal';
import { openUserKey } from './user/key';
import { lastStop } from './user/machineHold';

/** The place where a journal is open: this process, or a worker thread (`script`: the built journalThread.js). */
export type JournalPlace = { readonly kind: 'in_process' } | { readonly kind: 'thread'; readonly script: string };

/** What a viewer reads. It changes nothing and does not hinder an owner. */
export interface NodeViewer {
  readonly folder: StateFolder;
  readonly journal: StateJournal<MissionEvent>;
  /** The missions of the journal, and those that this workspace watches on hosts of a fleet. */
  readonly missions: MissionSource;
  readonly records: HostPorts['records'];
  readonly approvals: HostPorts['approvals'];
  readonly memory: ReadMemory;
  isOwned(): Promise<boolean>;
  /**
   * Returns what the run directory reports about its worker; null: it cannot be read.
   *
   * @param left the launch, if no owner watches it: then its process is looked for
   */
  live(missionId: string, runDir: string, left: KnownLaunch | null): Promise<LiveFacts | null>;
  /** The last time that a person stopped everything of this user on this machine; null: never. */
  lastStop(): Promise<LastStop | null>;
  /** Says why no process here runs what the journal has; null: one may. */
  claimed(): Promise<Refusal | null>;
  close(): Promise<void>;
}

/** Null: this workspace has no state folder yet. */
export async function openNodeViewer(options: {
  readonly workspaceDir: string;
  readonly journal: JournalPlace;
}): Promise<Outcome<NodeViewer | null>> {
  const present = await isFolder(options.workspaceDir);
  if (!present.ok) return present;
  const found = await findStateFolder(options.workspaceDir);
  if (!found.ok) return found;
  const folder = found.value;
  if (folder === null) return done(null);
  const others = await refuseForeign(folder.stateDb);
  if (!others.ok) return others;
  const journal = await openJournal(options.journal, folder, 'read');
  if (!journal.ok) return journal;
  const lease = createLease({ file: folder.leaseDb, journal: journal.value });
  const leftLaunches = new LeftLaunches(thisMachine);
  return done({
    folder,
    journal: journal.value,
    missions: withMirror(journal.value, options.workspaceDir),
    records: journal.value as unknown as HostPorts['records'],
    approvals: createApprovals(options.workspaceDir),
    memory: memoryOf(options.workspaceDir, journal.value as unknown as HostPorts['records']),
    isOwned: () => lease.isOwned(),
    live: (missionId, name, left) => {
      const runDir = path.join(folder.missionDir(missionId), 'runs', name);
      return left === null ? readLiveFacts(runDir) : leftLaunches.read(runDir, left);
    },
    lastStop,
    claimed: () => claimed(options.workspaceDir),
    close: () => journal.value.close(),
  });
}

/** Opens the one journal for all events: those of missions and those of the workspace. */
export async function openJournal(
  place: JournalPlace,
  folder: StateFolder,
  access: StoreAccess,
): Promise<Outcome<StateJournal<MissionEvent>>> {
  const own = await openUserKey();
  // What is written without a seal never counts again, so a key that cannot be used now stops the owner.
  if (!own.ok && access === 'write') return own;
  const key = own.ok ? own.value.seal('journal') : null;
  switch (place.kind) {
    case 'in_process':
      return openJournalDb<MissionEvent>(folder.stateDb, access, key);
    case 'thread':
      return openJournalThread<MissionEvent>({ script: place.script, file: folder.stateDb, access, key });
  }
}

/** Refuses a workspace that is no folder. */
export async function isFolder(workspaceDir: string): Promise<Outcome<null>> {
  try {
    if ((await stat(workspaceDir)).isDirectory()) return done(null);
    return refused('STATE_STORE_UNWRITABLE', `${workspaceDir} is not a folder.`, 'Name the workspace folder.');
  } catch (error) {
    const reason = `The workspace folder cannot be used: ${errorWords(error)}.`;
    return refused('STATE_STORE_UNWRITABLE', reason, 'Name an existing workspace folder.');
  }
}
