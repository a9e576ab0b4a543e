import type { TreeLayer } from '../../contracts/launch';
import type { AttemptFailure } from './facts';
import type { AttemptRecord, Launch } from './attempt';
import type { Course, Packet, TaskRow } from './state';

/** What a worker wrote in its paths and a layer holds, until its task is verified. */
export interface WaitingWork {
  readonly launch_id: string;
  /** Name of the run directory of the launch. */
  readonly run_dir: string;
  readonly layer: TreeLayer;
}

/** Returns what waits of an attempt, or of the one that it validates; null: nothing does, or it is in the workspace. */
export function waitingWork(
  { attempts }: Pick<TaskRow, 'attempts'>,
  attempt: Pick<AttemptRecord, 'launches' | 'validates' | 'landing' | 'merged'>,
): WaitingWork | null {
  const own = attempt.launches.filter(({ purpose, process, end }) => purpose.kind === 'worker' && (process ?? end));
  const launch = own.at(-1) ?? attempt.validates?.launch;
  const layer = launch?.prepared?.sandbox?.layers?.tree;
  if (!launch || !layer?.waits) return null;
  const { launch_id, run_dir } = launch;
  const hasLanded = [...attempts, attempt].some(({ landing }) => landing?.launch_id === launch_id && !landing.failure);
  const merged = [...new Set([...attempts, attempt])]
    .flatMap((one) => one.merged ?? [])
    .flatMap(({ name, was, since }) => (since === layer.since ? [{ name, was }] : []));
  return hasLanded ? null : { launch_id, run_dir, layer: merged.length === 0 ? layer : { ...layer, merged } };
}

/**
 * Returns the attempt that made the layer of its work. An attempt that only goes on has a baseline of its own. In
 * that, a person may have removed what the layer still holds.
 */
export function layerMaker(
  { attempts }: Pick<TaskRow, 'attempts'>,
  attempt: AttemptRecord,
  { layer: { since } }: WaitingWork,
): AttemptRecord {
  const made = ({ launches }: AttemptRecord): boolean =>
    launches.some(({ prepared }) => prepared?.sandbox?.layers?.tree?.since === since);
  return attempts.find(made) ?? attempt;
}

/** The rule of verification by which work waits for a person who accepts it. */
export const acceptance = { rule: 'work_accepted', choice: 'accept' } as const;

export function awaitsAcceptance(failure: AttemptFailure | null): boolean {
  return failure?.by?.name === acceptance.rule;
}

/**
 * Returns the work that a person sent back in words: each attempt goes on with it until a worker did so and ended by
 * itself, without a question. Null: nothing was, or a person resumed the task without it.
 */
export function sentBack(
  { packets }: Pick<Course, 'packets'>,
  { task, attempts }: Pick<TaskRow, 'task' | 'attempts'>,
): WaitingWork | null {
  const isEnd = endsTurn[task.worker === 'command' ? 'command' : 'agent'];
  const last = attempts.findLast(({ launches, validates, failure }) => {
    const end = launches.findLast(({ purpose }) => purpose.kind === 'worker')?.end;
    return (validates ?? (end && isEnd(end))) && !goesOn(failure);
  });
  if (!last || !awaitsAcceptance(last.failure)) return null;
  const since = packets.filter(({ task_id, attempt }) => task_id === task.task_id && attempt >= last.attempt);
  const packet = since.findLast(({ attempt }) => attempt === last.attempt);
  if (packet?.answer?.choice !== null || since.some(dropsWork)) return null;
  return waitingWork({ attempts }, last);
}

/** To go on as it stands in the workspace is to begin without what a layer holds. */
function dropsWork({ state }: Packet): boolean {
  return state.kind === 'resolved' && state.outcome === 'resume' && state.decision.actor.kind === 'human';
}

/** Returns whether a worker ended by itself. An agent that crashed or was ended gives no final result. */
const endsTurn: Readonly<Record<'agent' | 'command', (end: NonNullable<Launch['end']>) => boolean>> = {
  agent: ({ final_seen, final_ok }) => final_seen && final_ok,
  // Between are the 64 signals.
  command: ({ reason, exit_code: code }) => reason === 'exited' && code !== null && (code <= 128 || code > 192),
};

/** Returns whether a limit or a question of the worker cut its turn short. */
function goesOn(failure: AttemptFailure | null): boolean {
  return failure?.kind === 'recoverable' && ['rate_limited', 'worker_reported_blocked'].includes(failure.category);
}
