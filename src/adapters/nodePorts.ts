import path from 'node:path';
import type { Actor } from '../contracts/vocabulary/actors';
import type { MissionEvent } from '../core/model/events';
import type { PlanFiles } from '../engine/ports/plans';
import type { HostPorts } from '../engine/ports/engine';
import { createApprovals } from './state/approvals';
import { claimed } from './state/claim';
import { claimCheck } from './documents/claimCheck';
import { createTimers, systemClock, systemIds } from './system/clock';
import { passedValues } from './system/redact';
import { createEvidenceFiles } from './evidence/files';
import { createHandoffFiles } from './handoff/files';
import { createInbox } from './inbox/receive';
import { requestedIn, workerEnvironment } from './launches/environment';
import { draftPlaces } from './launches/drafts';
import type { DraftPlaces } from '../engine/ports/drafts';
import { createLaunches } from './launches/launches';
import { createLease } from './state/lease';
import { leaseSupport } from './state/leaseSupport';
import { readMissionPaths } from './state/missionPaths';
import { nodeOutside, mcpFileBeside, missionTools, openSupervisorCopy } from './user/programCopy';
import { done, type Outcome } from '../base/outcome';
import { directories } from './files/directories';
import { searchOutside } from './files/inside';
import { driverMemory } from './documents/memory';
import { projectFilesOf } from './documents/project';
import { planFiles } from './documents/planFiles';
import { refuseForeign } from './journal/foreign';
import { journalSecrets, redactedJournal, storedActor } from './journal/redacted';
import { openStateFolder, stateFolderName, stateFolderOf, stateTrouble, type StateFolder } from './state/folder';
import { SpareSupervisor } from './launches/spare';
import { ofThisUser, type StateJournal } from './journal/journal';
import { isFolder, openJournal, type JournalPlace } from './nodeViewer';
import { createOrchestratorSessions } from './orchestrator/sessions';
import { launcherFolders, openUserStateFolder } from './user/folder';
import { ownKeyFolder } from './user/key';
import { lastStop, startsHeld } from './user/machineHold';
import { knownWorkspaces, rememberWorkspace } from './user/workspaces';
import {
  createWorkerCatalog,
  passedBySettings,
  sessionVariablesOf,
  type WorkerCatalogOptions,
} from './launches/workerCatalog';
import { createSandboxes } from './sandbox/sandboxes';
import { createFolders } from './workspace/folders';
import { createMakers } from './workspace/makers';
import { allManifests, cachesOf } from './workspace/manifest/place';
import { createWorkspace } from './workspace/workspace';
import { createWorkspaceThread } from './workspace/client';

export interface NodePortsOptions {
  readonly workspaceDir: string;
  readonly journal: JournalPlace;
  /** The built workspaceThread.js, which reads files for manifests in a worker thread. Default: on this thread. */
  readonly workspaceScript?: string;
  /** Reads and judges plans. Default: on this thread. */
  readonly plans?: PlanFiles;
  /** Names this version's copy of the supervisor. */
  readonly toolVersion: string;
  /** Agent CLIs, their settings on this machine, and the environment they are searched in. */
  readonly workers: WorkerCatalogOptions;
  /** The built supervisor.cjs of this installation, and the program that runs it (default: this process's). */
  readonly supervisor: { readonly supervisorFile: string; readonly execPath?: string };
  /** Gets each refusal of the file system that will be retried. */
  readonly onProblem: (problem: string) => void;
  readonly savesReported?: () => Promise<void>;
}

export interface NodePorts {
  readonly ports: HostPorts;
  readonly folder: StateFolder;
  readonly journal: StateJournal<MissionEvent>;
  /** Places that an agent that drafts a plan needs, in addition to the ports. */
  readonly drafts: DraftPlaces;
  close(): Promise<void>;
}

/** Creates the state folder and opens the journal; does not take the lease. Refuses with LEASE_UNSUPPORTED. */
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
  const others = await refuseForeign(stateFolderOf(workspaceDir).stateDb);
  if (!others.ok) return others;
  const opened = await openStateFolder(workspaceDir);
  if (!opened.ok) return opened;
  const folder = opened.value;
  const supported = await leaseSupport(folder.workspace, folder.root);
  if (!supported.ok) return supported;
  // Done before the first ticket, so that a stop of everything finds what runs here.
  await rememberWorkspace(workspaceDir);
  const journal = await openJournal(options.journal, folder, 'write');
  if (!journal.ok) return journal;
  const environment = searchOutside(workers.environment, [workspaceDir, ...launcherFolders(state.value)]);
  const keyFolder = ownKeyFolder();
  const program = {
    supervisor: supervisor.value,
    node: node.value,
    environment,
    sessionVariables: sessionVariablesOf(workers.workers),
    startsHeld,
  };
  const spare = new SpareSupervisor(program);
  const kept = { user_state: state.value, secrets: journalSecrets(workers.environment) };
  const thread =
    options.workspaceScript === undefined ? null : createWorkspaceThread(options.workspaceScript, workspaceDir, kept);
  const redacted = redactedJournal<MissionEvent, StateJournal<MissionEvent>>(
    journal.value,
    workers.environment,
    (names) => [
      ...passedValues(
        requestedIn(workerEnvironment({ kind: 'command', names, sessionVariables: [] }, workers.environment).values),
      ),
      ...passedBySettings(workers),
    ],
  );
  const fences = {
    owner: () => journal.value.owner(),
    raiseFence: (owner: Actor) => journal.value.raiseFence(storedActor(owner, workers.environment)),
  };
  const ports: HostPorts = {
    journal: ofThisUser(redacted),
    records: redacted as unknown as HostPorts['records'],
    clock: systemClock,
    // Timers do not keep an idle owner alive; its workers run on without it.
    timers: createTimers({ keepAlive: false }),
    ids: systemIds,
    plans: options.plans ?? planFiles,
    directories,
    workspace: thread ?? createWorkspace(workspaceDir, kept),
    launches: createLaunches({ ...program, spare }),
    workers: createWorkerCatalog({ ...workers, environment, workspaces: () => [workspaceDir] }),
    sandboxes: createSandboxes({
      environment,
      // Baselines and copies of files, which no process in a sandbox may read; no program lies there.
      secret: [...(keyFolder === null ? [] : [keyFolder]), allManifests(state.value)],
      states: async () => (await knownWorkspaces()).map((one) => path.join(one, stateFolderName)),
      state: allManifests(state.value),
      caches: (workspace) => cachesOf(state.value, workspace),
      relay: () => Promise.all([node.value(), supervisor.value()]),
    }),
    orchestrator: createOrchestratorSessions(workspaceDir, () =>
      missionTools({ mcpFile: mcpFileBeside(supervisorFile), toolVersion }, state.value, node.value),
    ),
    folders: createFolders(workspaceDir),
    makers: createMakers(workspaceDir, path.join(path.dirname(supervisorFile), 'cli.js')),
    project: projectFilesOf(workspaceDir),
    memory: driverMemory(workspaceDir, redacted as unknown as HostPorts['records']),
    evidence: createEvidenceFiles({ workspaceRoot: workspaceDir }),
    paths: await readMissionPaths(workspaceDir, [state.value, ...(keyFolder === null ? [] : [keyFolder])]),
    claims: claimCheck,
    handoffs: createHandoffFiles(workspaceDir),
    approvals: createApprovals(workspaceDir),
    stateTrouble: () => stateTrouble(workspaceDir),
    startsHeld,
    claimed: () => claimed(workspaceDir),
    lastStop,
    storedName: redacted.storedName,
    secretsIn: redacted.secretsIn,
    savesReported: options.savesReported ?? (() => Promise.resolve()),
    lease: createLease({ file: folder.leaseDb, journal: fences }),
    inbox: createInbox(folder, onProblem),
  };
  return done({
    ports,
    folder,
    journal: journal.value,
    drafts: draftPlaces(workspaceDir, folder.missionsDir, kept.secrets),
    async close() {
      spare.dispose();
      await thread?.close();
      await journal.value.close();
    },
  });
}
