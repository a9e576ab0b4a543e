import { TerminalExitReason, ThemeIcon, window, type Terminal } from 'vscode';
import path from 'node:path';
import { viewCommand } from '../../adapters/launches/start';
import type { LiveWorkerView, MissionView } from '../../contracts/missionView';
import { ui } from '../../base/text/ui';
import { shownLaunch, shownSession, taskOfRunDir } from '../../core/view/shownLaunch';
import type { Composition } from '../compose';
import type { Appended, MissionFolder } from '../folder/types';
import { followViews } from '../views/followViews';
import { hasRun } from '../views/missionFacts';
import { RecordedTerminals } from './recordedTerminals';
import { terminalName, type NamedLaunch } from './terminalName';
import { inform, openTerminal } from '../window/ui';
import type { Contribution } from '../registry/contribution';

/** One launch, as its terminal needs it. */
interface Run extends NamedLaunch {
  readonly folder: MissionFolder;
  readonly missionId: string;
  /** Absolute path; identifies the run. */
  readonly runDir: string;
}

/** Milliseconds that VS Code has to restore a terminal after a reload. */
const returnLimit = 15_000;

/**
 * An integrated terminal for every launch of this window. It only shows a view: the owner starts the supervisor, so a
 * restored terminal cannot start anything. A person who closes the terminal of a live worker requests its stop; a
 * reload or closed window does not.
 */
export class WorkerTerminals implements Contribution {
  readonly #terminals = new Map<string, { readonly run: Run; readonly terminal: Promise<Terminal> }>();
  readonly #recorded: RecordedTerminals;
  readonly #shown = new Set<string>();
  /** Runs whose terminal a person closed: it is not opened again by itself. */
  readonly #dismissed = new Set<string>();
  /** Restored by VS Code when their runs had another one: closed without consequence. */
  readonly #late = new WeakSet<Terminal>();
  /** Opened by this window; VS Code reports them like restored ones. */
  readonly #created = new WeakSet<Terminal>();
  readonly #subscriptions: Contribution[];
  #perFolder: readonly Contribution[] = [];

  constructor(private readonly composition: Composition) {
    const { folders, context } = composition;
    this.#recorded = new RecordedTerminals(context.workspaceState);
    this.#subscriptions = [
      window.onDidCloseTerminal((terminal) => void this.#closed(terminal)),
      window.onDidOpenTerminal((terminal) => void this.#adopt(terminal)),
      folders.onDidChange(() => this.#followFolders()),
      followViews(folders, () => this.#attachToLive()),
    ];
    this.#followFolders();
    for (const terminal of window.terminals) void this.#adopt(terminal);
  }

  /** Shows the terminal of a lane; creates one where there is none. */
  async show(folder: MissionFolder, mission: MissionView, lane: LiveWorkerView): Promise<void> {
    (await this.#ensure(runOf(folder, mission, lane))).show(false);
  }

  dispose(): void {
    for (const subscription of [...this.#subscriptions, ...this.#perFolder]) subscription.dispose();
  }

  #followFolders(): void {
    for (const subscription of this.#perFolder) subscription.dispose();
    this.#perFolder = this.composition.folders.all.map((folder) =>
      folder.onDidAppend((appended) => this.#onAppended(folder, appended)),
    );
  }

  /** Opens a terminal for every launch, however short, because it follows events, not snapshots. */
  #onAppended(folder: MissionFolder, { mission, entries }: Appended): void {
    for (const { event } of entries) {
      if (event.type === 'OrchestratorPrepared') this.#openSession(folder, mission, event.launch_id);
      if (event.type !== 'LaunchPrepared') continue;
      const launch = shownLaunch(mission, event.launch_id);
      if (!launch) continue;
      const runDir = runDirOf(folder, mission.mission_id, launch.run_dir);
      const run: Run = {
        folder,
        missionId: mission.mission_id,
        planId: mission.plan.plan_id,
        taskId: launch.task_id,
        runDir,
        worker: launch.worker,
        purpose: launch.purpose,
        attempt: launch.attempt,
        launch: launch.launch,
      };
      const done = mission.rows.filter((row) => row.status === 'done').map((row) => row.task.task_id);
      void this.#openNext(run, done);
    }
  }

  /** Its own terminal beside the others: it never takes the place of what a person looks at. */
  #openSession(folder: MissionFolder, mission: Appended['mission'], launchId: string): void {
    const session = shownSession(mission, launchId);
    if (!session) return;
    const { task_id, run_dir, worker } = session;
    const runDir = runDirOf(folder, mission.mission_id, run_dir);
    const planId = mission.plan.plan_id;
    void this.#ensure({
      ...{ folder, planId, runDir, worker },
      missionId: mission.mission_id,
      taskId: task_id,
      ...ofSession,
    });
  }

  /** Gives running workers their terminals after a reload, or when this window took over. */
  #attachToLive(): void {
    for (const folder of this.composition.folders.all) {
      if (folder.view?.owner !== 'this') continue;
      for (const mission of folder.view.missions) {
        const runs = liveRuns(folder, mission);
        for (const run of runs) if (!this.#dismissed.has(run.runDir)) void this.#ensure(run);
        const [first] = runs;
        if (first) void this.#closeLeftBehind(mission, first);
      }
    }
  }

  /** Closes terminals of done tasks that an earlier extension host left open. */
  async #closeLeftBehind(mission: MissionView, live: Run): Promise<void> {
    const runs = path.dirname(live.runDir);
    const done = mission.tasks.filter(({ status }) => status === 'done');
    for (const terminal of window.terminals) {
      const runDir = runDirShown(terminal) ?? this.#recorded.runDirOf(terminal);
      if (runDir === undefined || path.dirname(runDir) !== runs || this.#terminals.has(runDir)) continue;
      const shown = taskOfRunDir(path.basename(runDir));
      if (!done.some(({ task_id }) => task_id === shown)) continue;
      terminal.dispose();
      await this.#recorded.forget(runDir);
    }
  }

  /** Opens the next terminal before closing the done ones: without any terminal VS Code would hide the panel. */
  async #openNext(run: Run, doneTasks: readonly string[]): Promise<void> {
    const first = !this.#shown.has(run.missionId);
    this.#shown.add(run.missionId);
    // Read before the new one can become active.
    const replaced = this.#showsEarlierLaunch(run);
    const terminal = await this.#ensure(run);
    if (first || replaced) terminal.show(true);
    this.#closeDone(run, doneTasks);
  }

  /** Whether the terminal in front is that of an ended launch of the worker that is launched again. */
  #showsEarlierLaunch({ taskId, runDir, purpose }: Run): boolean {
    const active = window.activeTerminal;
    const shown = active && (runDirShown(active) ?? this.#recorded.runDirOf(active));
    if (shown === undefined || shown === runDir || purpose !== 'worker') return false;
    return path.dirname(shown) === path.dirname(runDir) && taskOfRunDir(path.basename(shown)) === taskId;
  }

  #ensure(run: Run): Promise<Terminal> {
    const known = this.#terminals.get(run.runDir);
    if (known) return known.terminal;
    const terminal = this.#findOrCreate(run);
    this.#terminals.set(run.runDir, { run, terminal });
    return terminal;
  }

  async #findOrCreate(run: Run): Promise<Terminal> {
    const present = window.terminals.find((terminal) => showsRun(terminal, run.runDir));
    const terminal = present ?? (await this.#recorded.returning(run.runDir, returnLimit)) ?? (await this.#create(run));
    const restored = await this.#recorded.record(run.runDir, terminal);
    if (restored) this.#closeLate(restored);
    return terminal;
  }

  async #create(run: Run): Promise<Terminal> {
    const supervisor = await this.composition.supervisor();
    // An owner has opened it before.
    if (!supervisor.ok) throw new Error(`${supervisor.refusal.code}: ${supervisor.refusal.reason}`);
    const command = viewCommand(run.runDir, await supervisor.value());
    const terminal = openTerminal({
      name: terminalName(run),
      shellPath: command.file,
      shellArgs: [...command.args, ...(run.purpose === 'verify' ? [] : ['--hold'])],
      cwd: run.folder.folder.uri,
      env: { ...viewEnvironment(), ...command.env, ELECTRON_RUN_AS_NODE: '1' },
      strictEnv: true,
      iconPath: new ThemeIcon(icons[run.purpose]),
    });
    this.#created.add(terminal);
    return terminal;
  }

  /** A restored terminal belongs to the run whose view it shows. */
  async #adopt(terminal: Terminal): Promise<void> {
    if (!this.#created.has(terminal) && !(await this.#recorded.opened(terminal))) this.#closeLate(terminal);
  }

  #closeLate(terminal: Terminal): void {
    this.#late.add(terminal);
    terminal.dispose();
  }

  async #closed(terminal: Terminal): Promise<void> {
    if (this.#late.has(terminal)) return;
    const run = await this.#runOf(terminal);
    if (!run) return;
    const reason = terminal.exitStatus?.reason;
    const byUser = reason === TerminalExitReason.User;
    if (byUser) this.#dismissed.add(run.runDir);
    this.#terminals.delete(run.runDir);
    // A window that closes or reloads will restore it.
    if (reason !== TerminalExitReason.Shutdown) await this.#recorded.forget(run.runDir);
    if (!byUser) return;
    const mission = run.folder.view?.missions.find(({ mission_id }) => mission_id === run.missionId);
    const live = mission?.lanes.find((lane) => hasRun(lane) && runDirFromRoot(run.folder, lane.run_dir) === run.runDir);
    const session = run.purpose === 'orchestrator' && mission?.orchestrator?.session !== undefined;
    if (!session && (!live || live.stopping)) return;
    const { person, log } = this.composition;
    const answer = await run.folder.command(
      person.actor,
      run.missionId,
      { type: 'StopTask', task_id: run.taskId },
      'The terminal was closed by the user.',
    );
    if (answer.accepted) void inform(ui`The terminal of task ${run.taskId} was closed: its worker is being stopped.`);
    else log.info(ui`Closed terminal of ${run.taskId}: ${answer.code} ${answer.reason}`);
  }

  async #runOf(terminal: Terminal): Promise<Run | undefined> {
    for (const { run, terminal: known } of this.#terminals.values()) if ((await known) === terminal) return run;
    const runDir = this.#recorded.runDirOf(terminal) ?? runDirShown(terminal);
    if (runDir === undefined) return undefined;
    for (const folder of this.composition.folders.all) {
      for (const mission of folder.view?.missions ?? []) {
        const run = liveRuns(folder, mission).find((live) => live.runDir === runDir);
        if (run) return run;
      }
    }
    return undefined;
  }

  /** Closes done tasks' terminals when the next one opens; those of blocked and failed tasks stay to be read. */
  #closeDone(next: Run, doneTasks: readonly string[]): void {
    for (const { run, terminal } of this.#terminals.values()) {
      if (run.missionId !== next.missionId || !doneTasks.includes(run.taskId)) continue;
      this.#terminals.delete(run.runDir);
      void this.#recorded.forget(run.runDir);
      void terminal.then((finished) => finished.dispose());
    }
  }
}

function liveRuns(folder: MissionFolder, mission: MissionView): readonly Run[] {
  const lanes = mission.lanes.filter(hasRun).map((lane) => runOf(folder, mission, lane));
  return [...lanes, ...sessionRuns(folder, mission)];
}

/** The session of the orchestrator that is under way. */
function sessionRuns(folder: MissionFolder, { mission_id, plan_id, orchestrator }: MissionView): readonly Run[] {
  if (!orchestrator?.session) return [];
  const { task_id, run_dir } = orchestrator.session;
  const runDir = runDirFromRoot(folder, run_dir);
  const { worker } = orchestrator;
  return [{ folder, missionId: mission_id, planId: plan_id, taskId: task_id, runDir, worker, ...ofSession }];
}

const ofSession = { purpose: 'orchestrator', attempt: 1, launch: 1 } as const;
const icons = { worker: 'rocket', verify: 'checklist', orchestrator: 'comment-discussion' } as const;

function runOf(folder: MissionFolder, mission: MissionView, lane: LiveWorkerView): Run {
  const { task_id, run_dir, worker, purpose, attempt, launch } = lane;
  return {
    folder,
    missionId: mission.mission_id,
    planId: mission.plan_id,
    taskId: task_id,
    runDir: runDirFromRoot(folder, run_dir),
    worker,
    purpose,
    attempt,
    launch,
  };
}

function runDirFromRoot(folder: MissionFolder, relative: string): string {
  return path.join(folder.folder.uri.fsPath, ...relative.split('/'));
}

function runDirOf(folder: MissionFolder, missionId: string, name: string): string {
  return runDirFromRoot(folder, `.mission-control/missions/${missionId}/runs/${name}`);
}

function showsRun(terminal: Terminal, runDir: string): boolean {
  return terminal.exitStatus === undefined && runDirShown(terminal) === runDir;
}

/** The run directory in `SUPERVISOR view RUN_DIR`; a restored terminal may lack its arguments. */
function runDirShown(terminal: Terminal): string | undefined {
  const args = (terminal.creationOptions as { readonly shellArgs?: unknown }).shellArgs;
  if (!Array.isArray(args)) return undefined;
  const at = args.indexOf('view');
  const runDir: unknown = args[at + 1];
  return at > 0 && typeof runDir === 'string' ? runDir : undefined;
}

/** The view needs little and gets no secret: VS Code stores terminals' environments. */
function viewEnvironment(): Record<string, string> {
  const names = ['PATH', 'LANG', 'LC_ALL', 'TERM', 'HOME', 'SystemRoot', 'TEMP', 'TMP'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
