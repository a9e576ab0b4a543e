import { cut } from '../../../base/text/cut';
import type { MissionControlView } from '../../../contracts/page/missionView';
import type { Mission } from '../../model/state';

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
  return `${cut(stop.by, 100)} stopped everything at ${stop.at}, and the process that runs this mission has not answered: it pauses when it goes on.`;
}
