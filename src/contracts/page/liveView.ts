import type { Confinement, WorkerName } from '../vocabulary/workers';

export interface RunOfTask {
  readonly task_id: string;
  readonly run_dir: string;
}

export interface LiveWorkerView extends RunOfTask {
  readonly attempt: number;
  /** Counts the launches of the worker in this attempt. */
  readonly launch: number;
  readonly purpose: 'worker' | 'verify';
  readonly worker: WorkerName;
  readonly stage: string;
  /** Present where no process runs the mission: how its process stands now; `stage` and `doing` then say the same. */
  readonly left?: { readonly state: 'runs' | 'ended' | 'unstarted' | 'unknown'; readonly text: string };
  /** What it does while it runs: `edits files`, `runs the verify commands`. */
  readonly doing: string;
  readonly session_id: string | null;
  readonly model: string | null;
  readonly confinement: Confinement | null;
  readonly pid: number | null;
  readonly started_at: string | null;
  /** Stopped after so many seconds without a sign of life; absent: it has no process. */
  readonly silence_limit?: number;
  /** From the heartbeat file; null when it could not be read. */
  readonly last_progress_at: string | null;
  /** This and the next two: from the activity file; null before the first output. */
  readonly last_output_at: string | null;
  readonly output_bytes: number | null;
  readonly output_lines: number | null;
  /** `waits for the provider, 40 s: overloaded`; absent while it does not wait. */
  readonly waits?: string;
  /** What it did last, newest last: `edit`, `src/a.ts`; absent: its CLI has reported nothing. */
  readonly actions?: readonly { readonly what: string; readonly on: string }[];
  readonly stopping: boolean;
  /** Present while a person decides what of it is remembered. */
  readonly memory?: readonly ProposedMemoryView[];
  /** Present while a person completes its result: the packet, null until it is written, and what is incomplete. */
  readonly intervention?: { readonly path: string | null; readonly missing: readonly string[] };
}

export interface ProposedMemoryView {
  /** `DOMAIN/KEY` */
  readonly name: string;
  readonly decision: string;
  readonly rationale: string;
  /** It contradicts what is remembered, without saying that it replaces that. */
  readonly conflict: boolean;
  /** What is remembered under this name. */
  readonly current: { readonly version: number; readonly decision: string } | null;
}

/** Says how long a worker has run, its last sign of life and the amount of its output. @param now ISO-8601 */
export function liveText(
  live: Pick<
    LiveWorkerView,
    'started_at' | 'last_progress_at' | 'last_output_at' | 'output_bytes' | 'output_lines' | 'waits' | 'silence_limit'
  >,
  now: string,
): string {
  const running = elapsedText(live.started_at, now);
  const output = elapsedText(live.last_output_at, now);
  const progress = elapsedText(live.last_progress_at, now);
  const amount = outputText(live);
  return [
    running === null ? 'running' : `running ${running}`,
    ...(live.waits === undefined ? [] : [live.waits]),
    ...[silentText(live, now) ?? []].flat(),
    ...(output === null ? [] : [`last output ${output} ago`]),
    ...(output === null && progress !== null ? [`last progress ${progress} ago`] : []),
    ...(amount === '' ? [] : [amount]),
  ].join(', ');
}

/** Null: it showed a sign of life within half of its timeout, or it says what it waits for. @param now ISO-8601 */
export function silentText(
  live: Pick<LiveWorkerView, 'started_at' | 'last_progress_at' | 'waits' | 'silence_limit'>,
  now: string,
): string | null {
  const { silence_limit = Number.POSITIVE_INFINITY, waits } = live;
  const silent = elapsed(live.last_progress_at ?? live.started_at, now);
  if (waits !== undefined || silent === null || silent < silence_limit * 500) return null;
  return `silent for ${durationText(silent)}, and stopped after ${durationText(silence_limit * 1000)}`;
}

/** Empty: it wrote nothing. */
export function outputText(live: Pick<LiveWorkerView, 'output_bytes' | 'output_lines'>): string {
  const [lines, bytes] = [live.output_lines ?? 0, live.output_bytes ?? 0];
  const kilo = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    ...(lines > 0 ? [`${lines} line${lines === 1 ? '' : 's'}`] : []),
    ...(bytes > 0 ? [bytes < 1000 ? `${bytes} bytes` : kilo] : []),
  ].join(', ');
}

/** `5 s`, `2 min 5 s`, `1 h 2 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Null: one of both moments (ISO-8601) is unknown. */
export function elapsedText(from: string | null, until: string | null): string | null {
  const ms = elapsed(from, until);
  return ms === null ? null : durationText(ms);
}

function elapsed(from: string | null, until: string | null): number | null {
  const ms = from === null || until === null ? Number.NaN : Date.parse(until) - Date.parse(from);
  return Number.isNaN(ms) ? null : ms;
}
