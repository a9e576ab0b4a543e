import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { runFiles } from '../contracts/launch';
import type { LaunchTicket, ProcessIdentity } from '../contracts/launch';
import { errorMessage } from '../base/outcome';
import { resolveCommandLine } from '../adapters/processes/commandLine';
import { identityOf } from '../adapters/processes/table';

export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
}
export interface WorkerProcess {
  /** Also the number of its process group and session. */
  readonly pid: number | null;
  /** Null when it had ended before anybody could look. */
  readonly identity: ProcessIdentity | null;
  /** Resolves when the process itself has ended; others of its tree may still hold its pipes. */
  readonly ended: Promise<WorkerEnd>;
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
 *
 * `onSpawned` gets the pipes before the event loop turns: of a short process, output that nobody reads when it ends
 * is thrown away by Node.
 */
export async function startWorker(
  runDir: string,
  ticket: LaunchTicket,
  environment: Readonly<Record<string, string>>,
  onSpawned: (stdout: Readable, stderr: Readable) => void,
): Promise<StartedWorker> {
  const line = await resolveCommandLine(ticket.argv, environment).catch((error: unknown) => errorMessage(error));
  const failed = (reason: string): StartedWorker => ({
    kind: 'failed',
    reason: `${ticket.argv[0] ?? ''} cannot be started in ${ticket.cwd}: ${reason}`,
  });
  if (typeof line === 'string') return failed(line);

  const prompt = openSync(path.join(runDir, runFiles.prompt), 'r');
  let child: ChildProcess;
  try {
    child = spawn(line.file, line.args, {
      cwd: ticket.cwd,
      env: environment,
      detached: process.platform !== 'win32', // there it would open a console window
      windowsHide: true,
      shell: false,
      stdio: [prompt, 'pipe', 'pipe'],
    });
  } catch (error) {
    // Wrong arguments (a NUL character, an empty name) are thrown rather than reported by the process.
    return failed(errorMessage(error));
  } finally {
    closeSync(prompt);
  }
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) return failed('it has no output pipes');
  onSpawned(stdout, stderr);

  const exit = new Promise<WorkerEnd>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const failure = failureOf(child);
  // At once: a short process is still in the table, its pid cannot have been reused. Without an identity the nonce
  // still finds it.
  const identity = child.pid === undefined ? null : identityOf(child.pid).catch(() => null);
  const found = await failure;
  if (found !== null) return failed(found.message);
  let stopWaiting: () => void = () => undefined;
  const givenUp = new Promise<WorkerEnd>((resolve) => {
    stopWaiting = () => setTimeout(() => resolve({ code: null, signal: null }), 1000);
  });
  return {
    kind: 'started',
    worker: {
      pid: child.pid ?? null,
      identity: await identity,
      ended: Promise.race([exit, givenUp]),
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      giveUp: () => stopWaiting(),
    },
  };
}

function failureOf(child: ChildProcess): Promise<Error | null> {
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(null));
    // Stays: later errors (a signal that could not be sent) are no reason to die.
    child.on('error', resolve);
  });
}
