import { rowOf, type Tasks } from '../../../core/model/state';
import { laneOf } from '../../../core/model/lanes';
import type { Report } from '../../../core/model/inputs';
import { layerMaker, waitingWork, type WaitingWork } from '../../../core/model/waitingWork';
import { leftWord } from '../../../base/nameMark';
import { dueMerges, type LandedChange } from '../../../core/lifecycle/parts/merges';
import { fewNamed } from '../../../base/text/firstNamed';
import type { EnginePorts } from '../../ports/engine';
import type { Workspace } from '../../ports/workspace';
import type { EffectRun } from '../run/effectRun';

/** What a report says of a layer that is not there any longer. */
export const workGone = { changed: [], gone: true, reason: 'The layer that held it is not there.' } as const;

/** Puts the work of a verified task from its layer into the workspace: all of it, or nothing. */
export async function landWork({ effect, mission, ports }: EffectRun<'landWork'>): Promise<Report> {
  const { task_id, attempt } = effect;
  const [row, lane] = [rowOf(mission, task_id), laneOf(mission, task_id)];
  const work = lane && waitingWork(row, lane);
  const baseline = work && layerMaker(row, lane, work).baseline;
  if (!baseline || !lane.observed) throw new Error(`No work of task ${task_id} waits.`);
  const run_dir = ports.paths.runDir(mission.mission_id, work.run_dir);
  const changes = lane.observed.changes.filter(({ layered }) => layered);
  const judged = { mission_id: mission.mission_id, baseline_sha256: baseline.manifest_sha256, changes };
  const land = (more: { readonly merges?: readonly LandedChange[] } = {}): ReturnType<Workspace['land']> =>
    ports.workspace.land({ layer: work.layer, run_dir, judged: { ...judged, ...more } });
  const isMerge = lane.stage.at === 'landing' && lane.stage.merges === true;
  let merges = isMerge ? dueMerges(mission, row, lane) : [];
  let found = await land(isMerge ? { merges } : {});
  if (!isMerge && found.ok && found.value.changed.length > 0) {
    // Another task landed these between the end of the worker and the look at its layer.
    merges = dueMerges(mission, row, lane, { held: found.value.changed });
    if (merges.length > 0) found = await land({ merges });
  }
  const unit = { task_id, attempt, launch_id: work.launch_id };
  if (!found.ok)
    return {
      type: 'WorkCouldNotLand',
      ...unit,
      changed: [],
      reason: found.refusal.reason,
    };
  const { changed, gone, merged, conflicts = [] } = found.value;
  if (gone) return { type: 'WorkCouldNotLand', ...unit, ...workGone };
  if (merged) {
    const { since } = work.layer;
    const taken = merges.flatMap((one, index) => {
      const was = merged[index];
      return was ? [{ name: one.path, was, task_id: one.task_id, left: leftWord(one), since }] : [];
    });
    const names = fewNamed(taken.map(({ name, task_id: other }) => `${name} of ${other}`));
    const reason = `${task_id} is verified once more with what landed meanwhile: ${names}.`;
    return { type: 'WorkCouldNotLand', ...unit, changed: [], merged: taken, reason };
  }
  const clashes = merges.filter(({ path }) => conflicts.includes(path));
  if (changed.length === 0 && clashes.length > 0) {
    const others = [...new Set(clashes.map((one) => one.task_id))].join(', ');
    return {
      ...{ type: 'WorkCouldNotLand', ...unit, changed: clashes.map(({ path }) => path) },
      conflicts: clashes.map(({ path, task_id: other }) => ({ path, task_id: other })),
      reason: `${others} landed meanwhile, and both changed ${fewNamed(conflicts)}, without a clean merge.`,
    };
  }
  if (changed.length === 0) return { type: 'WorkHasLanded', ...unit };
  const reason = `Something else changed ${fewNamed(changed)} meanwhile.`;
  return {
    type: 'WorkCouldNotLand',
    ...unit,
    changed: changed.map(ports.storedName),
    reason,
  };
}

export async function isGone(
  { mission_id }: Pick<Tasks, 'mission_id'>,
  { layer, run_dir }: WaitingWork,
  { workspace, paths }: Pick<EnginePorts, 'workspace' | 'paths'>,
): Promise<boolean> {
  const found = await workspace.land({ layer, run_dir: paths.runDir(mission_id, run_dir) });
  return found.ok && found.value.gone === true;
}
