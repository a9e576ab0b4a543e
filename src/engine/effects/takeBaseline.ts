import { rowOf, type Mission } from '../../core/mission/state';
import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/mission/inputs';
import type { EnginePorts } from '../ports/hostPorts';

/** Records what the workspace looks like before the worker can touch it. */
export async function takeBaseline(
  effect: Extract<Effect, { kind: 'takeBaseline' }>,
  mission: Mission,
  ports: EnginePorts,
): Promise<Report> {
  const scope = rowOf(mission, effect.task_id)?.scope;
  const taken = await ports.workspace.baseline({
    mission_id: mission.mission_id,
    forbidden_paths: scope?.forbidden_paths ?? [],
    paths: scope?.paths ?? [],
  });
  if (!taken.ok)
    return {
      type: 'BaselineFailed',
      task_id: effect.task_id,
      attempt: effect.attempt,
      code: taken.refusal.code,
      reason: taken.refusal.reason,
    };
  const { manifest_sha256, files, head } = taken.value;
  return { type: 'BaselineWasTaken', task_id: effect.task_id, attempt: effect.attempt, manifest_sha256, files, head };
}
