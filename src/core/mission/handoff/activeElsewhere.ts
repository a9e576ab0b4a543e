import { decisionStep } from '../../../base/text/steps';
import type { ActiveMission } from '../../model/inputs';
import { waitsForIntervention, waitsForMemory, waitsForPlan } from '../../model/lanes';
import type { Progress } from '../../model/state';
import { refuse, type Refused } from '../parts/commandDecision';
import { cancelUnderWay } from '../takeover/survivingProcesses';

/**
 * Says how a running mission keeps others from running: one mission of a workspace runs at a time.
 *
 * @param driven an engine drives it now; false: its process has stopped, or its engine halted
 */
export function activeMission(mission: Progress, driven: boolean): ActiveMission {
  const ends = mission.ending ?? mission.criteria ?? mission.moved;
  const { mission_id, lanes, hold } = mission;
  const incomplete = lanes.filter((lane) => waitsForIntervention(lane) && lane.intervention?.path);
  const proposing = lanes.filter(waitsForMemory);
  const without = lanes.filter(waitsForPlan);
  const waits = incomplete.length + proposing.length + without.length === lanes.length;
  const ids = (waiting: typeof lanes): readonly string[] => waiting.map(({ task_id }) => task_id);
  return {
    mission_id,
    pausable: hold.kind === 'none' && ends === null,
    ...(!driven && {
      interrupted: lanes.length > 0 ? ('attempt' as const) : ('session' as const),
      cancelable: !cancelUnderWay(mission),
    }),
    ...(waits && incomplete.length > 0 && { incomplete: ids(incomplete) }),
    ...(waits && proposing.length > 0 && { proposing: ids(proposing) }),
    ...(waits && without.length > 0 && { without_plan: ids(without) }),
  };
}

export function activeRefusal(active: ActiveMission): Refused {
  const { mission_id, pausable, interrupted, cancelable, incomplete = [], proposing = [], without_plan = [] } = active;
  if (incomplete.length + proposing.length > 0) {
    // What waits to be remembered is shown by the status, with the steps that its conflicts leave.
    const asked = [
      ...(incomplete.length > 0 ? [`completes the result of ${incomplete.join(', ')}`] : []),
      ...(proposing.length > 0 ? [`decides what of ${proposing.join(', ')} is remembered`] : []),
    ];
    return refuse(
      'MISSION_ACTIVE',
      `Mission ${mission_id} waits in this workspace for a person who ${asked.join(', and ')}.`,
      [
        `mission status ${mission_id}`,
        ...incomplete.map((task) => decisionStep('intervene', mission_id, task)),
        ...[...incomplete, ...proposing.slice(0, 1)].map((task) => decisionStep('stop', mission_id, task)),
      ],
    );
  }
  if (without_plan.length > 0)
    return refuse(
      'MISSION_ACTIVE',
      `Mission ${mission_id} is paused in this workspace, and task ${without_plan.join(', ')} waits for its approved plan.`,
      [`mission status ${mission_id}`, decisionStep('cancel', mission_id)],
    );
  if (interrupted)
    return refuse(
      'MISSION_ACTIVE',
      `Mission ${mission_id} was interrupted in this workspace: no process goes on with it, and its ${interrupted} is open. That ${interrupted} has to end before another mission runs.`,
      [
        decisionStep('resume', mission_id),
        ...(cancelable === true ? [decisionStep('cancel', mission_id)] : []),
        `mission status ${mission_id}`,
      ],
    );
  return refuse('MISSION_ACTIVE', `Mission ${mission_id} is running in this workspace.`, [
    `mission status ${mission_id}`,
    ...(pausable ? [decisionStep('pause', mission_id)] : []),
  ]);
}
