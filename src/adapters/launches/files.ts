import { watch, type FSWatcher } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runFiles, workerSignalSchema, type WorkerSignal } from '../../contracts/launch';
import { parsedJson } from '../../base/json';
import { openFile, readOnce } from '../files/opened';

/** A file of a run directory. Its content is validated, because the worker can write it too. */
export type RunFile<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly changedAtMs: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid'; readonly reason: string };

export interface Schema<T> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: T }
    | { readonly success: false; readonly error: { readonly message: string } };
}

/** Reads and validates a small JSON file; a link, pipe, folder or more than 16 MB is invalid. Rejects on I/O errors. */
export async function readRunFile<T>(runDir: string, name: string, schema: Schema<T>): Promise<RunFile<T>> {
  const read = await readOnce(path.join(runDir, name), largestRunFile);
  if (read.kind === 'absent') return read;
  if (read.kind === 'irregular') return { kind: 'invalid', reason: `${name} is not a regular file` };
  if (read.kind === 'too_large') return { kind: 'invalid', reason: `${name} is larger than 16 MB` };
  try {
    const parsed = schema.safeParse(JSON.parse(read.bytes.toString('utf8')));
    if (!parsed.success) return { kind: 'invalid', reason: `${name} is not as a supervisor writes it` };
    return { kind: 'ok', value: parsed.data, changedAtMs: read.stats.ctimeMs };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'invalid', reason: `${name} is no JSON` };
    throw error;
  }
}

/** The value of such a file; null: it is absent or invalid. */
export async function valueIn<T>(runDir: string, name: string, schema: Schema<T>): Promise<T | null> {
  const file = await readRunFile(runDir, name, schema);
  return file.kind === 'ok' ? file.value : null;
}

export async function allRuns(
  missionsDir: string,
): Promise<readonly { readonly mission: string; readonly runDir: string }[]> {
  const missions = await namesOrNone(missionsDir);
  const runs = await Promise.all(
    missions.map(async (mission) => (await runsOf(missionsDir, mission)).map((runDir) => ({ mission, runDir }))),
  );
  return runs.flat();
}

export async function runsOf(missionsDir: string, mission: string): Promise<readonly string[]> {
  const folder = path.join(missionsDir, mission, 'runs');
  return (await namesOrNone(folder)).map((name) => path.join(folder, name));
}

export function namesOrNone(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []); // not there yet, or no folder
}

/** Follows signals.jsonl: each call returns the new complete lines. Skips lines that are no signals. */
export function createSignalTail(runDir: string): { next(): Promise<readonly WorkerSignal[]> } {
  let offset = 0;
  let rest = Buffer.alloc(0);
  return {
    async next() {
      const opened = await openFile(path.join(runDir, runFiles.signals));
      if (opened.kind !== 'opened') return [];
      const { handle } = opened;
      try {
        const signals: WorkerSignal[] = [];
        const buffer = Buffer.allocUnsafe(256 * 1024);
        // Reads a limited amount, because a worker could write faster than this reads.
        for (let taken = 0; taken < mostAtOnce;) {
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
          if (bytesRead === 0) return signals;
          offset += bytesRead;
          taken += bytesRead;
          const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
          const end = bytes.lastIndexOf(10) + 1;
          rest = Buffer.from(bytes.subarray(end));
          if (rest.length > longestSignal) rest = Buffer.alloc(0);
          for (const line of bytes.toString('utf8', 0, end).split('\n')) {
            const signal = workerSignalSchema.safeParse(parsedJson(line));
            if (signal.success) signals.push(signal.data);
          }
        }
        return signals;
      } finally {
        await handle.close();
      }
    },
  };
}

export async function signalsSoFar(runDir: string): Promise<readonly WorkerSignal[]> {
  return createSignalTail(runDir).next();
}

/** Wakes when a named file appears or changes, and every `fallbackMs`, because file events get lost. */
export interface RunWatch {
  changed(): Promise<void>;
  dispose(): void;
}

export function watchRun(runDir: string, names: readonly string[], fallbackMs = 1000): RunWatch {
  let happened = false;
  let wake: (() => void) | null = null;
  const notify = (): void => {
    happened = true;
    wake?.();
  };
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(runDir, { persistent: false }, (_event, name) => {
      if (name === null || names.includes(name)) notify();
    });
    watcher.on('error', () => watcher?.close()); // the timer continues
  } catch {
    watcher = null; // no watches left, or the directory is gone: the timer continues
  }
  return {
    async changed() {
      if (!happened) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, fallbackMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      happened = false;
      wake = null;
    },
    dispose: () => watcher?.close(),
  };
}

const largestRunFile = 16 * 1024 * 1024;

/** Bytes read in one call. */
const mostAtOnce = 8 * 1024 * 1024;

const longestSignal = 8 * 1024 * 1024;
