import { openDependants } from '../../base/dependants';
import { decisionStep } from '../../base/text/steps';
import { skippedBy } from '../../base/text/words';
import type { TaskFacts } from '../evidence/facts';
import { isOpen } from '../ledger/transitions';
import { acceptCommand } from '../lifecycle/judgeVerifyChanges';
import type { MissionEvent } from '../model/events';
import type { Skipped } from '../model/facts';
import { openChanges, rowOf, type Mission, type TaskRow } from '../model/state';
import type { HumanDecision } from '../observation/outstanding';
import { answerable } from './packetCommands';
import { refuse, unknownTask, type Refused, type CommandDecision } from './commandDecision';

/**
 * A person skips an open task and its open dependants, which have to be exactly those the person was shown. Their rows
 * are canceled once nothing of them runs; the mission continues with the others.
 */
export function skip(
  mission: Mission,
  taskId: string,
  shown: readonly string[],
  decision: HumanDecision,
): CommandDecision {
  const refused = cannotSkip(mission, taskId);
  if (refused) return refused;
  const dependants = openDependants(rowsWithSkips(mission), taskId);
  if (shown.length !== dependants.length || dependants.some((id) => !shown.includes(id)))
    return refuse(
      'STALE_SEQUENCE',
      `With ${taskId} ${dependants.length === 0 ? 'no other task is' : `${dependants.join(', ')} would be`} skipped; shown was ${shown.join(', ') || 'none'}.`,
      [decisionStep('skip', mission.mission_id, taskId)],
    );
  const task_ids = [taskId, ...dependants];
  const others = dependants.length === 0 ? '' : `, and with it ${dependants.join(', ')}`;
  const unproven = task_ids.some((id) => rowOf(mission, id)?.unproven) ? ' once its processes are proven gone' : '';
  const held = mission.hold.kind === 'none' ? '' : ' The mission stays paused until it is resumed.';
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
    reason: `Task ${taskId} is skipped${unproven}${others}.${held}`,
  };
}

/** Why a task and its dependants cannot be skipped now; null when they can. */
export function cannotSkip(mission: Mission, taskId: string): Refused | null {
  const row = rowOf(mission, taskId);
  const status = `mission status ${mission.mission_id}`;
  if (!row) return unknownTask(mission, taskId);
  if (row.skipped)
    return refuse('TASK_FINISHED', `Task ${taskId} was skipped before: ${skippedWords(taskId, row.skipped)}`, [status]);
  if (!isOpen(row.status))
    return refuse('TASK_FINISHED', `Task ${taskId} is ${row.status}: what has ended is not skipped.`, [status]);
  if (mission.cancel) return refuse('MISSION_CLOSED', 'The mission is being canceled: all open tasks end.', [status]);
  const failed = mission.rows.find((other) => other.status === 'failed');
  if (failed)
    return refuse('MISSION_CLOSED', `Task ${failed.task.task_id} failed, and the mission ends by that.`, [status]);
  if (mission.handoffs.some((handoff) => handoff.move && handoff.state.kind === 'pending'))
    return refuse('MISSION_CLOSED', 'The run is being given away: what is open goes with it.', [status]);
  const names = new Set([taskId, ...openDependants(rowsWithSkips(mission), taskId)]);
  const rows = mission.rows.filter(({ task }) => names.has(task.task_id));
  const running = rows.find((one) => one.status === 'in_progress');
  if (running)
    return refuse('MISSION_ACTIVE', `Task ${running.task.task_id} is in progress: stop it first, then skip it.`, [
      decisionStep('stop', mission.mission_id, running.task.task_id),
    ]);
  const changed = rows.find((one) => openChanges(one).length > 0);
  if (changed) {
    // After a skip the task's changes are not observed again, so outstanding ones would be lost.
    const open = openChanges(changed);
    return refuse(
      'PACKET_OPEN',
      `What blocked task ${changed.task.task_id} is neither gone nor accepted, and a skip accepts nothing.`,
      [
        acceptCommand(mission, changed.task.task_id, open),
        decisionStep('retry', mission.mission_id, changed.task.task_id),
      ],
    );
  }
  if (mission.rows.every((one) => one.skipped !== null || names.has(one.task.task_id)))
    return refuse('OUTCOME_UNAVAILABLE', 'Nothing of the plan would be done: that is a mission to cancel.', [
      decisionStep('cancel', mission.mission_id),
    ]);
  return null;
}

/** `Skipped by Ada: ...`; for a dependant `Skipped by Ada with T1: ...`. */
export function skippedWords(taskId: string, { decision, chosen }: Skipped): string {
  return `${skippedBy}${decision.actor.name}${chosen === taskId ? '' : ` with ${chosen}`}: ${decision.reason}`;
}

export function skippedFacts({ decision, chosen }: Skipped): NonNullable<TaskFacts['skipped_by']> {
  const { actor, reason, at } = decision;
  return { kind: actor.kind, name: actor.name, reason, at, chosen };
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

/** The rows with skipped ones as canceled, also those that still wait for that. */
function rowsWithSkips({ rows }: Mission): Parameters<typeof openDependants>[0] {
  return rows.map(({ task, status, skipped }) => ({
    task_id: task.task_id,
    depends_on: task.depends_on,
    status: skipped ? 'canceled' : status,
  }));
}
