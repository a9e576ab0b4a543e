import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { runFiles } from '../contracts/launch';
import type { LaunchTicket, ProcessIdentity } from '../contracts/launch';
import { resolveCommandLine } from '../adapters/processesShim';
import { identityOf } from '../adapters/processes';

export interface WorkerProcess {
  /** Null when it had ended before anybody could look. */
  readonly identity: ProcessIdentity | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process itself has ended; others of its tree may still hold its pipes. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  hasEnded(): boolean;
  /** Stops waiting for a process that cannot be killed: `ended` resolves soon, with nothing known. */
  giveUp(): void;
}
export type StartedWorker =
  { readonly kind: 'started'; readonly worker: WorkerProcess } | { readonly kind: 'failed'; readonly reason: string };

/**
 * One process, no shell, its own session and process group, standard input from prompt.txt (it ends at once: an
 * open pipe makes some CLIs wait for ever). `child_process` itself: a file descriptor as input and the difference
 * between the process's end and its pipes' end are needed here.
 */
export async function startWorker(
  runDir: string,
  ticket: LaunchTicket,
  environment: Readonly<Record<string, string>>,
): Promise<StartedWorker> {
  const prompt = await open(path.join(runDir, runFiles.prompt), 'r');
  try {
    const line = await resolveCommandLine(ticket.argv, environment);
    const child = spawn(line.file, line.args, {
      cwd: ticket.cwd,
      env: environment,
      detached: process.platform !== 'win32', // there it would open a console window
      windowsHide: true,
      shell: false,
      stdio: [prompt.fd, 'pipe', 'pipe'],
    });
    const ended = endOf(child);
    // Before the event loop turns: a short process is still in the table, its pid cannot have been reused.
    const identity = child.pid === undefined ? Promise.resolve(null) : identityOf(child.pid);
    const failure = await failureOf(child);
    if (failure !== null)
      return {
        kind: 'failed',
        reason: `${ticket.argv[0] ?? ''} cannot be started in ${ticket.cwd}: ${failure.message}`,
      };
    return { kind: 'started', worker: await handleOf(child, identity, ended) };
  } catch (error) {
    // Wrong arguments (a NUL character, an empty name) are thrown rather than reported by the process.
    return {
      kind: 'failed',
      reason: `${ticket.argv[0] ?? ''} cannot be started: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    await prompt.close();
  }
}

async function handleOf(
  child: ChildProcess,
  identity: Promise<ProcessIdentity | null>,
  exit: Promise<{ readonly code: number | null; readonly signal: string | null }>,
): Promise<WorkerProcess> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the worker has no output pipes');
  let stopWaiting: () => void = () => undefined;
  const givenUp = new Promise<{ readonly code: null; readonly signal: null }>((resolve) => {
    stopWaiting = () => setTimeout(() => resolve({ code: null, signal: null }), 1000);
  });
  return {
    identity: await identity,
    stdout,
    stderr,
    ended: Promise.race([exit, givenUp]),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    giveUp: () => stopWaiting(),
  };
}

function endOf(child: ChildProcess): Promise<{ readonly code: number | null; readonly signal: string | null }> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
}

function failureOf(child: ChildProcess): Promise<Error | null> {
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(null));
    // Stays: later errors (a signal that could not be sent) are no reason to die.
    child.on('error', resolve);
  });
}
