import type { Skipped } from '../../../contracts/taskEvidence';
import type { HumanDecision } from '../../../contracts/record/header';
import { openDependants } from '../../../base/dependants';
import { decisionStep } from '../../../base/text/steps';
import { skippedBy } from '../../../base/text/words';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import { isOpen } from '../../ledger/transitions';
import { acceptCommand } from '../../lifecycle/judge/judgeVerifyChanges';
import type { MissionEvent } from '../../model/events';
import { openChanges, type Progress, type ReceivedPlan, rowNamed, type TaskRow, type Tasks } from '../../model/state';
import { answerable } from '../questions/questions';
import { closed, refuse, unknownTask } from '../parts/commandDecision';
import type { Behaviours, CommandDecision, Refused } from '../parts/commandDecision';

type SkipTask = Extract<MissionCommand, { readonly type: 'SkipTask' }>;

export const skipping: Behaviours<'SkipTask'> = {
  SkipTask: {
    offered: skippableTasks,
    refused: cannotSkip,
    decide: skip,
    ofStep(_args, task_id, mission) {
      return { type: 'SkipTask', task_id, dependants: openDependants(rowsWithSkips(mission), task_id) };
    },
    ...{ continues: true, keepsPause: true },
  },
};

/** Skips a task with exactly the dependants that were shown; rows are canceled once nothing of them runs. */
function skip(
  mission: Progress,
  { task_id: taskId, dependants: shown }: SkipTask,
  decision: HumanDecision,
): CommandDecision {
  const dependants = openDependants(rowsWithSkips(mission), taskId);
  if (shown.length !== dependants.length || dependants.some((id) => !shown.includes(id)))
    return refuse(
      'STALE_SEQUENCE',
      `With ${taskId} ${dependants.length === 0 ? 'no other task is' : `${dependants.join(', ')} would be`} skipped; shown was ${shown.join(', ') || 'none'}.`,
      [decisionStep('skip', mission.mission_id, taskId)],
    );
  const task_ids = [taskId, ...dependants];
  const others = dependants.length === 0 ? '' : `, and with it ${dependants.join(', ')}`;
  const unproven = mission.rows.some(({ task, unproven }) => unproven && task_ids.includes(task.task_id))
    ? ' once its processes are proven gone'
    : '';
  const hasOpenTasks = mission.rows.some(
    ({ task, status, skipped }) => isOpen(status) && !skipped && !task_ids.includes(task.task_id),
  );
  const stillPaused =
    mission.hold.kind === 'none' || !hasOpenTasks ? '' : ' The mission stays paused until it is resumed.';
  return {
    events: [
      { type: 'TasksSkipped', task_id: taskId, task_ids, decision },
      ...mission.packets
        .filter((packet) => task_ids.includes(packet.task_id) && answerable(packet))
        .map(({ packet_id, task_id }): MissionEvent => ({
          type: 'PacketSuperseded',
          packet_id,
          reason: skippedWords(task_id, { decision, chosen: taskId }),
        })),
    ],
    reason: `Task ${taskId} is skipped${unproven}${others}.${stillPaused}`,
  };
}

function cannotSkip(mission: Progress, { task_id: taskId }: SkipTask): Refused | null {
  const row = rowNamed(mission, taskId);
  if (!row) return unknownTask(mission, taskId);
  const early = finished(mission, row) ?? endsAnyway(mission);
  if (early) return early;
  const names = new Set([taskId, ...openDependants(rowsWithSkips(mission), taskId)]);
  for (const one of mission.rows) {
    const refused = names.has(one.task.task_id) ? refusedSkip(mission, one) : null;
    if (refused) return refused;
  }
  if (mission.rows.every((one) => one.skipped !== null || names.has(one.task.task_id)))
    return refuse('OUTCOME_UNAVAILABLE', 'Nothing of the plan would be done: that is a mission to cancel.', [
      decisionStep('cancel', mission.mission_id),
    ]);
  return null;
}

/** Tasks that may be skipped as far as they themselves tell; what keeps their dependants, `cannotSkip` finds. */
function skippableTasks(mission: Progress): readonly string[] {
  if (closed(mission) || endsAnyway(mission)) return [];
  return mission.rows.flatMap((row) =>
    (finished(mission, row) ?? refusedSkip(mission, row)) ? [] : [row.task.task_id],
  );
}

function finished({ mission_id }: ReceivedPlan, { task, status, skipped }: TaskRow): Refused | null {
  const next = [`mission status ${mission_id}`];
  if (skipped) {
    const reason = `Task ${task.task_id} was skipped before: ${skippedWords(task.task_id, skipped)}`;
    return refuse('TASK_FINISHED', reason, next);
  }
  if (isOpen(status)) return null;
  return refuse('TASK_FINISHED', `Task ${task.task_id} is ${status}: what has ended is not skipped.`, next);
}

/** The mission ends, or goes on elsewhere, whatever a person decides about its tasks. */
export function endsAnyway({ mission_id, cancel, ending, rows, handoffs }: Progress): Refused | null {
  const next = [`mission status ${mission_id}`];
  if (ending) return refuse('MISSION_CLOSED', 'The mission has ended, and all its tasks with it.', next);
  if (cancel) return refuse('MISSION_CLOSED', 'The mission is being canceled: all open tasks end.', next);
  const failed = rows.find(({ status }) => status === 'failed');
  if (failed)
    return refuse('MISSION_CLOSED', `Task ${failed.task.task_id} failed, and the mission ends by that.`, next);
  if (handoffs.some((handoff) => handoff.move && handoff.state.kind === 'pending'))
    return refuse('MISSION_CLOSED', 'The run is being given away: what is open goes with it.', next);
  return null;
}

/** Returns what a person does first about a task that would be skipped. */
function refusedSkip(mission: ReceivedPlan, row: TaskRow): Refused | null {
  const { task_id } = row.task;
  if (row.status === 'in_progress')
    return refuse('MISSION_ACTIVE', `Task ${task_id} is in progress: stop it first, then skip it.`, [
      decisionStep('stop', mission.mission_id, task_id),
    ]);
  const open = openChanges(row);
  if (open.length === 0) return null;
  // After a skip the task's changes are not observed again, so outstanding ones would be lost.
  return refuse(
    'PACKET_OPEN',
    `Task ${task_id} has changes that blocked it. Undo or accept them before you skip it, because a skip accepts nothing.`,
    [acceptCommand(mission, task_id, open), decisionStep('retry', mission.mission_id, task_id)],
  );
}

/** `Skipped by Ada: ...`; for a dependant `Skipped by Ada with T1: ...`. */
export function skippedWords(taskId: string, { decision, chosen }: Skipped): string {
  return `${skippedBy}${decision.actor.name}${chosen === taskId ? '' : ` with ${chosen}`}: ${decision.reason}`;
}

/** `2 skipped by Ada, 1 skipped by Bob`; empty when no task was skipped. */
export function skippedCounts(rows: readonly TaskRow[]): string {
  const counts = new Map<string, number>();
  for (const { skipped } of rows) {
    const name = skipped?.decision.actor.name;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} skipped by ${name}`).join(', ');
}

function rowsWithSkips({ rows }: Tasks): Parameters<typeof openDependants>[0] {
  return rows.map(({ task, status, skipped }) => ({
    task_id: task.task_id,
    depends_on: task.depends_on,
    status: skipped ? 'canceled' : status,
  }));
}
