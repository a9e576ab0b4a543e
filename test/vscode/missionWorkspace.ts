import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { openNodeViewer } from '../../src/adapters/nodeViewer';
import type { MissionEvent } from '../../src/core/model/events';
import type { JournalEntry } from '../../src/core/model/journalEntry';
import { approveShown } from './approving';
import type { Scratch } from './harness/scratch';
import { makeScratch } from './harness/scratch';
import type { Server, ServerOptions } from './harness/server';
import { startServer } from './harness/server';
import { waitFor } from './harness/waitFor';
import type { VscodeWindow } from './harness/window';

/**
 * A workspace whose tasks wait for the test: each appends a line to its own file when it starts, so an
 * execution too many is seen, and ends when the test opens its gate (a file outside the workspace) or, with
 * `fail`, with exit code 3 while `gates/<task>.fail` is there. With `gates/<task>.stuck` it falls silent for ever,
 * with `gates/<task>.stray` it writes a file in no task's paths, and with `gates/<task>.hook` a hook of git.
 */
const stepProgram = `import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
const [gate, output] = process.argv.slice(2);
mkdirSync(path.dirname(output), { recursive: true });
appendFileSync(output, 'executed\\n');
console.log('Step started: ' + output);
for (let tick = 1; !existsSync(gate); tick += 1) {
  if (existsSync(gate + '.fail')) {
    console.error('The step was told to fail.');
    process.exit(3);
  }
  if (existsSync(gate + '.stuck')) await new Promise(() => setInterval(() => undefined, 2 ** 30));
  if (existsSync(gate + '.stray')) writeFileSync('stray.txt', 'Not mine to write.\\n');
  if (existsSync(gate + '.hook')) writeFileSync('.git/hooks/pre-push', 'exit 1\\n');
  if (tick % 20 === 0) console.log('Step started: ' + output + ', waiting for its gate, look ' + tick);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
console.log('Step finished');
`;

export interface MissionWorkspace extends Scratch {
  readonly planId: string;
  readonly planPath: string;
  /** Lets a task end. */
  openGate(task: string): Promise<void>;
  /** Lets a task fail from now on, until it is mended. */
  breakTask(task: string): Promise<void>;
  mendTask(task: string): Promise<void>;
  /** From now on the task gives no sign of life. */
  stickTask(task: string): Promise<void>;
  /** From now on the task writes outside its own paths, and those of every other task. */
  strayTask(task: string): Promise<void>;
  /** From now on the task plants a hook, in a repository. */
  plantHook(task: string): Promise<void>;
  staysInScope(task: string): Promise<void>;
  /** How often a task was executed. */
  executions(task: string): number;
  /** Every event of the newest mission's journal, read as any viewer reads it. */
  events(): Promise<readonly JournalEntry<MissionEvent>[]>;
}

interface WorkspaceOptions {
  readonly approved?: boolean;
  readonly git?: boolean;
  readonly timeoutSeconds?: number;
  /** Runs so many tasks at once; default: one after the other. */
  readonly lanes?: number;
  /** What verifies every task; default: that its file is there. */
  readonly verify?: readonly string[];
  /** Tasks that wait for others to be done. */
  readonly after?: Readonly<Record<string, readonly string[]>>;
}

export async function makeMissionWorkspace(
  planId: string,
  tasks: readonly string[],
  options: WorkspaceOptions = {},
): Promise<MissionWorkspace> {
  const scratch = await makeScratch({
    'tools/step.mjs': stepProgram,
    'README.md': '# A workspace\n',
    'notes.md': 'One note.\n',
  });
  const gates = path.join(path.dirname(scratch.workspaceDir), 'gates');
  await mkdir(gates);
  const planPath = path.join(scratch.workspaceDir, `docs/plans/PLAN_${planId}.json`);
  await mkdir(path.dirname(planPath), { recursive: true });
  await writeFile(planPath, `${JSON.stringify(planOf(planId, tasks, gates, options), null, 2)}\n`);
  if (options.git) makeRepository(scratch.workspaceDir);
  return {
    ...scratch,
    planId,
    planPath,
    openGate: (task) => writeFile(path.join(gates, task), ''),
    breakTask: (task) => writeFile(path.join(gates, `${task}.fail`), ''),
    mendTask: (task) => rm(path.join(gates, `${task}.fail`)),
    stickTask: (task) => writeFile(path.join(gates, `${task}.stuck`), ''),
    strayTask: (task) => writeFile(path.join(gates, `${task}.stray`), ''),
    plantHook: (task) => writeFile(path.join(gates, `${task}.hook`), ''),
    staysInScope: (task) => rm(path.join(gates, `${task}.hook`)),
    executions: (task) => {
      const file = path.join(scratch.workspaceDir, 'out', `${task}.txt`);
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
    },
    events: () => journalOf(scratch.workspaceDir),
  };
}

/** The product in the real VS Code on that workspace: this repository, or the unpacked package that MISSION_EXTENSION_DIR names. */
export function startMissionServer(workspace: Scratch, options: Partial<ServerOptions> = {}): Promise<Server> {
  return startServer({
    workspaceDir: workspace.workspaceDir,
    serverDataDir: workspace.serverDataDir,
    extensionDir: process.env['MISSION_EXTENSION_DIR'] ?? process.cwd(),
    ...options,
  });
}

/** One window of such a server, where nothing needs the server itself. */
export async function openMissionWindow(
  workspace: Scratch,
  options: Partial<ServerOptions> = {},
): Promise<VscodeWindow> {
  return (await startMissionServer(workspace, options)).openWindow();
}

/** A mission that was approved and run in a window of its own. */
export interface MissionInWindow {
  readonly workspace: MissionWorkspace;
  readonly server: Server;
  readonly window: VscodeWindow;
}

/** Makes the workspace, opens it, approves its plan and runs it. */
export async function runInWindow(...given: Parameters<typeof makeMissionWorkspace>): Promise<MissionInWindow> {
  const workspace = await makeMissionWorkspace(...given);
  const server = await startMissionServer(workspace);
  const window = await server.openWindow();
  await approveAndRun(window, workspace);
  return { workspace, server, window };
}

/** Runs the plan through the palette as a person does, approval dialog and name included. */
export async function approveAndRun(window: VscodeWindow, workspace: MissionWorkspace): Promise<void> {
  await window.editor.open(workspace.planPath);
  await window.command('Mission Control: Approve Plan');
  await answerName(window);
  await approveShown(window);
  await window.notifications.waitFor(new RegExp(`Plan ${workspace.planId} is approved`));
  await window.command('Mission Control: Run Plan');
}

/** The question for the name comes once per machine. */
export async function answerName(window: VscodeWindow): Promise<void> {
  await window.quickInput.answer('Ada Lovelace');
}

export async function waitForStatus(window: VscodeWindow, text: string | RegExp): Promise<void> {
  await waitFor(async () => matches((await window.statusBarItem('missionControl.status'))?.text ?? '', text), {
    what: `the status bar to say ${String(text)}`,
  });
}

export async function waitForEvent(
  workspace: MissionWorkspace,
  type: MissionEvent['type'],
  count = 1,
): Promise<JournalEntry<MissionEvent>> {
  let seen: readonly JournalEntry<MissionEvent>[] = [];
  const found = async (): Promise<JournalEntry<MissionEvent> | undefined> => {
    seen = await workspace.events();
    return seen.filter(({ event }) => event.type === type)[count - 1];
  };
  return waitFor(found, { what: `event ${type} (${count})` }).catch((error: unknown) => {
    const last = seen.slice(-8).map(({ event }) => event.type);
    throw new Error(`${String(error)}; the journal ends with ${last.join(', ')}`);
  });
}

interface EvidenceVerdict {
  readonly valid: boolean;
  readonly findings: readonly { readonly code: string; readonly severity: string }[];
}

export function verifyEvidence(workspace: MissionWorkspace): EvidenceVerdict {
  return verifyPlanEvidence(workspace.workspaceDir, workspace.planId);
}

/** The environment of a terminal of the person whose window it is: without its HOME the key would be another person's. */
export function terminalOf({ serverDataDir }: Pick<MissionWorkspace, 'serverDataDir'>): NodeJS.ProcessEnv {
  const home = path.join(serverDataDir, 'home');
  mkdirSync(home, { recursive: true });
  return { ...process.env, HOME: home };
}

/** What `mission evidence verify` says, as a person would run it. @param home the person's; absent: a stranger's */
export function verifyPlanEvidence(workspaceDir: string, planId: string, home?: string): EvidenceVerdict {
  const args = [path.resolve('dist/cli.js'), 'evidence', 'verify', planId, '--workspace', workspaceDir, '--json'];
  const env = { PATH: process.env['PATH'], ...(home !== undefined && { HOME: home }) };
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env })) as EvidenceVerdict;
}

function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

/** The newest mission's stream, read as any viewer reads it. */
export async function journalOf(workspaceDir: string): Promise<readonly JournalEntry<MissionEvent>[]> {
  const opened = await openNodeViewer({ workspaceDir, journal: { kind: 'in_process' } });
  if (!opened.ok || opened.value === null) return [];
  const { journal } = opened.value;
  try {
    const missions = (await journal.streams()).filter(({ stream }) => stream !== 'approvals' && stream !== 'refusals');
    const newest = missions.sort((left, right) => (left.first_at < right.first_at ? 1 : -1))[0];
    return newest ? await journal.read(newest.stream) : [];
  } finally {
    await journal.close();
  }
}

function planOf(
  planId: string,
  tasks: readonly string[],
  gates: string,
  { approved = false, timeoutSeconds = 300, lanes, verify, after = {} }: WorkspaceOptions,
): object {
  return {
    contract_version: 'S2-B-05.v1',
    plan_id: planId,
    goal_id: 'SHOW-IT',
    created_at: '2026-01-15T09:00:00Z',
    planner: 'The test',
    status: approved ? 'APPROVED' : 'DRAFT',
    risk: { level: 1, notes: 'Writes one file per task.' },
    scope: { allowed: ['report_writing'], forbidden: ['network'] },
    tasks: tasks.map((task) => ({
      task_id: task,
      description: `Write out/${task}.txt step by step.`,
      paths: [`out/${task}.txt`],
      requires: ['report_writing'],
      worker: 'command',
      command: ['node', 'tools/step.mjs', `../${path.basename(gates)}/${task}`, `out/${task}.txt`],
      verify: [verify ?? ['node', '-e', `require('node:fs').accessSync('out/${task}.txt')`]],
      heartbeat_interval_seconds: 5,
      timeout_seconds: timeoutSeconds,
      max_runtime_seconds: 600,
      ...(after[task] && { depends_on: after[task] }),
    })),
    execution: {
      ...(lanes === undefined ? { mode: 'sequential' } : { mode: 'parallel', max_parallel: lanes }),
      recovery: { allow: [] },
    },
    approval: {
      required: true,
      ...(approved && { approved_by: 'Somebody Else', approved_at: '2026-01-15T10:00:00Z' }),
    },
    success_criteria: ['validator_passes', 'no_scope_violation'],
  };
}

function makeRepository(folder: string): void {
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd: folder,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], HOME: folder },
    });
  };
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Start');
}
