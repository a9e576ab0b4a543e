import type { Report } from '../../../core/model/inputs';
import { rowOf } from '../../../core/model/state';
import { journalledLaunch } from '../launch/journalledLaunch';
import type { EffectRun } from '../run/effectRun';

/** Looks again for the processes of an ended launch that were not proven gone, and ends them. */
export async function proveTreeGone({ effect, mission, ports, options }: EffectRun<'proveTreeGone'>): Promise<Report> {
  const { task_id, launch_id, run_dir } = effect;
  const launch = rowOf(mission, task_id)
    ?.attempts.flatMap((attempt) => attempt.launches)
    .find((candidate) => candidate.launch_id === launch_id);
  if (!launch) throw new Error(`No launch ${launch_id} of ${task_id}.`);
  const runDir = ports.paths.runDir(mission.mission_id, run_dir);
  const { gone, survivors } = await ports.launches.proveGone(runDir, journalledLaunch(mission, launch, options));
  return { type: 'TreeWasLookedFor', task_id, launch_id, gone, survivors };
}
