import type { Report } from '../../../core/model/inputs';
import { laneOf } from '../../../core/model/lanes';
import { rowOf } from '../../../core/model/state';
import { planReport } from './planHash';
import { writeOutcome } from '../write/writeOutcome';
import type { EffectRun } from '../run/effectRun';

/** Reads the plan file's hash before a task is dispatched; the terminal of an earlier worker shows the new attempt. */
export async function checkPlanHash({
  effect: { task_id },
  mission,
  ports,
}: EffectRun<'checkPlanHash'>): Promise<Report> {
  const row = rowOf(mission, task_id);
  const lane = laneOf(mission, task_id);
  if (!row || !lane) throw new Error(`Broken invariant: no live attempt of task ${task_id}.`);
  await writeOutcome(mission, row, ports);
  return planReport(mission, lane, ports);
}
