import { rowOf, type Attempt, type EndedAttempt, type Launch, type Mission, type TaskRow } from './state';

/** The live attempt of a task. */
export function laneOf(mission: Mission, taskId: string): Attempt | undefined {
  return mission.lanes.find((lane) => lane.task_id === taskId);
}

/** The live attempt that a launch belongs to, and the launch. */
export function laneOfLaunch(
  mission: Mission,
  launchId: string,
): { readonly lane: Attempt; readonly launch: Launch } | undefined {
  for (const lane of mission.lanes) {
    const launch = lane.launches.find((candidate) => candidate.launch_id === launchId);
    if (launch) return { lane, launch };
  }
  return undefined;
}

/** The task of a launch, live or ended; null when there is no such launch. */
export function taskOfLaunch(mission: Mission, launchId: string): string | null {
  const attempts = [...mission.lanes, ...mission.rows.flatMap((row) => row.attempts)];
  const found = attempts.find(({ launches }) => launches.some((launch) => launch.launch_id === launchId));
  return found?.task_id ?? null;
}

/** How many attempts may be live at once. */
export function laneLimit({ plan }: Mission): number {
  return plan.mode === 'parallel' ? plan.max_parallel : 1;
}

/** The task that failed, when the mission ends by that and this lane is not it: nothing of the mission goes on. */
export function failedBeside(mission: Mission, taskId: string): TaskRow | undefined {
  return mission.rows.find((row) => row.status === 'failed' && row.task.task_id !== taskId);
}

/** What ran beside an attempt: every other attempt that was live at some time since its baseline. */
export function besides(
  mission: Mission,
  attempt: Attempt,
): readonly { readonly row: TaskRow; readonly attempt: Attempt | EndedAttempt }[] {
  const { task_id, validates } = attempt;
  const validated = rowOf(mission, task_id)?.attempts.find((earlier) => earlier.attempt === validates?.attempt);
  const since = (validated ?? attempt).started_at;
  return mission.rows.flatMap((row) => {
    if (row.task.task_id === task_id) return [];
    const lane = laneOf(mission, row.task.task_id);
    const ended = row.attempts.filter(({ ended_at }) => ended_at >= since);
    return [...ended, ...(lane ? [lane] : [])].map((beside) => ({ row, attempt: beside }));
  });
}
