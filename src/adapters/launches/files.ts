import { watch, type FSWatcher } from 'node:fs';
import { readdir, lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  runFiles,
  workerSignalSchema,
  type WorkerSignal,
  activitySchema,
  heartbeatSchema,
  shownChangeSchema,
  taskOutcomeSchema,
  type ShownChange,
  type TaskOutcome,
  claimantSchema,
  exitRecordSchema,
  isClaimantFile,
  launchTicketSchema,
  processRecordSchema,
  type ExitRecord,
  type LaunchTicket,
  type ProcessIdentity,
  type ProcessRecord,
} from '../../contracts/launch';
import { parsedJson } from '../../base/json';
import { openFile, readOnce } from '../files/opened';
import type { LiveFacts } from '../../core/view/mission/missionView';
import { setAside, writeFileAtomic } from '../files/atomic';
import type { JournalledLaunch } from '../../engine/ports/launches';
import { identityState } from '../processes/tree';

/** A file of a run directory. Its content is validated, because the worker can write it too. */
type RunFile<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly changedAtMs: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'invalid'; readonly reason: string };

interface Schema<T> {
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

/** Writes how the launch line was changed, for the terminal that shows the run; written before the worker starts. */
export function leaveChange(runDir: string, change: ShownChange): Promise<void> {
  return leaveShown(runDir, runFiles.change, change);
}

/** Null where the line of this launch was not changed. */
export function readChange(runDir: string, launchId: string): Promise<ShownChange | null> {
  return readShown(runDir, runFiles.change, shownChangeSchema, launchId);
}

/** Writes the outcome; only an owner may call it. */
export function leaveOutcome(runDir: string, outcome: TaskOutcome): Promise<void> {
  return leaveShown(runDir, runFiles.outcome, outcome);
}

/** Null: there is no readable outcome of this launch yet. */
export function readOutcome(runDir: string, launchId: string): Promise<TaskOutcome | null> {
  return readShown(runDir, runFiles.outcome, taskOutcomeSchema, launchId);
}

/** Removes the file before the end of a run is recorded, because until then only a worker can write it. */
export async function clearOutcome(runDir: string): Promise<void> {
  await rm(path.join(runDir, runFiles.outcome), { recursive: true, force: true }).catch(() => undefined); // it is replaced
}

async function readShown<T extends { readonly launch_id: string }>(
  runDir: string,
  name: string,
  schema: Schema<T>,
  launchId: string,
): Promise<T | null> {
  const value = await valueIn(runDir, name, schema).catch(() => null);
  return value?.launch_id === launchId ? value : null;
}

/** Writes a file of a run directory that is only shown, and replaces what is at its place. Never rejects. */
async function leaveShown(runDir: string, name: string, value: unknown): Promise<void> {
  const file = path.join(runDir, name);
  const write = (): Promise<void> => writeFileAtomic(file, `${JSON.stringify(value)}\n`, { durable: false });
  try {
    // Does not create a run directory that is gone.
    if (!(await lstat(runDir)).isDirectory()) return;
    await write().catch(async () => {
      await setAside(file);
      await write();
    });
  } catch {
    // A failure loses nothing: the journal has it, and all other views show it.
  }
}

/**
 * Returns what the supervisor reports about its worker: the heartbeat, which is judged, and the activity of its output,
 * which is only shown. Null: neither can be read.
 */
export async function readLiveFacts(runDir: string): Promise<LiveFacts | null> {
  const [beat, latest] = await Promise.all([
    valueIn(runDir, runFiles.heartbeat, heartbeatSchema),
    valueIn(runDir, runFiles.activity, activitySchema),
  ]);
  if (beat === null) return latest && { ...latest, last_progress_at: latest.last_output_at };
  const { last_progress_at, output_bytes } = beat;
  return {
    // Output counts as progress here, because the heartbeat reports it only once in each interval.
    last_progress_at: later(last_progress_at, latest?.last_output_at ?? null),
    last_output_at: latest?.last_output_at ?? null,
    output_bytes: Math.max(output_bytes, latest?.output_bytes ?? 0),
    output_lines: latest?.output_lines ?? null,
    ...(latest?.waiting && { waiting: latest.waiting }),
    ...(latest?.actions && { actions: latest.actions }),
  };
}

function later(left: string, right: string | null): string {
  return right !== null && Date.parse(right) > Date.parse(left) ? right : left;
}

/** The state of one run, read from its directory alone. */
export type LaunchStanding =
  /** The ticket is there for a supervisor to take. */
  | { readonly kind: 'waiting'; readonly ticket: LaunchTicket }
  /** A supervisor took the ticket and has not written its process record yet. Null: it left no identity. */
  | { readonly kind: 'taken'; readonly ticket: LaunchTicket; readonly claimant: ProcessIdentity | null }
  | { readonly kind: 'running'; readonly ticket: LaunchTicket | null; readonly process: ProcessRecord }
  | { readonly kind: 'ended'; readonly exit: ExitRecord; readonly process: ProcessRecord | null }
  /** The supervisor is dead (`unseen`: or runs in another container) and left no exit record. */
  | {
      readonly kind: 'lost';
      readonly ticket: LaunchTicket | null;
      readonly process: ProcessRecord | null;
      readonly unseen: boolean;
    }
  | { readonly kind: 'revoked'; readonly ticket: LaunchTicket | null }
  /** The directory holds no launch, or an unreadable one. */
  | { readonly kind: 'void'; readonly reason: string; /** A supervisor took it. */ readonly taken?: true };

/** The identifiers of a launch; the nonce stays secret until its worker runs. */
type Names = Pick<JournalledLaunch, 'launch_id' | 'nonce'>;

export type KnownLaunch = Names & Pick<JournalledLaunch, 'process'>;

type StateOf = (identity: ProcessIdentity) => ReturnType<typeof identityState>;

interface Look {
  readonly runDir: string;
  readonly known: KnownLaunch | null;
  readonly stateOf: StateOf;
}

/** Milliseconds after the ticket was taken. A supervisor that cannot be looked for counts as dead then. */
const takeLimitMs = 5000;
/** At most two owners start a launch, each a few times. */
const mostClaimants = 100;

/**
 * A worker can write into its own run directory and those of later launches. With `known` (an owner), files of another
 * launch are ignored and the journal's process identities take precedence. Without it (a viewer), the files are
 * trusted.
 */
export async function launchStanding(
  runDir: string,
  known: KnownLaunch | null = null,
  stateOf: StateOf = identityState,
): Promise<LaunchStanding> {
  const exit = await readEnd(runDir, known);
  if (exit !== null) return exit;

  const claimed = await readOwn(runDir, runFiles.claimed, launchTicketSchema, known);
  const process = await processOf(runDir, known);
  const ticket = claimed.kind === 'ok' ? claimed.value : null;
  if (process !== null) {
    const state = await stateOf(process.supervisor);
    if (state === 'alive') return { kind: 'running', ticket, process };
    // Reads again, because the supervisor may have written its exit record since the first read.
    return (await readEnd(runDir, known)) ?? { kind: 'lost', ticket, process, unseen: state === 'unknown' };
  }
  if (claimed.kind === 'ok') return takenOrLost({ runDir, known, stateOf }, claimed.value, claimed.changedAtMs);
  if (claimed.kind === 'invalid') return { kind: 'void', reason: claimed.reason, taken: true };

  const waiting = await readOwn(runDir, runFiles.ticket, launchTicketSchema, known);
  if (waiting.kind === 'ok') return { kind: 'waiting', ticket: waiting.value };
  if (waiting.kind === 'invalid') return { kind: 'void', reason: waiting.reason };
  const revoked = await readOwn(runDir, runFiles.revoked, launchTicketSchema, known);
  if (revoked.kind !== 'absent') return { kind: 'revoked', ticket: revoked.kind === 'ok' ? revoked.value : null };
  // Reads again, because a supervisor may have taken the ticket between the two reads.
  const again = await readOwn(runDir, runFiles.claimed, launchTicketSchema, known);
  return again.kind === 'ok'
    ? takenOrLost({ runDir, known, stateOf }, again.value, again.changedAtMs)
    : { kind: 'void', reason: 'there is no launch ticket' };
}

/** A supervisor took the ticket and wrote no process record. Either it still lives, or it will never write one. */
async function takenOrLost(
  { runDir, known, stateOf }: Look,
  ticket: LaunchTicket,
  takenAtMs: number,
): Promise<LaunchStanding> {
  const claimants = await claimantsOf(runDir, ticket);
  const states = await Promise.all(claimants.map((one) => stateOf(one)));
  const [claimant = null] = claimants.filter((_, index) => states[index] === 'alive');
  // It runs in another container, or left no identity.
  const unseen = states.includes('unknown');
  const mayLive = (states.length === 0 || unseen) && Date.now() - takenAtMs < takeLimitMs;
  if (claimant !== null || mayLive) return { kind: 'taken', ticket, claimant };
  // Reads again, because it may have written one of them since, and then ended.
  const process = await processOf(runDir, known);
  return (await readEnd(runDir, known)) ?? { kind: 'lost', ticket, process, unseen };
}

/** All supervisors that tried to take the ticket; only the process record shows which one has it. */
async function claimantsOf(runDir: string, { launch_id, nonce }: LaunchTicket): Promise<readonly ProcessIdentity[]> {
  const names = (await readdir(runDir)).filter(isClaimantFile).slice(0, mostClaimants);
  const files = await Promise.all(names.map((name) => valueIn(runDir, name, claimantSchema)));
  return files.flatMap((file) => (file !== null && isOf(file, { launch_id, nonce }) ? [file.supervisor] : []));
}

/** Supervisor and worker processes: from the journal, otherwise from the supervisor's record. */
export async function processOf(runDir: string, known: KnownLaunch | null): Promise<ProcessRecord | null> {
  if (known?.process) return known.process;
  const file = await readOwn(runDir, runFiles.process, processRecordSchema, known);
  return file.kind === 'ok' ? file.value : null;
}

/** Ignores an exit record of another launch, copied here or planted before this launch began. */
export async function readEnd(
  runDir: string,
  known: KnownLaunch | null,
): Promise<Extract<LaunchStanding, { kind: 'ended' }> | null> {
  const exit = await readOwn(runDir, runFiles.exit, exitRecordSchema, known);
  if (exit.kind !== 'ok') return null;
  const process = await processOf(runDir, known);
  if (process !== null && !isOf(exit.value, process)) return null;
  return { kind: 'ended', exit: exit.value, process };
}

async function readOwn<T extends Names>(
  runDir: string,
  name: string,
  schema: Schema<T>,
  known: KnownLaunch | null,
): Promise<RunFile<T>> {
  const file = await readRunFile(runDir, name, schema);
  if (file.kind !== 'ok' || known === null || isOf(file.value, known)) return file;
  return { kind: 'invalid', reason: `${name} is of another launch` };
}

function isOf(file: Names, launch: Names): boolean {
  return file.launch_id === launch.launch_id && file.nonce === launch.nonce;
}
