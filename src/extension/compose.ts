import { launchTimes } from '../engine/ports/context';
import { searchOutside } from '../adapters/files/outside';
import { sandboxHere } from '../adapters/sandbox/sandboxes';
import type { SandboxStanding } from '../engine/ports/sandbox';
import { commands, workspace, type ExtensionContext } from 'vscode';
import path from 'node:path';
import { systemClock } from '../adapters/system/clock';
import { KnownMissions } from '../adapters/user/knownMissions';
import { createDoctorPorts } from '../adapters/doctor/doctor';
import { gitUserName } from '../adapters/git/user';
import { systemIds } from '../adapters/system/ids';
import { machineIdentity } from '../adapters/system/machine';
import { openNodePorts, type NodePorts } from '../adapters/nodePorts';
import { openNodeViewer } from '../adapters/nodeViewer';
import { startEventServer, type OwnEventServer } from '../adapters/system/ownEventServer';
import { runMission } from '../adapters/system/ownProgram';
import { writeTerminalLauncher } from '../adapters/user/terminalLauncher';
import { openUserStateFolder } from '../adapters/user/folder';
import { openSupervisorCopy, type SupervisorFile } from '../adapters/user/supervisorCopy';
import {
  createWorkerCatalog,
  hostsOfAll,
  providersOfAll,
  type WorkerCatalogOptions,
} from '../adapters/launches/workerCatalog';
import { ui } from '../base/text/marked/ui';
import { askText } from './window/ui';
import type { Clock, Ids } from '../engine/ports/time';
import type { PlanFiles } from '../engine/ports/plans';
import type { WorkerCatalog } from '../engine/ports/workers';
import type { Outcome } from '../base/outcome';
import type { DoctorPorts } from '../engine/ports/doctor';
import { agentWorkers } from '../workers/registry';
import { parseVersion } from '../workers/versions';
import { PlanWork } from './plans/planThreadClient';
import { PlanWritten } from './plans/written';
import { FolderContents } from './folder/contents';
import { MissionFoldersService } from './folder/folders';
import { ReviewDocuments } from './editor/reviewDocuments';
import { AgentsHere } from './views/agentsHere';
import { DoneSteps } from './views/contextKeys';
import { PanelSelection } from './views/panelSelection';
import { DoctorPages } from './pages/doctorPages';
import { Pages } from './pages/pages';
import { Person } from './folder/person';
import { Reviews } from './pages/reviews';
import { SavesReported } from './folder/savesReported';
import { settingsNow, type Settings } from './registry/settings';
import type { Log } from './window/log';

/** Everything from which contributions and commands are built: each port with its adapter. */
export interface Composition {
  readonly context: ExtensionContext;
  readonly log: Log;
  readonly settings: Settings;
  readonly plans: PlanFiles;
  readonly planWork: PlanWork;
  readonly planWritten: PlanWritten;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly workers: WorkerCatalog;
  readonly agentsHere: AgentsHere;
  readonly doneSteps: DoneSteps;
  readonly doctorPorts: DoctorPorts;
  /** The sandboxes of this machine; never uses a program in an open folder. */
  readonly sandboxes: { standing(folder: string): Promise<SandboxStanding> };
  /** The hosts that agents reach in addition to their provider, by the present configuration. */
  readonly hosts: () => ReturnType<typeof hostsOfAll>;
  /** The providers that agents lead to, by the present configuration. */
  readonly providers: () => ReturnType<typeof providersOfAll>;
  readonly pages: Pages;
  readonly doctorPages: DoctorPages;
  readonly reviews: Reviews;
  /** Contents of files before and after tasks. */
  readonly contents: FolderContents;
  readonly reviewDocuments: ReviewDocuments;
  readonly selection: PanelSelection;
  readonly person: Person;
  readonly savesReported: SavesReported;
  readonly folders: MissionFoldersService;
  /** All ports for a workspace folder, without owning its missions. The caller closes them. */
  readonly openPorts: (workspaceDir: string) => Promise<Outcome<NodePorts>>;
  /** Calls back when the extension ends, unless disposed before. */
  readonly whenClosing: (listener: () => void) => { dispose(): void };
  /** The supervisor, which terminals run to show a launch. */
  readonly supervisor: () => Promise<Outcome<SupervisorFile>>;
  readonly toolVersion: string;
  /** Runs `mission` with these arguments; resolves with the document that it prints. */
  readonly mission: (args: readonly string[]) => Promise<string>;
  /** Serves the page for a browser. */
  readonly eventServer: (workspaceDir: string) => Promise<OwnEventServer>;
  /** Writes the `mission` launcher and resolves with its folder. */
  readonly terminalLauncher: () => Promise<Outcome<string>>;
}

/** The list port -> adapter of the extension. */
export function compose(context: ExtensionContext, log: Log): Composition {
  const inDist = (file: string): string => path.join(context.extensionUri.fsPath, 'dist', file);
  const settings = settingsNow;
  const pages = new Pages();
  const workspaces = (): readonly string[] => (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const toolVersion = (context.extension.packageJSON as { readonly version: string }).version;
  const workerOptions: WorkerCatalogOptions = {
    workers: agentWorkers,
    surface: 'editor',
    settings: settings.worker,
    environment: process.env,
    workspaces,
    parseVersion,
    versions: new Map(),
  };
  const workers = createWorkerCatalog(workerOptions);
  const planWork = new PlanWork(inDist('planThread.js'), (problem) => log.warn(ui`${problem}`));
  const plans = planWork.files();
  const journal = { kind: 'thread', script: inDist('journalThread.js') } as const;
  const supervisorFile = inDist('supervisor.cjs');
  const identity = machineIdentity();
  const savesReported = new SavesReported(
    () => commands.getCommands(true),
    (error) => log.error(ui`A save could not be reported to the owner of the missions`, error),
  );
  const openPorts = (workspaceDir: string): Promise<Outcome<NodePorts>> =>
    openNodePorts({
      workspaceDir,
      journal,
      workspaceScript: inDist('workspaceThread.js'),
      plans,
      toolVersion,
      workers: workerOptions,
      supervisor: { supervisorFile },
      onProblem: (problem) => log.warn(ui`${problem}`),
      savesReported: () => savesReported.settled(),
    });
  const closing = new Set<() => void>();
  context.subscriptions.push({
    dispose() {
      for (const listener of closing) listener();
    },
  });
  const folders = new MissionFoldersService({
    openPorts,
    openViewer: (workspaceDir) => openNodeViewer({ workspaceDir, journal }),
    engineOptions: () => ({
      tool_version: toolVersion,
      ...launchTimes,
      identity: settings.includesIdentity() ? identity : null,
    }),
    known: new KnownMissions((problem) => log.warn(ui`${problem}`)),
    isTrusted: () => workspace.isTrusted,
    defaultWorker: settings.defaultWorker,
    approvalHours: settings.approvalHours,
    confinement: settings.confinement,
    ids: systemIds,
    clock: systemClock,
    log,
  });
  return {
    context,
    log,
    settings,
    plans,
    planWork,
    planWritten: new PlanWritten(),
    clock: systemClock,
    ids: systemIds,
    workers,
    doneSteps: new DoneSteps(folders),
    agentsHere: new AgentsHere({
      workers,
      defaultWorker: settings.defaultWorker,
      isTrusted: () => workspace.isTrusted,
    }),
    doctorPorts: createDoctorPorts({ supervisorFile, toolVersion }, journal),
    hosts: () => hostsOfAll(workerOptions),
    providers: () => providersOfAll(workerOptions),
    sandboxes: {
      standing: (folder) => sandboxHere(searchOutside(process.env, workspaces()), folder),
    },
    pages,
    doctorPages: new DoctorPages(context),
    reviews: new Reviews(context, systemIds),
    contents: new FolderContents(inDist('workspaceThread.js')),
    reviewDocuments: new ReviewDocuments(),
    selection: new PanelSelection(),
    savesReported,
    person: new Person(context.globalState, identity.user, () => gitUserName(workspaces()), askText),
    folders,
    openPorts,
    whenClosing(listener) {
      closing.add(listener);
      return { dispose: () => closing.delete(listener) };
    },
    async supervisor() {
      const state = await openUserStateFolder();
      return state.ok ? openSupervisorCopy({ supervisorFile, toolVersion }, state.value) : state;
    },
    toolVersion,
    mission: (args) => runMission(inDist('cli.js'), args),
    eventServer: (workspaceDir) => startEventServer(inDist('cli.js'), workspaceDir),
    terminalLauncher: () =>
      writeTerminalLauncher({
        execPath: process.execPath,
        electron: process.versions['electron'] !== undefined,
        cliFile: inDist('cli.js'),
      }),
  };
}
