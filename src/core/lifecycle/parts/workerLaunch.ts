import { rowOf, type Tasks } from '../../model/state';
import type { AttemptRecord, Launch } from '../../model/attempt';
import type { LaunchEnd } from '../../model/facts';

/** The launch that is judged: the last started one, else the last requested, else that of the attempt it validates. */
export function workerLaunch(attempt: Pick<AttemptRecord, 'launches' | 'validates'>): Launch | undefined {
  const own = workerLaunches(attempt);
  return own.findLast(({ process, end }) => process ?? end) ?? own.at(-1) ?? attempt.validates?.launch;
}

/** Returns whether the end says something of the work: the program exited, or did not within its time. */
export function hasResult({ reason }: Pick<LaunchEnd, 'reason'>): boolean {
  return reason === 'exited' || reason === 'deadline';
}

/** When the worker of an attempt ran, in all its launches. ISO-8601; `ended_at` null while it runs. */
export interface WorkerSpan {
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** The times between two launches, in which no process of the attempt ran. */
  readonly pauses: readonly { readonly from: string; readonly until: string }[];
}

export function workerSpan(
  mission: Tasks,
  attempt: Pick<AttemptRecord, 'task_id' | 'launches' | 'validates'>,
): WorkerSpan {
  const { validates } = attempt;
  const made =
    validates && rowOf(mission, attempt.task_id).attempts.find((earlier) => earlier.attempt === validates.attempt);
  const launches = workerLaunches(made ?? attempt).filter(({ process, end }) => process ?? end);
  const started = launches.length > 0 ? launches : validates ? [validates.launch] : [];
  const last = started.at(-1);
  return {
    started_at: (started[0] && startOf(started[0])) ?? null,
    ended_at: last?.end?.ended_at ?? null,
    pauses: started.slice(1).flatMap((launch, index) => {
      const from = started[index]?.end?.ended_at;
      const until = startOf(launch);
      return from !== undefined && until !== null ? [{ from, until }] : [];
    }),
  };
}

export function startOf({ process, end }: Launch): string | null {
  return process?.started_at ?? end?.started_at ?? null;
}

function workerLaunches({ launches }: Pick<AttemptRecord, 'launches'>): readonly Launch[] {
  return launches.filter(({ purpose }) => purpose.kind === 'worker');
}
