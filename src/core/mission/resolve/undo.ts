import type { HumanDecision } from '../../../contracts/record/header';
import { decisionStep } from '../../../base/text/steps';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import { undoPlan } from '../../lifecycle/changes/undoPlan';
import { liveSession } from '../../model/session';
import { type Progress, rowNamed, rowOf } from '../../model/state';
import { closed, refuse, unknownTask } from '../parts/commandDecision';
import type { Behaviours, CommandDecision, Refused } from '../parts/commandDecision';
import { endsAnyway } from './skip';

type UndoAttempt = Extract<MissionCommand, { readonly type: 'UndoAttempt' }>;

export const undoing: Behaviours<'UndoAttempt'> = {
  UndoAttempt: {
    offered: (mission) =>
      closed(mission)
        ? []
        : mission.rows.flatMap(({ task: { task_id } }) =>
            cannotUndo(mission, { task_id }) && cannotUndo(mission, { task_id, redo: true }) ? [] : [task_id],
          ),
    refused: cannotUndo,
    decide: undo,
    continues: false,
    // A person is shown what stays as it is before it is carried out.
    ofStep(_args, task_id, mission) {
      const plan = undoPlan(rowOf(mission, task_id), false);
      return { type: 'UndoAttempt', task_id, attempt: plan?.attempt ?? 0, leaves: [] };
    },
  },
};

/** Says why nothing of a task is undone now; null: its last attempt can be, or with `redo` the last undo. */
export function cannotUndo(
  mission: Progress,
  { task_id: taskId, redo = false }: Pick<UndoAttempt, 'task_id'> & { readonly redo?: boolean | undefined },
): Refused | null {
  const { mission_id, rows } = mission;
  const row = rowNamed(mission, taskId);
  if (!row) return unknownTask(mission, taskId);
  const next = [`mission status ${mission_id}`];
  if (mission.ending) {
    const reason =
      'The mission has ended and its evidence is closed, so it records no undo. Take its changes back with git or by hand: the diff shows both sides.';
    return refuse('MISSION_CLOSED', reason, [`mission diff ${mission_id} ${taskId}`]);
  }
  const ends = endsAnyway(mission);
  if (ends) return ends;
  if (row.status !== 'blocked' || row.skipped || row.retry)
    return refuse(
      'TASK_NOT_BLOCKED',
      `Task ${taskId} is ${row.skipped ? 'skipped' : row.retry ? 'about to be tried again' : row.status}; only an attempt of a blocked task is undone.`,
      next,
    );
  if (mission.lanes.length > 0 || liveSession(mission) || rows.some(({ unproven }) => unproven))
    return refuse('MISSION_ACTIVE', 'Something of the mission still runs: an undo waits until all of it has ended.', [
      ...(mission.hold.kind === 'none' ? [decisionStep('pause', mission_id)] : []),
      ...next,
    ]);
  if (rows.some((one) => one.undoing)) return refuse('MISSION_ACTIVE', 'An undo is being carried out.', next);
  if (undoPlan(row, redo)) return null;
  const what = redo
    ? `No undo of task ${taskId} can be taken back`
    : `No attempt of task ${taskId} left a change here that can be undone`;
  return refuse('OUTCOME_UNAVAILABLE', `${what}.`, [`mission diff ${mission_id} ${taskId}`]);
}

/** Undoes the attempt that was shown, and leaves exactly the files alone that were shown. */
function undo(
  mission: Progress,
  { task_id, attempt, redo, leaves }: UndoAttempt,
  decision: HumanDecision,
): CommandDecision {
  const plan = undoPlan(rowOf(mission, task_id), redo === true);
  const paths = new Set(plan?.request.steps.map(({ path }) => path));
  if (plan?.attempt !== attempt || leaves.some((path) => !paths.has(path)))
    return refuse('STALE_SEQUENCE', `What the undo of ${task_id} would do is not what was shown.`, [
      `mission undo ${mission.mission_id} ${task_id} --dry-run`,
    ]);
  const files = paths.size - new Set(leaves).size;
  if (files === 0)
    return refuse('OUTCOME_UNAVAILABLE', `No file of attempt ${attempt} of ${task_id} can be put back.`, [
      `mission diff ${mission.mission_id} ${task_id}`,
    ]);
  const { before_attempt } = plan;
  return {
    events: [{ type: 'UndoRequested', task_id, attempt, ...(redo && { redo }), before_attempt, leaves, decision }],
    reason: `${redo ? 'The undo of attempt' : 'Attempt'} ${attempt} of ${task_id} is ${redo ? 'taken back' : 'undone'}: ${files === 1 ? 'one file' : `${files} files`}.`,
  };
}
