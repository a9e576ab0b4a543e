import { acceptedPlaces } from '../../core/lifecycle/acceptedRead';
import { foldersOfTask } from '../../core/confinement/folders';
import { laneOf } from '../../core/model/lanes';
import { openChanges, rowOf, type Mission } from '../../core/model/state';
import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/model/inputs';
import type { EnginePorts } from '../ports/engine';
import { standingOf } from './standing';

/** Records the workspace before the worker can touch it, with the folders that its sandbox needs. */
export async function takeBaseline(
  effect: Extract<Effect, { kind: 'takeBaseline' }>,
  mission: Mission,
  ports: EnginePorts,
): Promise<Report> {
  const folders = await makeFolders(mission, effect.task_id, ports);
  const report = await lookAtWorkspace(effect, mission, folders, ports);
  if (report.type === 'BaselineWasTaken') return folders.length === 0 ? report : { ...report, folders };
  await ports.folders.removeEmpty(folders);
  return report;
}

/** What does not exist cannot be mounted; where there is no sandbox nothing is made. */
async function makeFolders(mission: Mission, task_id: string, ports: EnginePorts): Promise<readonly string[]> {
  if ((mission.confinement ?? 'off') === 'off') return [];
  const wanted = foldersOfTask(mission, task_id, ports.paths.scope.comparison);
  if (wanted.length === 0 || (await ports.sandboxes.standing()).kind === 'unavailable') return [];
  return ports.folders.make(wanted);
}

async function lookAtWorkspace(
  effect: Extract<Effect, { kind: 'takeBaseline' }>,
  mission: Mission,
  folders: readonly string[],
  ports: EnginePorts,
): Promise<Report> {
  const row = rowOf(mission, effect.task_id);
  const scope = row?.scope;
  const taken = await ports.workspace.baseline({
    mission_id: mission.mission_id,
    forbidden_paths: scope?.forbidden_paths ?? [],
    paths: [...(scope?.paths ?? []), ...folders],
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
  const { task_id, attempt } = effect;
  const lane = laneOf(mission, task_id);
  const accepted = lane ? acceptedPlaces(mission, lane, ports.paths.scope.comparison) : [];
  const standing = await standingOf([...(row ? openChanges(row) : []), ...accepted], [], ports);
  if (!standing.ok) {
    const { code, reason } = standing.refusal;
    return { type: 'BaselineFailed', task_id, attempt, code, reason };
  }
  const found = standing.value.length > 0 ? { standing: standing.value } : {};
  return { type: 'BaselineWasTaken', task_id, attempt, manifest_sha256, files, head, ...found };
}
