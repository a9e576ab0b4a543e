import { laneOf } from '../../../core/model/lanes';
import type { Report } from '../../../core/model/inputs';
import { rowOf, type Mission } from '../../../core/model/state';
import { writeOutcome } from './writeOutcome';
import { packetToComplete } from './packetToComplete';
import { put } from './written';
import type { EffectRun } from '../run/effectRun';

/** Name of the packet that a person completes, in a run directory of its own. */
const resultFile = 'result.json';

/**
 * Writes the worker's result packet where a person completes it. Writes it anew after a crash, because only the journal
 * makes its place known.
 */
export async function writeIntervention({
  effect: { task_id, attempt, run_dir },
  mission,
  ports,
  send,
}: EffectRun<'writeIntervention'>): Promise<Report> {
  const lane = laneOf(mission, task_id);
  const row = rowOf(mission, task_id);
  const claim = lane?.claim;
  if (claim?.kind !== 'valid') throw new Error('Broken invariant: a person completes a result that is not valid.');
  const path = ports.paths.missionFile(mission.mission_id, `runs/${run_dir}/${resultFile}`);
  const file = await put(path, packetToComplete(claim), mission, ports, send);
  if (row) await writeOutcome(offered(mission, task_id, file.path), row, ports);
  return { type: 'InterventionWasOffered', task_id, attempt, path: file.path, sha256: file.sha256 };
}

/** The mission as it will be once the journal names the place. */
function offered(mission: Mission, taskId: string, path: string): Mission {
  const lanes = mission.lanes.map((lane) =>
    lane.task_id === taskId && lane.intervention ? { ...lane, intervention: { ...lane.intervention, path } } : lane,
  );
  return { ...mission, lanes };
}
