import type { RefusalCode } from '../../contracts/vocabulary/codes';
import type { MissionEvent } from '../model/events';
import type { Mission } from '../model/state';

export interface Refused {
  readonly code: RefusalCode;
  readonly reason: string;
  readonly next: readonly string[];
}
/** What a command leads to: the events of its acceptance and a sentence for the sender, or a refusal. */
export type CommandDecision = { readonly events: readonly MissionEvent[]; readonly reason: string } | Refused;

export function refuse(code: RefusalCode, reason: string, next: readonly string[]): Refused {
  return { code, reason, next };
}

export function unknownTask(mission: Mission, taskId: string): Refused {
  const tasks = mission.rows.map((row) => row.task.task_id).join(', ');
  return refuse('TASK_UNKNOWN', `The plan has no task ${taskId}; its tasks are ${tasks}.`, [
    `mission status ${mission.mission_id}`,
  ]);
}
