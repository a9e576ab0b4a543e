import { waitsForPlan, waitsInAttempt } from '../../model/lanes';
import { liveSession } from '../../model/session';
import type { Progress, Mission } from '../../model/state';
import { motionOf } from '../../mission/effects';
import { missionStatus } from '../../mission/status';
import { cut } from '../../../base/text/plainLine';
import type { MissionControlView } from '../../../contracts/page/missionView';
import { utcText } from '../../../base/text/amounts';

/** @param owned whether a process owns the missions */
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

/** The last time that a person stopped everything of this user on this machine. */
export interface LastStop {
  readonly by: string;
  /** ISO-8601 UTC. */
  readonly at: string;
}

/**
 * Says that a stop of everything did not reach the process that runs a mission. It did not, because
 * that process is frozen or its machine slept. Null: the stop reached it, or the mission takes no
 * pause.
 *
 * @param owner `this`: the process that asks runs the missions itself, so it answers
 */
export function missedStop(
  stop: LastStop | null,
  mission: Pick<Mission, 'ending' | 'moved' | 'cancel' | 'hold' | 'last_at'>,
  owner: MissionControlView['owner'],
): string | null {
  if (stop === null || owner !== 'another' || mission.hold.kind !== 'none') return null;
  if ((mission.ending ?? mission.moved ?? mission.cancel) !== null || mission.last_at >= stop.at) return null;
  return `${cut(stop.by, 100)} stopped everything at ${utcText(stop.at)}, and the process that runs this mission has not answered: it pauses when it goes on.`;
}
