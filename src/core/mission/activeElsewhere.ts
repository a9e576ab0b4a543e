import { decisionStep } from '../../base/text/steps';
import type { ActiveMission } from '../model/inputs';
import { waitsForIntervention } from '../model/lanes';
import type { Mission } from '../model/state';
import { refuse, type Refused } from './commandDecision';

/** How a running mission keeps others from running: one mission of a workspace runs at a time. */
export function activeMission(mission: Mission): ActiveMission {
  const ends = mission.ending ?? mission.criteria ?? mission.moved;
  const { mission_id, lanes, hold } = mission;
  const waits = lanes.every((lane) => waitsForIntervention(lane) && lane.intervention?.path);
  const incomplete = waits ? lanes.map(({ task_id }) => task_id) : [];
  return { mission_id, pausable: hold.kind === 'none' && ends === null, ...(incomplete.length > 0 && { incomplete }) };
}

export function activeRefusal({ mission_id, pausable, incomplete }: ActiveMission): Refused {
  if (incomplete)
    return refuse(
      'MISSION_ACTIVE',
      `Mission ${mission_id} waits in this workspace for a person who completes the result of ${incomplete.join(', ')}.`,
      [
        `mission status ${mission_id}`,
        ...incomplete.map((task) => decisionStep('intervene', mission_id, task)),
        ...incomplete.map((task) => decisionStep('stop', mission_id, task)),
      ],
    );
  return refuse('MISSION_ACTIVE', `Mission ${mission_id} is running in this workspace.`, [
    `mission status ${mission_id}`,
    ...(pausable ? [decisionStep('pause', mission_id)] : []),
  ]);
}
