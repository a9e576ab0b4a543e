import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { supervisorEnvironment } from './environment';
import type { NodeFile, SupervisorFile } from '../user/programCopy';

/** The order to a spare: one line of JSON on its standard input. */
export interface SupervisorOrder {
  readonly run_dir: string;
  /** The variables of the supervisor's own environment, see `supervisorEnvironment`. They never reach the disk. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface StartedSupervisor {
  /** The supervisor had waited as a spare. */
  readonly spare: boolean;
  /** Says in words how it ended; null: it runs. */
  end(): string | null;
}

/**
 * Keeps one supervisor waiting, so that the next worker need not wait for Node to start. A spare knows no run and
 * touches nothing until it gets its order; then it takes the ticket as any other supervisor does. It ends when its
 * input ends without an order, so it never outlives this process.
 */
export class SpareSupervisor {
  #waiting: Waiting | null = null;
  #disposed = false;

  constructor(
    private readonly options: {
      readonly supervisor: SupervisorFile;
      readonly node?: NodeFile;
      readonly environment: Readonly<Record<string, string | undefined>>;
    },
  ) {}

  /** Starts a spare unless one waits. Ignores failures, because a supervisor is then started when it is needed. */
  async prepare(): Promise<void> {
    const { supervisor, node, environment } = this.options;
    const programs = await Promise.all([supervisor(), node?.() ?? process.execPath]).catch(() => null);
    if (programs === null || this.#disposed || this.#waiting?.end() === null) return;
    const [file, runner] = programs;
    const child = spawn(runner, [file, 'own', '-'], {
      cwd: path.dirname(file),
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: supervisorEnvironment(environment, {}),
    });
    const { stdin } = child;
    const end = endOf(child);
    stdin.on('error', () => undefined); // it has ended; `end` says how
    // Neither the pipe nor the child keeps this process alive.
    (stdin as Writable & { unref?(): void }).unref?.();
    this.#waiting = { spare: true, end, input: stdin };
  }

  /** Sends the spare to work. Null: no spare waits, so start a supervisor the usual way. */
  take(order: SupervisorOrder): StartedSupervisor | null {
    const spare = this.#waiting;
    this.#waiting = null;
    if (spare?.end() !== null) return null;
    spare.input.end(`${JSON.stringify(order)}\n`);
    return spare;
  }

  dispose(): void {
    this.#disposed = true;
    this.#waiting?.input.end();
    this.#waiting = null;
  }
}

/** Runs in the spare. Null: the input ends without an order. */
export async function readOrder(input: Readable): Promise<SupervisorOrder | null> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) text += chunk as string;
  return text.endsWith('\n') ? (JSON.parse(text) as SupervisorOrder) : null;
}

/** Detaches from the child and returns a function that says how it ended. */
export function endOf(child: ChildProcess): () => string | null {
  let end: string | null = null;
  child.once('error', (error) => (end = error.message));
  child.once('exit', (code, signal) => (end = signal ?? `exit code ${code ?? '?'}`));
  child.unref();
  return () => end;
}

interface Waiting extends StartedSupervisor {
  readonly input: Writable;
}
