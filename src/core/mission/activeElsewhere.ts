import { decisionStep } from '../../base/text/steps';
import type { ActiveMission } from '../model/inputs';
import type { Mission } from '../model/state';
import { refuse, type Refused } from './commandDecision';

/** How a running mission keeps others from running: one mission of a workspace runs at a time. */
export function activeMission(mission: Mission): ActiveMission {
  const ends = mission.ending ?? mission.criteria ?? mission.moved;
  return { mission_id: mission.mission_id, pausable: mission.hold.kind === 'none' && ends === null };
}

export function activeRefusal({ mission_id, pausable }: ActiveMission): Refused {
  return refuse('MISSION_ACTIVE', `Mission ${mission_id} is running in this workspace.`, [
    `mission status ${mission_id}`,
    ...(pausable ? [decisionStep('pause', mission_id)] : []),
  ]);
}
