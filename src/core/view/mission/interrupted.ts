import { waitsForPlan, waitsInAttempt } from '../../model/lanes';
import { liveSession } from '../../model/session';
import type { Progress } from '../../model/state';
import { motionOf } from '../../mission/effects';
import { missionStatus } from '../../mission/status';

/** Returns whether a mission should go on and no owner runs it. @param owned whether a process owns the missions */
export function isInterrupted(mission: Progress, owned: boolean): boolean {
  return !owned && motionOf(mission) !== 'rests';
}

/**
 * Returns whether a mission pauses once what runs of it has ended: nothing new starts, and Resume takes the pause back.
 *
 * @param interrupted no process runs it
 */
export function isPausing(mission: Progress, interrupted: boolean): boolean {
  if (interrupted || mission.ending || mission.cancel) return false;
  const runs =
    mission.lanes.some((lane) => !waitsInAttempt(lane) && !waitsForPlan(lane)) || liveSession(mission) !== undefined;
  const status = missionStatus(mission);
  return runs && (status === 'paused' || (status === 'running' && mission.hold.kind === 'pause_requested'));
}
