import { waitsForIntervention, waitsForMemory, waitsForPlan, waitsInAttempt } from '../../model/lanes';
import { liveSession } from '../../model/session';
import type { Mission } from '../../model/state';
import { missionStatus } from '../../mission/status';

/** Returns whether a mission should go on and no owner runs it. @param owned whether a process owns the missions */
export function isInterrupted(mission: Mission, owned: boolean): boolean {
  if (owned) return false;
  const status = missionStatus(mission);
  const unreported = mission.ending !== null && mission.execution !== 'REPORTED';
  const waits = mission.lanes.every(
    (lane) => (waitsForIntervention(lane) && lane.intervention?.path) || waitsForMemory(lane) || waitsForPlan(lane),
  );
  return status === 'running' || status === 'planned' || liveSession(mission) !== undefined || !waits || unreported;
}

/**
 * Returns whether a mission pauses once what runs of it has ended: nothing new starts, and Resume takes the pause back.
 *
 * @param interrupted no process runs it
 */
export function isPausing(mission: Mission, interrupted: boolean): boolean {
  if (interrupted || mission.ending || mission.cancel) return false;
  const runs =
    mission.lanes.some((lane) => !waitsInAttempt(lane) && !waitsForPlan(lane)) || liveSession(mission) !== undefined;
  const status = missionStatus(mission);
  return runs && (status === 'paused' || (status === 'running' && mission.hold.kind === 'pause_requested'));
}
