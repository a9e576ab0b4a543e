import type { MissionCommand } from '../../contracts/commands/missionCommand';
import type { MissionView } from '../../contracts/page/missionView';
import { underWay } from './missionFacts';

/** `at_once`: it counted with the answer. `stuck`: a person is needed. `shown`: a notification of its own says so. */
export type CommandStage = 'at_once' | 'coming' | 'stuck' | 'happened' | 'shown';

export function commandStage(command: MissionCommand, mission: MissionView): CommandStage {
  const stage = stageOf(command, mission);
  if (stage !== 'coming') return stage;
  return mission.attention || mission.interrupted ? 'stuck' : 'coming';
}

function stageOf(command: MissionCommand, mission: MissionView): CommandStage {
  if (command.type === 'PauseMission') return mission.pausing === true ? 'coming' : 'happened';
  if (command.type === 'CancelMission') return mission.execution === 'REPORTED' ? 'shown' : 'coming';
  if (command.type !== 'StopTask') return 'at_once';
  const runs = underWay(mission).some(
    ({ task_id, stopping, isSession }) => task_id === command.task_id && (stopping || isSession),
  );
  return runs ? 'coming' : 'shown';
}
