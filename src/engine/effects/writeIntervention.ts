import { documentText } from '../../core/evidence/places';
import type { Effect } from '../../core/mission/effects';
import { laneOf } from '../../core/model/lanes';
import type { Report } from '../../core/model/inputs';
import type { Mission } from '../../core/model/state';
import type { EnginePorts } from '../ports/engine';
import { put, type SendReport } from './written';

/** Name of the packet that a person completes, in a run directory of its own. */
const resultFile = 'result.json';

/**
 * Writes the worker's result packet where a person completes it. Written anew after a crash: nobody knew of the place
 * before the journal had it.
 */
export async function writeIntervention(
  { task_id, attempt, run_dir }: Extract<Effect, { kind: 'writeIntervention' }>,
  mission: Mission,
  ports: EnginePorts,
  send: SendReport,
): Promise<Report> {
  const claim = laneOf(mission, task_id)?.claim;
  if (claim?.kind !== 'valid') throw new Error('Broken invariant: a person completes a result that is none.');
  const path = ports.paths.missionFile(mission.mission_id, `runs/${run_dir}/${resultFile}`);
  const file = await put(path, documentText(claim.result), mission, ports, send);
  return { type: 'InterventionWasOffered', task_id, attempt, path: file.path, sha256: file.sha256 };
}
