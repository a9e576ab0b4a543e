import path from 'node:path';
import { launchTimes } from '../engine/ports/engine';
import { searchOutside } from '../adapters/files/inside';
import { sandboxHere } from '../adapters/sandbox/sandboxes';
import { commands, workspace, type ExtensionContext } from 'vscode';
import { systemClock } from '../adapters/system/clock';
import { KnownMissions } from '../adapters/user/knownMissions';
import { createDoctorPorts } from '../adapters/doctor/doctor';
import { gitUserName } from '../adapters/git/command';
import { systemIds } from '../adapters/system/clock';
import { machineIdentity } from '../adapters/system/machine';
import { openNodePorts, type NodePorts } from '../adapters/nodePorts';
import { openNodeViewer } from '../adapters/nodeViewer';
import { runMission, startEventServer } from '../adapters/system/ownProgram';
import { writeTerminalLauncher } from '../adapters/user/terminalLauncher';
import { openUserStateFolder } from '../adapters/user/folder';
import { openSupervisorCopy, type SupervisorFile } from '../adapters/user/programCopy';
import {
  createWorkerCatalog,
  hostsOfAll,
  providersOfAll,
  type WorkerCatalogOptions,
} from '../adapters/launches/workerCatalog';
import { ui } from '../base/text/marked/ui';
import { askText } from './window/ui';
import type { Outcome } from '../base/outcome';
import { agentWorkers } from '../workers/registry';
import { parseVersion } from '../workers/versions';
import { planFiles } from '../adapters/documents/planFiles';
import { PlanWritten } from './plans/written';
import { FolderContents } from './folder/contents';
import { MissionFoldersService } from './folder/folders';
import { ReviewComments } from './editor/reviewComments';
import { ReviewDocuments } from './editor/reviewDocuments';
import { AgentsHere } from './views/agentsHere';
import { DoneSteps } from './views/contextKeys';
import { PanelSelection } from './views/panelSelection';
import { DoctorPages } from './pages/doctorPages';
import { Pages } from './pages/pages';
import { Person } from './folder/person';
import { Reviews } from './pages/reviews';
import { SavesReported } from './folder/savesReported';
import { settingsNow } from './registry/settings';
import type { Log } from './window/log';

/** Everything from which contributions and commands are built: each port with its adapter. */
export type Composition = ReturnType<typeof compose>;

export function compose(context: ExtensionContext, log: Log) {
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
      plans: planFiles,
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
    plans: planFiles,
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
    /** The hosts that agents reach in addition to their provider, by the present configuration. */
    hosts: () => hostsOfAll(workerOptions),
    /** The providers that agents lead to, by the present configuration. */
    providers: () => providersOfAll(workerOptions),
    /** The sandboxes of this machine; never uses a program in an open folder. */
    sandboxes: {
      standing: (folder: string) => sandboxHere(searchOutside(process.env, workspaces()), folder),
    },
    pages,
    doctorPages: new DoctorPages(context),
    reviews: new Reviews(context, systemIds),
    contents: new FolderContents(inDist('workspaceThread.js')),
    reviewDocuments: new ReviewDocuments(),
    reviewComments: new ReviewComments(folders),
    selection: new PanelSelection(),
    savesReported,
    person: new Person(context.globalState, identity.user, () => gitUserName(workspaces()), askText),
    folders,
    /** All ports for a workspace folder, without owning its missions. The caller closes them. */
    openPorts,
    /** Calls back when the extension ends, unless disposed before. */
    whenClosing(listener: () => void) {
      closing.add(listener);
      return { dispose: () => closing.delete(listener) };
    },
    /** The supervisor, which terminals run to show a launch. */
    async supervisor(): Promise<Outcome<SupervisorFile>> {
      const state = await openUserStateFolder();
      return state.ok ? openSupervisorCopy({ supervisorFile, toolVersion }, state.value) : state;
    },
    toolVersion,
    /** Runs `mission` with these arguments; resolves with the document that it prints. */
    mission: (args: readonly string[]) => runMission(inDist('cli.js'), args),
    eventServer: (workspaceDir: string) => startEventServer(inDist('cli.js'), workspaceDir),
    terminalLauncher: () =>
      writeTerminalLauncher({
        execPath: process.execPath,
        electron: process.versions['electron'] !== undefined,
        cliFile: inDist('cli.js'),
      }),
  };
}
