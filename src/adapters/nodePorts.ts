import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Actor } from '../contracts/vocabulary/actors';
import type { MissionEvent } from '../core/model/events';
import type { LiveFacts } from '../core/view/missionView';
import type { PlanFiles } from '../engine/ports/plans';
import type { HostPorts } from '../engine/ports/engine';
import { createApprovals } from './state/approvals';
import { claimCheck } from './documents/claimCheck';
import { createTimers, systemClock } from './system/clock';
import { createEvidenceFiles } from './evidence/files';
import { createHandoffFiles } from './handoff/files';
import { systemIds } from './system/ids';
import { createInbox } from './inbox/receive';
import { openJournalThread } from './journal/client';
import { openJournalDb } from './journal/inProcess';
import type { StoreAccess } from './journal/store';
import { readLiveFacts } from './launches/liveFacts';
import { createLaunches } from './launches/launches';
import { createLease } from './state/lease';
import { leaseSupport } from './state/leaseSupport';
import { readMissionPaths } from './state/missionPaths';
import { nodeOutside } from './user/node';
import { done, errorMessage, refused, type Outcome } from '../base/outcome';
import { searchOutside } from './files/outside';
import { planFiles } from './documents/planFiles';
import { journalSecrets, redactedJournal, storedActor, storedNames } from './journal/redacted';
import { findStateFolder, openStateFolder, stateTrouble, type StateFolder } from './state/folder';
import { SpareSupervisor } from './launches/spare';
import type { StateJournal } from './journal/journal';
import { openSupervisorCopy } from './user/supervisorCopy';
import { launcherFolders, openUserStateFolder } from './user/folder';
import { ownKeyFolder } from './user/key';
import { createWorkerCatalog, sessionVariablesOf, type WorkerCatalogOptions } from './launches/workerCatalog';
import { createWorkspace } from './workspace/workspace';
import { createWorkspaceThread } from './workspace/client';

/** Where the journal of a workspace is open: on this thread, or in a worker thread (`script`: the built journalThread.js). */
export type JournalPlace = { readonly kind: 'in_process' } | { readonly kind: 'thread'; readonly script: string };

export interface NodePortsOptions {
  /** The workspace folder. */
  readonly workspaceDir: string;
  readonly journal: JournalPlace;
  /** Where its files are read for manifests: on this thread, unless a script (the built workspaceThread.js) is named. */
  readonly workspaceScript?: string;
  /** How plans are read and judged. Default: on this thread. */
  readonly plans?: PlanFiles;
  /** Names this version's copy of the supervisor. */
  readonly toolVersion: string;
  /** Agent CLIs, their settings on this machine, and the environment they are looked up in. */
  readonly workers: WorkerCatalogOptions;
  /** The built supervisor.cjs of this installation, and what runs it (default: what runs this). */
  readonly supervisor: { readonly supervisorFile: string; readonly execPath?: string };
  /** Hears of what the file system refused and is tried again. */
  readonly onProblem: (problem: string) => void;
  /** See `EnginePorts`. */
  readonly savesTold?: () => Promise<void>;
}

/** Everything an owner reaches the world through. */
export interface NodePorts {
  readonly ports: HostPorts;
  readonly folder: StateFolder;
  readonly journal: StateJournal<MissionEvent>;
  close(): Promise<void>;
}

/**
 * The ports of one workspace for an owner: creates the state folder and opens the journal for writing. The
 * lease is not taken. Refuses file systems that cannot hold a lease with LEASE_UNSUPPORTED.
 */
export async function openNodePorts(options: NodePortsOptions): Promise<Outcome<NodePorts>> {
  const { workspaceDir, toolVersion, workers, onProblem } = options;
  const { supervisorFile, execPath } = options.supervisor;
  const present = await isFolder(workspaceDir);
  if (!present.ok) return present;
  const state = await openUserStateFolder();
  if (!state.ok) return state;
  const supervisor = await openSupervisorCopy({ supervisorFile, toolVersion }, state.value);
  if (!supervisor.ok) return supervisor;
  const node = await nodeOutside(execPath ?? process.execPath, workspaceDir, state.value);
  if (!node.ok) return node;
  const opened = await openStateFolder(workspaceDir);
  if (!opened.ok) return opened;
  const folder = opened.value;
  const supported = await leaseSupport(folder.workspace, folder.root);
  if (!supported.ok) return supported;
  const journal = await openJournal(options.journal, folder, 'write');
  if (!journal.ok) return journal;
  const environment = searchOutside(workers.environment, [workspaceDir, ...launcherFolders(state.value)]);
  const keyFolder = ownKeyFolder();
  const program = {
    supervisor: supervisor.value,
    node: node.value,
    environment,
    sessionVariables: sessionVariablesOf(workers.workers),
  };
  const spare = new SpareSupervisor(program);
  const kept = { user_state: state.value, secrets: journalSecrets(workers.environment) };
  const thread =
    options.workspaceScript === undefined ? null : createWorkspaceThread(options.workspaceScript, workspaceDir, kept);
  const redacted = redactedJournal<MissionEvent, StateJournal<MissionEvent>>(journal.value, workers.environment);
  const fences = {
    owner: () => journal.value.owner(),
    raiseFence: (owner: Actor) => journal.value.raiseFence(storedActor(owner, workers.environment)),
  };
  const ports: HostPorts = {
    journal: redacted,
    records: redacted as unknown as HostPorts['records'],
    clock: systemClock,
    // An owner that has nothing else to do may end: its workers go on.
    timers: createTimers({ keepAlive: false }),
    ids: systemIds,
    plans: options.plans ?? planFiles,
    workspace: thread ?? createWorkspace(workspaceDir, kept),
    launches: createLaunches({ ...program, spare }),
    workers: createWorkerCatalog({ ...workers, environment, workspaces: () => [workspaceDir] }),
    evidence: createEvidenceFiles({ workspaceRoot: workspaceDir }),
    paths: await readMissionPaths(workspaceDir, [state.value, ...(keyFolder === null ? [] : [keyFolder])]),
    claims: claimCheck,
    handoffs: createHandoffFiles(workspaceDir),
    approvals: createApprovals(workspaceDir),
    stateTrouble: () => stateTrouble(workspaceDir),
    storedName: storedNames(workers.environment),
    ...(options.savesTold ? { savesTold: options.savesTold } : {}),
    lease: createLease({ file: folder.leaseDb, journal: fences }),
    inbox: createInbox(folder, onProblem),
  };
  return done({
    ports,
    folder,
    journal: journal.value,
    async close() {
      spare.dispose();
      await thread?.close();
      await journal.value.close();
    },
  });
}

/** What a viewer reads: creates, takes and changes nothing, and does not hinder an owner. */
export interface NodeViewer {
  readonly folder: StateFolder;
  readonly journal: StateJournal<MissionEvent>;
  readonly records: HostPorts['records'];
  readonly approvals: HostPorts['approvals'];
  /** Whether somebody owns the missions now. */
  held(): Promise<boolean>;
  /** What a run directory says of its worker; null when it can not be read. */
  live(missionId: string, runDir: string): Promise<LiveFacts | null>;
  close(): Promise<void>;
}

/** Null when nobody has used this workspace yet. */
export async function openNodeViewer(
  options: Pick<NodePortsOptions, 'workspaceDir' | 'journal'>,
): Promise<Outcome<NodeViewer | null>> {
  const present = await isFolder(options.workspaceDir);
  if (!present.ok) return present;
  const found = await findStateFolder(options.workspaceDir);
  if (!found.ok) return found;
  const folder = found.value;
  if (folder === null) return done(null);
  const journal = await openJournal(options.journal, folder, 'read');
  if (!journal.ok) return journal;
  const lease = createLease({ file: folder.leaseDb, journal: journal.value });
  return done({
    folder,
    journal: journal.value,
    records: journal.value as unknown as HostPorts['records'],
    approvals: createApprovals(options.workspaceDir),
    held: () => lease.held(),
    live: (missionId, runDir) => readLiveFacts(path.join(folder.missionDir(missionId), 'runs', runDir)),
    close: () => journal.value.close(),
  });
}

/** One journal of every kind of event: mission streams and the streams of the workspace. */
async function openJournal(
  place: JournalPlace,
  folder: StateFolder,
  access: StoreAccess,
): Promise<Outcome<StateJournal<MissionEvent>>> {
  switch (place.kind) {
    case 'in_process':
      return openJournalDb<MissionEvent>(folder.stateDb, access);
    case 'thread':
      return openJournalThread<MissionEvent>({ script: place.script, file: folder.stateDb, access });
  }
}

async function isFolder(workspaceDir: string): Promise<Outcome<null>> {
  try {
    if ((await stat(workspaceDir)).isDirectory()) return done(null);
    return refused('STATE_STORE_UNWRITABLE', `${workspaceDir} is not a folder.`, 'Name the workspace folder.');
  } catch (error) {
    return refused(
      'STATE_STORE_UNWRITABLE',
      `The workspace folder cannot be used: ${errorMessage(error)}.`,
      'Name an existing workspace folder.',
    );
  }
}
