import { undoPlan } from '../../../core/lifecycle/changes/undoPlan';
import type { Report } from '../../../core/model/inputs';
import { rowOf } from '../../../core/model/state';
import type { EffectRun } from '../run/effectRun';

/** Puts back what a person undid. What cannot be put back now stays as it is, and the record says why. */
export async function undoAttempt({ effect, mission, ports }: EffectRun<'undoAttempt'>): Promise<Report> {
  const { task_id } = effect;
  const row = rowOf(mission, task_id);
  const plan = row.undoing && undoPlan(row, row.undoing.redo === true);
  if (!plan) throw new Error(`No undo of task ${task_id} was requested.`);
  const { attempt, request, left } = plan;
  const found = await ports.workspace.undo({
    mission_id: mission.mission_id,
    leaves: row.undoing.leaves,
    ...request,
  });
  if (found.ok) {
    const { paths, left: others } = found.value;
    return { type: 'AttemptWasUndone', task_id, attempt, paths, left: [...others, ...left] };
  }
  const why = `was not put back. ${found.refusal.reason}`;
  const all = request.steps.map(({ path }) => ({ path, why }));
  return { type: 'AttemptWasUndone', task_id, attempt, paths: [], left: [...all, ...left] };
}
