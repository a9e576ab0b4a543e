import { isOpen } from '../ledger/transitions';
import type { Attempt, EndedAttempt, Launch } from './attempt';
import type { ReceivedPlan } from './envelopeEvents';
import { rowOf, type TaskRow, type Tasks } from './state';

export function laneOf(mission: Tasks, taskId: string): Attempt | undefined {
  return mission.lanes.find((lane) => lane.task_id === taskId);
}

export function laneOfLaunch(
  mission: Tasks,
  launchId: string,
): { readonly lane: Attempt; readonly launch: Launch } | undefined {
  for (const lane of mission.lanes) {
    const launch = lane.launches.find((candidate) => candidate.launch_id === launchId);
    if (launch) return { lane, launch };
  }
  return undefined;
}

export function taskOfLaunch(mission: Tasks, launchId: string): string | null {
  return launchNamed(mission, launchId)?.attempt.task_id ?? null;
}

/** The launch of an attempt, live or ended, and its attempt; null: no attempt has it. */
export function launchNamed(
  mission: Tasks,
  launchId: string,
): { readonly attempt: Attempt | EndedAttempt; readonly launch: Launch } | null {
  for (const attempt of [...mission.lanes, ...mission.rows.flatMap(({ attempts }) => attempts)]) {
    const launch = attempt.launches.find(({ launch_id }) => launch_id === launchId);
    if (launch) return { attempt, launch };
  }
  return null;
}

export function laneLimit({ plan }: ReceivedPlan): number {
  return plan.mode === 'parallel' ? plan.max_parallel : 1;
}

export function isBeingStopped(lane: Attempt): boolean {
  return (lane.stop_requested ?? lane.timed_out ?? lane.scope_breach ?? lane.over_budget) !== null;
}

export function waitsForIntervention({ stage }: Attempt): boolean {
  return stage.at === 'intervention';
}

export function waitsForMemory({ stage, memory }: Attempt): boolean {
  return stage.at === 'memory' && memory?.decided === null && memory.standings !== null;
}

export function waitsForPlan({ stage }: Attempt): boolean {
  return stage.at === 'plan_waits';
}

export function waitsInAttempt(lane: Attempt): boolean {
  return waitsForIntervention(lane) || waitsForMemory(lane);
}

export function waitsForPerson({ status, retry, skipped }: TaskRow): boolean {
  return status === 'blocked' && !retry && !skipped;
}

/** Returns whether a launch may follow those with tickets. A retry, which only a failure causes, does not count. */
export function launchFollows(mission: Tasks): boolean {
  return mission.rows.some(({ task, status }) => {
    if (!isOpen(status)) return false;
    const last = laneOf(mission, task.task_id)?.launches.at(-1);
    if (!last?.prepared) return true;
    const { purpose } = last;
    return (purpose.kind === 'worker' ? 0 : purpose.index + 1) < task.verify.length;
  });
}

export function failedBeside(mission: Tasks, taskId: string): TaskRow | undefined {
  return mission.rows.find((row) => row.status === 'failed' && row.task.task_id !== taskId);
}

/** Every attempt of another task that was live since this one started, or the attempt that it validates. */
export function ranBeside(
  mission: Tasks,
  attempt: Attempt,
): readonly { readonly row: TaskRow; readonly attempt: Attempt | EndedAttempt }[] {
  const { task_id, validates } = attempt;
  const validated = rowOf(mission, task_id).attempts.find((earlier) => earlier.attempt === validates?.attempt);
  const since = (validated ?? attempt).started_seq;
  return mission.rows.flatMap((row) => {
    if (row.task.task_id === task_id) return [];
    const lane = laneOf(mission, row.task.task_id);
    const ended = row.attempts.filter(({ ended_seq }) => ended_seq > since);
    if (ended.length === 0 && !lane) return [];
    return [...ended, ...(lane ? [lane] : [])].map((beside) => ({ row, attempt: beside }));
  });
}

/** Verify commands of other tasks that ran at the same time as an attempt; `until` is null while one runs. */
export function verifiesBeside(
  mission: Tasks,
  attempt: Attempt,
): readonly {
  readonly task_id: string;
  readonly argv: readonly string[];
  readonly from: string;
  readonly until: string | null;
}[] {
  return ranBeside(mission, attempt).flatMap(({ row, attempt: other }) =>
    other.launches.flatMap(({ purpose, requested_at, process, end }) => {
      if (purpose.kind !== 'verify') return [];
      const { task_id, verify } = row.task;
      const from = process?.started_at ?? end?.started_at ?? requested_at;
      return [{ task_id, argv: verify[purpose.index] ?? [], from, until: end?.ended_at ?? null }];
    }),
  );
}

export function isStopped({ status, attempts }: Pick<TaskRow, 'status' | 'attempts'>): boolean {
  const failure = attempts.at(-1)?.failure;
  return status === 'blocked' && failure?.kind === 'recoverable' && failure.human_only === 'stopped_by_human';
}
