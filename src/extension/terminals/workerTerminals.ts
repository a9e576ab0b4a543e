import { TerminalExitReason, ThemeIcon, window, type Terminal, commands as vscodeCommands } from 'vscode';
import path from 'node:path';
import { viewCommand } from '../../adapters/launches/start';
import type { MissionView } from '../../contracts/page/missionView';
import { ui, type UiText } from '../../base/text/marked/ui';
import { runDirOf, shownLaunch, shownSession, taskOfRunDir } from '../../core/view/evidence/shownLaunch';
import type { Composition } from '../compose';
import { type Appended, type MissionFolder, followViews, PerFolder } from '../folder/missionFolders';
import type { UnderWay } from '../views/missionFacts';
import { RecordedTerminals } from './recordedTerminals';
import { isRunOf, isUnderWay, liveRuns, missionOf, ofSession, runOf, terminalName, type Run } from './run';
import { openTerminal, inform } from '../window/ui';
import { type Contribution, commands } from '../registry/registry';
import { limited } from '../../base/text/oneLine';

/** Milliseconds that VS Code has to restore a terminal after a reload. */
const returnLimit = 15_000;

/**
 * Opens an integrated terminal for every launch of this window. A terminal only shows a view, because the owner starts
 * the supervisor. So a restored one cannot start anything, and closing one ends nothing.
 */
export class WorkerTerminals implements Contribution {
  readonly #terminals = new Map<string, { readonly run: Run; readonly terminal: Promise<Terminal> }>();
  readonly #recorded: RecordedTerminals;
  /** Missions, named by `missionOf`, of which a worker's terminal was shown. */
  readonly #shown = new Set<string>();
  /** Runs whose terminal a person closed, or that could not be opened; only a person's request opens it again. */
  readonly #dismissed = new Set<string>();
  /** Terminals that VS Code restored after their runs got another one; they are closed without a message. */
  readonly #late = new WeakSet<Terminal>();
  /** Terminals that this window opened, because VS Code reports them like restored ones. */
  readonly #created = new WeakSet<Terminal>();
  readonly #subscriptions: Contribution[];
  readonly #closedByPerson = new ClosedTerminals({
    isUnderWay,
    show: (run) => this.#tolerate(this.#ensure(run).then((terminal) => terminal.show(false))),
  });

  constructor(private readonly composition: Composition) {
    const { folders, context } = composition;
    this.#recorded = new RecordedTerminals(context.workspaceState);
    this.#subscriptions = [
      window.onDidCloseTerminal((terminal) => this.#tolerate(this.#closed(terminal))),
      window.onDidOpenTerminal((terminal) => this.#tolerate(this.#adopt(terminal))),
      new PerFolder(folders, (folder) => folder.onDidAppend((appended) => this.#onAppended(folder, appended))),
      followViews(folders, () => this.#attachToLive()),
      this.#closedByPerson,
    ];
    for (const terminal of window.terminals) this.#tolerate(this.#adopt(terminal));
  }

  /** Shows the terminal of what runs for a task; creates a missing one. False: nothing of it runs. */
  async show(folder: MissionFolder, mission: MissionView, { task_id }: Pick<UnderWay, 'task_id'>): Promise<boolean> {
    const run = liveRuns(folder, mission).find(({ taskId }) => taskId === task_id);
    if (run) (await this.#ensure(run)).show(false);
    return run !== undefined;
  }

  /** Shows an agent that drafts a plan, in place of its earlier launch; the focus stays where it is. */
  async showDraft(
    folder: MissionFolder,
    { runDir, worker, launch }: Pick<Run, 'runDir' | 'worker' | 'launch'>,
  ): Promise<void> {
    const missionId = path.basename(path.resolve(runDir, '../..'));
    const names = { missionId, planId: missionId, taskId: 'draft' };
    const terminal = await this.#ensure({ folder, ...names, runDir, worker, launch, purpose: 'draft', attempt: 1 });
    terminal.show(true);
    for (const { run, terminal: earlier } of [...this.#terminals.values()]) {
      // Checks the number, because the next launch may have begun already.
      if (run.missionId === missionId && run.launch < launch) this.#close(run, earlier);
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Opens a terminal for every launch, however short, because it follows events instead of snapshots. */
  #onAppended(folder: MissionFolder, { mission, entries }: Appended): void {
    for (const { event } of entries) {
      if (event.type === 'OrchestratorPrepared') this.#openSession(folder, mission, event.launch_id);
      if (event.type !== 'LaunchPrepared') continue;
      const launch = shownLaunch(mission, event.launch_id);
      if (!launch) continue;
      const done = mission.rows.filter((row) => row.status === 'done').map((row) => row.task.task_id);
      this.#tolerate(this.#openNext(runIn(folder, mission, launch), done));
    }
  }

  /** Opens a session's own terminal beside the others; it never replaces the one that a person looks at. */
  #openSession(folder: MissionFolder, mission: Appended['mission'], launchId: string): void {
    const session = shownSession(mission, launchId);
    if (session) void this.#ensure(runIn(folder, mission, { ...session, ...ofSession }));
  }

  /** Opens terminals for running workers after a reload, or after this window took over. */
  #attachToLive(): void {
    for (const folder of this.composition.folders.all) {
      if (folder.view?.owner !== 'this') continue;
      for (const mission of folder.view.missions) {
        const runs = liveRuns(folder, mission);
        for (const run of runs) if (!this.#dismissed.has(run.runDir)) void this.#ensure(run);
        if (runs.length > 0) this.#tolerate(this.#closeLeftBehind());
      }
    }
  }

  /** Closes terminals of what is over that an earlier extension host left open. */
  async #closeLeftBehind(): Promise<void> {
    if (this.composition.settings.keepsTerminals()) return;
    for (const terminal of window.terminals) {
      const runDir = runDirShown(terminal) ?? this.#recorded.runDirOf(terminal);
      if (runDir === undefined || this.#terminals.has(runDir) || !this.#isOver(runDir)) continue;
      terminal.dispose();
      await this.#recorded.forget(runDir);
    }
  }

  #isOver(runDir: string): boolean {
    const name = path.basename(runDir);
    return this.composition.folders.all.some((folder) =>
      folder.view?.missions.some(
        (mission) =>
          isRunOf(folder, mission, runDir) &&
          ((mission.ending !== null && mission.needs === null) ||
            mission.tasks.some(({ task_id, status }) => task_id === taskOfRunDir(name) && status === 'done')),
      ),
    );
  }

  /** Opens the next terminal before it closes done ones, because VS Code would hide the panel without any terminal. */
  async #openNext(run: Run, doneTasks: readonly string[]): Promise<void> {
    // Read before the new one can become active.
    const replaced = this.#showsEarlierLaunch(run);
    const terminal = await this.#ensure(run).catch(() => null);
    if (terminal === null) return;
    // A check opens no panel, because its terminal closes with it, perhaps before it was shown. Of two launches at
    // once, the first terminal to open does.
    const first = run.purpose === 'worker' && !this.#shown.has(missionOf(run));
    if (first) this.#shown.add(missionOf(run));
    if ((first && this.composition.settings.opensTerminals()) || replaced) terminal.show(true);
    this.#closeDone(run, doneTasks);
  }

  #showsEarlierLaunch({ taskId, runDir, purpose }: Run): boolean {
    const active = window.activeTerminal;
    const shown = active && (runDirShown(active) ?? this.#recorded.runDirOf(active));
    if (shown === undefined || shown === runDir || purpose !== 'worker') return false;
    return path.dirname(shown) === path.dirname(runDir) && taskOfRunDir(path.basename(shown)) === taskId;
  }

  /** Logs and forgets a terminal that fails, so that the next caller tries again. */
  #ensure(run: Run): Promise<Terminal> {
    const known = this.#terminals.get(run.runDir);
    if (known) return known.terminal;
    const terminal = this.#findOrCreate(run);
    this.#terminals.set(run.runDir, { run, terminal });
    terminal.catch((error: unknown) => {
      if (this.#terminals.get(run.runDir)?.terminal === terminal) this.#terminals.delete(run.runDir);
      this.#dismissed.add(run.runDir);
      this.composition.log.error(ui`The terminal of task ${run.taskId} could not be opened`, error);
    });
    return terminal;
  }

  async #findOrCreate(run: Run): Promise<Terminal> {
    const present = window.terminals.find((one) => one.exitStatus === undefined && runDirShown(one) === run.runDir);
    const terminal = present ?? (await this.#recorded.returning(run.runDir, returnLimit)) ?? (await this.#create(run));
    const restored = await this.#recorded.record(run.runDir, terminal);
    if (restored) this.#closeLate(restored);
    return terminal;
  }

  async #create(run: Run): Promise<Terminal> {
    const supervisor = await this.composition.supervisor();
    // An owner has opened it before, so a failure is an error.
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
    // Keeps the record if the window closes or reloads, because VS Code will restore the terminal.
    if (reason !== TerminalExitReason.Shutdown) this.#tolerate(this.#recorded.forget(run.runDir));
    if (byUser) this.#closedByPerson.add(run);
  }

  async #runOf(terminal: Terminal): Promise<Run | undefined> {
    for (const { run, terminal: known } of this.#terminals.values())
      if ((await known.catch(() => null)) === terminal) return run;
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

  /** Closes terminals of what is over when the next one opens; those of blocked and failed tasks stay to be read. */
  #closeDone(next: Run, doneTasks: readonly string[]): void {
    if (this.composition.settings.keepsTerminals()) return;
    for (const { run, terminal } of this.#terminals.values())
      if (missionOf(run) === missionOf(next) ? doneTasks.includes(run.taskId) : this.#isOver(run.runDir))
        this.#close(run, terminal);
  }

  /** A terminal that is still being opened is closed once it is there. */
  #close({ runDir }: Run, terminal: Promise<Terminal>): void {
    this.#terminals.delete(runDir);
    this.#tolerate(this.#recorded.forget(runDir));
    terminal.then(
      (ended) => ended.dispose(),
      () => undefined,
    );
  }

  /** Logs a failure, because no caller waits and the other terminals go on. */
  #tolerate(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.composition.log.error(ui`A terminal could not be followed`, error));
  }
}

/** @param launch its `run_dir` is the name below `runs/` */
function runIn(folder: MissionFolder, mission: Appended['mission'], launch: Parameters<typeof runOf>[2]): Run {
  const names = { mission_id: mission.mission_id, plan_id: mission.plan.plan_id };
  return runOf(folder, names, { ...launch, run_dir: runDirOf(mission, launch.run_dir) });
}

const icons = { worker: 'rocket', verify: 'checklist', orchestrator: 'comment-discussion', draft: 'edit' } as const;

/** The run directory in `SUPERVISOR view RUN_DIR`; a restored terminal may have no arguments. */
function runDirShown(terminal: Terminal): string | undefined {
  const args = (terminal.creationOptions as { readonly shellArgs?: unknown }).shellArgs;
  if (!Array.isArray(args)) return undefined;
  const at = args.indexOf('view');
  const runDir: unknown = args[at + 1];
  return at > 0 && typeof runDir === 'string' ? runDir : undefined;
}

/** A small environment without secrets, because VS Code stores the environments of terminals. */
function viewEnvironment(): Record<string, string> {
  const names = ['PATH', 'LANG', 'LC_ALL', 'TERM', 'HOME', 'SystemRoot', 'TEMP', 'TMP'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

interface Parts {
  readonly isUnderWay: (run: Run) => boolean;
  readonly show: (run: Run) => void;
}

/** *Kill All Terminals* closes them one by one, so those of one mission share a notification. */
class ClosedTerminals implements Contribution {
  readonly #gathered = new Map<string, { readonly runs: readonly Run[]; readonly timer: NodeJS.Timeout }>();

  constructor(private readonly parts: Parts) {}

  add(run: Run): void {
    const key = missionOf(run);
    const gathered = this.#gathered.get(key);
    clearTimeout(gathered?.timer);
    const runs = [...(gathered?.runs ?? []), run];
    this.#gathered.set(key, { runs, timer: setTimeout(() => void this.#tell(key), gatherFor) });
  }

  dispose(): void {
    for (const { timer } of this.#gathered.values()) clearTimeout(timer);
    this.#gathered.clear();
  }

  async #tell(key: string): Promise<void> {
    const gathered = this.#gathered.get(key);
    this.#gathered.delete(key);
    const runs = gathered?.runs.filter((run) => this.parts.isUnderWay(run)) ?? [];
    const [first, ...others] = runs;
    if (!first) return;
    const [show, stop] = [others.length === 0 ? 'Show Terminal' : 'Show Terminals', 'Stop Worker'] as const;
    const chosen = await inform(closedText(first, others), show, stop);
    if (chosen === show) for (const run of runs) this.parts.show(run);
    if (chosen !== stop) return;
    await vscodeCommands.executeCommand(commands.stopWorker.id, {
      folder: first.folder.folder.uri.toString(),
      missionId: first.missionId,
      ...(others.length === 0 && { taskId: first.taskId }),
    });
  }
}

/** Milliseconds without another closed terminal of the mission after which the notification appears. */
const gatherFor = 300;

function closedText(first: Run, others: readonly Run[]): UiText {
  const mission = limited(first.planId, 60);
  if (others.length === 0)
    return ui`The terminal of task ${first.taskId} of mission ${mission} is closed. ${doers[first.purpose]} goes on, because a terminal only shows it.`;
  const tasks = [first, ...others].map(({ taskId }) => taskId).join(', ');
  return ui`${others.length + 1} terminals of mission ${mission} are closed: ${limited(tasks, 200)}. Their workers go on, because terminals only show them.`;
}

const doers: Readonly<Record<Run['purpose'], string>> = {
  worker: 'Its worker',
  verify: 'Its check',
  orchestrator: 'Its orchestrator',
  draft: 'Its agent',
};
