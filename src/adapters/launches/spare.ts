import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { supervisorEnvironment } from './environment';
import type { NodeFile } from '../user/node';
import type { SupervisorFile } from '../user/supervisorCopy';

/** What a spare is told when there is work: one line of JSON on its standard input. */
export interface SupervisorOrder {
  readonly run_dir: string;
  /** What the supervisor's own environment would carry, see `supervisorEnvironment`. Never reaches the disk. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A supervisor that was started. */
export interface StartedSupervisor {
  /** Whether it had waited for its run. */
  readonly spare: boolean;
  /** How it ended, in words; null while it runs. */
  end(): string | null;
}

/**
 * Keeps one supervisor waiting, so that the next worker does not wait until Node has started. A spare knows no run and
 * touches nothing until it gets its order; then it claims the ticket as any other supervisor does. It lives no longer
 * than this process wants it: when its input ends without an order, it ends.
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

  /** Starts one unless one waits already. What fails here is no loss: supervisors are then started when needed. */
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
      env: supervisorEnvironment(environment, {}, process.versions['electron'] !== undefined),
    });
    const { stdin } = child;
    const end = endOf(child);
    stdin.on('error', () => undefined); // it has ended, which `end` tells
    // The pipe keeps this process no more than the child does.
    (stdin as Writable & { unref?(): void }).unref?.();
    this.#waiting = { spare: true, end, input: stdin };
  }

  /** Sends the spare to work. Null when there is none: start a supervisor the usual way. */
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

/** In the spare: null when the input ends without an order. */
export async function readOrder(input: Readable): Promise<SupervisorOrder | null> {
  let text = '';
  for await (const chunk of input.setEncoding('utf8')) text += chunk as string;
  return text.endsWith('\n') ? (JSON.parse(text) as SupervisorOrder) : null;
}

/** Lets the child live on its own and remembers how it ended. */
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
