import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { runFiles, type LaunchTicket, type ProcessIdentity } from '../contracts/launch';
import { errorWords } from '../base/outcome';
import { resolveCommandLine } from '../adapters/processes/commandLine';
import { programOf, programOfRelay } from '../adapters/processes/namespace';
import { openPipes } from '../adapters/processes/pipes';
import { nonceVariable } from '../adapters/processes/facts';
import { startFault } from '../adapters/processes/startFault';
import { identityOf } from '../adapters/processes/tree';
import type { LimitGroup } from '../adapters/processes/limitGroup';
import { limitFiles } from './limits';
import { setTimeout as sleep } from 'node:timers/promises';
import { filterDescriptor, systemCallFilter } from '../adapters/sandbox/bubblewrap/systemCalls';

export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}
export interface WorkerProcess {
  /** The pid, which is also the number of its process group and session, unless it has a namespace. */
  readonly pid: number | null;
  /** Null: the process had ended before it could be read. */
  readonly identity: ProcessIdentity | null;
  /** First process of its sandbox's namespace; null: it has no namespace. */
  readonly namespace: ProcessIdentity | null;
  readonly fileLimit: boolean;
  /** The process is in the control group of its launch. */
  readonly inGroup: boolean;
  /** Resolves when the process itself has ended; its descendants may still hold its pipes. */
  readonly whenEnded: Promise<WorkerEnd>;
  hasEnded(): boolean;
  /** Gives up a process that cannot be killed: `whenEnded` resolves a second later, without code and signal. */
  giveUp(): void;
}
export type StartedWorker =
  | { readonly kind: 'started'; readonly worker: WorkerProcess }
  /** `saidWhy`: the rest of the reason is on its standard error. */
  | { readonly kind: 'failed'; readonly reason: string; readonly saidWhy: boolean };

/** The parameters of a worker's start, and the reports that the supervisor gets. */
export interface WorkerStart {
  readonly runDir: string;
  readonly ticket: LaunchTicket;
  /** Without the nonce. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gives up a sandbox that is not built yet. A running worker is ended by its tree instead. */
  readonly stop: AbortSignal;
  /** The group that enforces its limits; null: this machine gives us none. */
  readonly group: LimitGroup | null;
  /** Gets the pipes before the event loop turns, because Node drops output of a short process without a reader. */
  onSpawned(stdout: Readable, stderr: Readable): void;
}

/**
 * Starts one process without a shell, in its own session and process group, or in the sandbox of its ticket. Standard
 * input is a pipe with the text of prompt.txt, because an inherited file can be opened anew for writing. The
 * pipe ends with the text, because an open one makes some CLIs wait for ever. Uses `child_process` instead of execa,
 * because it distinguishes the end of the process from that of its pipes.
 */
export async function startWorker(start: WorkerStart): Promise<StartedWorker> {
  const { runDir, ticket } = start;
  const namespaced = ticket.sandbox?.means === 'bubblewrap';
  const env = namespaced ? start.environment : { ...start.environment, [nonceVariable]: ticket.nonce };
  const failed = (reason: string | null, program = ticket.argv[0] ?? ''): StartedWorker => ({
    kind: 'failed',
    saidWhy: reason === null,
    reason: `${program} cannot be started in ${ticket.cwd}: ${reason ?? ''}`,
  });
  const line = await resolveCommandLine(commandOf(ticket), env).catch((error: unknown) => errorWords(error));
  if (typeof line === 'string') return failed(line);

  const prompt = await readFile(path.join(runDir, runFiles.prompt));
  const pipes = await openPipes();
  let child: ChildProcess;
  closeInherited();
  try {
    child = spawn(line.file, line.args, {
      cwd: ticket.cwd,
      env,
      detached: process.platform !== 'win32', // there it would open a console window
      windowsHide: true,
      shell: false,
      stdio: [...pipes.stdio, ...(namespaced ? sandboxPipes(ticket.sandbox?.argv ?? []) : [])],
    });
  } catch (error) {
    // `spawn` throws for wrong arguments (a NUL character, an empty name, a text that is too long).
    pipes.connect(null);
    return failed(errorWords(error));
  }
  const connected = pipes.connect(child);
  if (connected === null) return failed('it has no pipes');
  const { stdin } = connected;
  start.onSpawned(connected.stdout, connected.stderr);
  // Ignores an error, because a worker may end without reading its input.
  stdin.on('error', () => undefined).end(prompt);
  child.once('exit', () => stdin.destroy());

  const exit = new Promise<WorkerEnd>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const failure = failureOf(child);
  const found = namespaced ? foundInSandbox(child, exit, start) : foundPlain(child, exit, start);
  const error = await failure;
  if (error !== null) return failed((await startFault(line.file, ticket.cwd, env)) ?? errorWords(error), line.file);
  const { processes, whenEnded } = await found;
  if (processes === null) return failed(null);
  let stopWaiting: () => void = () => undefined;
  const givenUp = new Promise<WorkerEnd>((resolve) => {
    stopWaiting = () => setTimeout(() => resolve({ code: null, signal: null }), 1000);
  });
  return {
    kind: 'started',
    worker: {
      ...processes,
      whenEnded: Promise.race([whenEnded, givenUp]),
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      giveUp: () => stopWaiting(),
    },
  };
}

/**
 * Closes what a program around us left open, because a sandbox does not hold the files that its worker inherits. Node
 * marks its own descriptors as closed for a new program. Only Linux shows that mark.
 */
function closeInherited(): void {
  if (process.platform !== 'linux') return;
  for (const descriptor of readdirSync('/proc/self/fd').map(Number)) {
    if (descriptor <= 2 || isClosedOnExec(descriptor)) continue;
    closeSync(descriptor);
  }
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
    return (parseInt(flags, 8) & 0o2000000) !== 0;
  } catch {
    return true; // the descriptor of the listing itself is gone
  }
}

function commandOf({ sandbox, argv }: LaunchTicket): readonly string[] {
  if (sandbox === undefined) return argv;
  const held = sandbox.means === 'bubblewrap' ? sandboxCommand(sandbox.argv) : sandbox.argv;
  return [...(sandbox.layers?.around ?? []), ...held, ...argv];
}

interface Found {
  /** Null: no worker was started. */
  readonly processes: Pick<WorkerProcess, 'pid' | 'identity' | 'namespace' | 'fileLimit' | 'inGroup'> | null;
  readonly whenEnded: Promise<WorkerEnd>;
}

async function foundPlain(child: ChildProcess, exit: Promise<WorkerEnd>, start: WorkerStart): Promise<Found> {
  const { ticket, group } = start;
  // Read at once, while a short process is still in the table and its pid not reused. Without an identity the nonce
  // still finds the tree.
  if (child.pid !== undefined) lowerPriority(child.pid);
  const identity = child.pid === undefined ? null : await identityOf(child.pid).catch(() => null);
  // The process runs already, so what it started before this is not limited.
  const inGroup = child.pid !== undefined && (await group?.hold(child.pid)) === true;
  const fileLimit = identity !== null && (await limitFiles(identity.pid, ticket));
  return { processes: { pid: child.pid ?? null, identity, namespace: null, fileLimit, inGroup }, whenEnded: exit };
}

async function foundInSandbox(child: ChildProcess, exit: Promise<WorkerEnd>, start: WorkerStart): Promise<Found> {
  let built = false;
  start.stop.addEventListener('abort', () => {
    if (!built) child.kill('SIGKILL');
  });
  let fileLimit = false;
  let inGroup = false;
  const { nonce, sandbox: asked } = start.ticket;
  const isRelayed = asked?.hosts !== undefined || (asked?.ports ?? []).length > 0;
  const before = async ({ pid }: ProcessIdentity): Promise<void> => {
    lowerPriority(pid);
    inGroup = (await start.group?.hold(pid)) === true;
    fileLimit = await limitFiles(pid, start.ticket);
    built = true;
  };
  const sandbox = followSandbox(child, nonce, before, isRelayed ? programOfRelay : programOf);
  // A killed bubblewrap ends the worker. One that ends by itself without a code has started none.
  const whenEnded = exit.then(async (own): Promise<WorkerEnd> => {
    const code = await sandbox.exitCode;
    return code === null ? own : { code, signal: null };
  });
  const started = await sandbox.started;
  if (started === null) return { processes: null, whenEnded };
  const { worker, namespace } = started;
  const ran = worker !== null || (await sandbox.exitCode) !== null || (await exit).signal !== null;
  return {
    processes: ran ? { pid: worker?.pid ?? null, identity: worker, namespace, fileLimit, inGroup } : null,
    whenEnded,
  };
}

/**
 * Lets this process, and what it starts from now on, run after its supervisor. A guard must get its turn on a
 * crowded machine. Linux weighs sessions by their group first, where it has groups of sessions.
 */
function lowerPriority(pid: number): void {
  const priority = Math.min(os.constants.priority.PRIORITY_LOW, os.getPriority() + 5);
  try {
    os.setPriority(pid, priority);
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, `${priority}`);
  } catch {
    // It has ended, or this kernel has no such groups.
  }
}

function failureOf(child: ChildProcess): Promise<Error | null> {
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(null));
    // `on`, not `once`, because a later error (a signal that could not be sent) must not crash the supervisor.
    child.on('error', resolve);
  });
}

/** Bubblewrap's file descriptors: its status, the signal to start the worker, further arguments, and its filter. */
const descriptors = { status: 3, go: 4, options: 5, filter: filterDescriptor } as const;

/** The pipes of a sandbox. None for a filter that its command line does not read, because the worker would get it. */
function sandboxPipes(argv: readonly string[]): readonly 'pipe'[] {
  return ['pipe', 'pipe', 'pipe', ...(argv.includes('--seccomp') ? (['pipe'] as const) : [])];
}

/**
 * The sandbox's command line with our pipes. The nonce goes in through a pipe, so that only the
 * worker's own processes carry it. No other user reads it from a command line.
 */
function sandboxCommand(argv: readonly string[]): readonly string[] {
  const [program = '', ...options] = argv;
  const { status, go, options: more } = descriptors;
  return [program, '--json-status-fd', `${status}`, '--block-fd', `${go}`, '--args', `${more}`, ...options];
}

/**
 * Follows a bubblewrap that was started with `sandboxCommand` and `sandboxPipes`.
 *
 * @param before runs before anything in the namespace, because a limit on its first process holds
 * for all later ones
 */
function followSandbox(
  child: ChildProcess,
  nonce: string,
  before: (first: ProcessIdentity) => Promise<void>,
  findProgram: typeof programOf,
) {
  const pipe = (descriptor: number): Readable | Writable => child.stdio[descriptor] as Readable | Writable;
  // Ignores errors, because a bubblewrap that ends early closes the pipes.
  for (const one of child.stdio.slice(descriptors.status)) one?.on('error', () => undefined);
  (pipe(descriptors.filter) as Writable | undefined)?.end(systemCallFilter());
  (pipe(descriptors.options) as Writable).end(`--setenv\0${nonceVariable}\0${nonce}\0`);
  const status = followStatus(pipe(descriptors.status) as Readable);
  const started = (async () => {
    const first = await status.firstPid;
    const namespace = first === null ? null : await identityOf(first);
    if (first === null || namespace === null) return null;
    await before(namespace);
    (pipe(descriptors.go) as Writable).end('\n');
    for (;;) {
      const pid = await findProgram(first);
      const worker = pid === null ? null : await identityOf(pid);
      if (worker !== null) return { namespace, worker };
      if (status.hasEnded()) return { namespace, worker: null };
      await sleep(2);
    }
  })();
  return {
    /** Null: the sandbox was not built, and standard error says why. `worker`: null: it ended before it was seen. */
    started,
    /** 128+n for a signal. Null: the worker never ran, or bubblewrap reported no code. Resolves at its end. */
    exitCode: status.exitCode,
  };
}

function followStatus(pipe: Readable) {
  let text = '';
  let ended = false;
  let tellPid: (pid: number | null) => void = () => undefined;
  const firstPid = new Promise<number | null>((resolve) => (tellPid = resolve));
  // Trusts the text, because only bubblewrap has the other end. A number counts once a character follows it, because it
  // may come in pieces.
  const numberOf = (name: string): number | null => {
    const number = new RegExp(`"${name}": *(\\d+)\\D`).exec(text)?.[1];
    return number === undefined ? null : Number(number);
  };
  pipe.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const pid = numberOf('child-pid');
    if (pid !== null) tellPid(pid);
  });
  const exitCode = new Promise<number | null>((resolve) =>
    pipe.once('close', () => {
      ended = true;
      tellPid(null);
      resolve(numberOf('exit-code'));
    }),
  );
  return { firstPid, exitCode, hasEnded: () => ended };
}
