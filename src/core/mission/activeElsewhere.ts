import { fewNamed } from '../../base/text/firstNamed';
import { decisionStep } from '../../base/text/steps';
import type { ActiveMission } from '../model/inputs';
import { lockConflict } from '../locks/conflicts';
import { waitsForIntervention, waitsForMemory, waitsForPlan, waitsInAttempt } from '../model/lanes';
import { liveSession } from '../model/session';
import type { Progress, Tasks } from '../model/state';
import { motionOf } from './effects';
import { surroundingsOf } from './evidence/ledgerDocument';
import { refuse, type Refused } from './parts/commandDecision';
import { cancelUnderWay } from './takeover/takeover';

/**
 * Says how a mission keeps another one from running; null: it does not. One mission of a workspace runs at a time. One
 * that only waits for a person runs nothing, so it keeps no more than the paths of its attempts.
 *
 * @param driven an engine drives it now; false: its process has stopped, or its engine halted
 * @param wanted paths that the other one may write
 */
export function activeMission(mission: Progress, driven: boolean, wanted: readonly string[]): ActiveMission | null {
  const session = liveSession(mission);
  if (!driven && !session && mission.lanes.length === 0) return null;
  const onlyWaits = !driven && !session && mission.lanes.every(waitsInAttempt) && motionOf(mission) === 'rests';
  const keeps = onlyWaits ? keptPaths(mission, wanted) : [];
  if (onlyWaits && keeps.length === 0) return null;
  const ends = mission.ending ?? mission.criteria ?? mission.moved;
  const { mission_id, lanes, hold } = mission;
  const without = lanes.every((lane) => waitsForPlan(lane) || waitsInAttempt(lane)) ? lanes.filter(waitsForPlan) : [];
  const ids = (waiting: typeof lanes): readonly string[] => waiting.map(({ task_id }) => task_id);
  return {
    mission_id,
    pausable: hold.kind === 'none' && ends === null,
    ...(!driven && {
      interrupted: lanes.length > 0 ? ('attempt' as const) : ('session' as const),
      cancelable: !cancelUnderWay(mission),
    }),
    ...(without.length > 0 && { without_plan: ids(without) }),
    ...(keeps.length > 0 && {
      ...{ keeps, incomplete: ids(lanes.filter(waitsForIntervention)), proposing: ids(lanes.filter(waitsForMemory)) },
    }),
  };
}

/** Locked paths of the mission that one of the wanted ones is, contains or lies in. */
function keptPaths(mission: Tasks, wanted: readonly string[]): readonly string[] {
  const surroundings = surroundingsOf(mission);
  return mission.rows
    .flatMap(({ lock, task }) => (lock === 'held' ? task.paths : []))
    .filter((path) => wanted.some((one) => lockConflict(path, one, surroundings)));
}

export function activeRefusal(active: ActiveMission): Refused {
  const { mission_id, pausable, interrupted, cancelable, incomplete = [], proposing = [], without_plan = [] } = active;
  const { keeps = [] } = active;
  if (keeps.length > 0) {
    // What waits to be remembered is shown by the status, with the steps that its conflicts leave.
    const asked = [
      ...(incomplete.length > 0 ? [`completes the result of ${incomplete.join(', ')}`] : []),
      ...(proposing.length > 0 ? [`decides what of ${proposing.join(', ')} is remembered`] : []),
    ];
    return refuse(
      'MISSION_ACTIVE',
      `Mission ${mission_id} waits in this workspace for a person who ${asked.join(', and ')}. Until then it keeps ${fewNamed(keeps)}, where this would write too.`,
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
