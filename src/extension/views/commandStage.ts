import type { MissionCommand } from '../../contracts/missionCommand';
import type { MissionView } from '../../contracts/missionView';
import { underWay } from './missionFacts';

/**
 * How far what an accepted command asked for is. `at_once`: it counted with the answer. `coming`: what runs has to end
 * first. `stuck`: that needs a person, or no process runs the mission.
 */
export type CommandStage = 'at_once' | 'coming' | 'stuck' | 'happened';

export function commandStage(command: MissionCommand, mission: MissionView): CommandStage {
  if (command.type !== 'PauseMission' && command.type !== 'StopTask' && command.type !== 'CancelMission')
    return 'at_once';
  if (hasHappened(command, mission)) return 'happened';
  return mission.attention || mission.interrupted ? 'stuck' : 'coming';
}

function hasHappened(
  command: Extract<MissionCommand, { readonly type: 'PauseMission' | 'StopTask' | 'CancelMission' }>,
  mission: MissionView,
): boolean {
  if (command.type === 'PauseMission') return mission.pausing !== true;
  if (command.type === 'CancelMission') return mission.execution === 'REPORTED';
  const { task_id: stopped } = command;
  return !underWay(mission).some(({ task_id, stopping, isSession }) => task_id === stopped && (stopping || isSession));
}
