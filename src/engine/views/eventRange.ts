import type { EventLine } from '../../contracts/page/missionView';
import { eventsAtOnce } from '../../contracts/page/panelMessages';
import type { MissionEvent } from '../../core/model/events';
import type { Mission } from '../../core/model/state';
import { eventLine } from '../../core/view/events/eventLine';
import type { Journal } from '../ports/journal';

/** Some events of a mission, oldest first. */
export interface EventRange {
  /** Number of the first one, from 1. */
  readonly from: number;
  readonly events: readonly EventLine[];
  /** How many events the mission has. */
  readonly total: number;
}

/**
 * Reads some events of a mission, not its whole journal: at most `eventsAtOnce`, and none after the state of `mission`.
 */
export async function readEventRange(
  journal: Pick<Journal<MissionEvent>, 'read'>,
  mission: Mission,
  from: number,
  count: number,
): Promise<EventRange> {
  const total = mission.last_seq;
  const first = Math.max(1, Math.min(from, total + 1));
  const most = Math.max(0, Math.min(count, eventsAtOnce, total + 1 - first));
  const read = most === 0 ? [] : await journal.read(mission.mission_id, first - 1, most);
  return { from: first, events: read.slice(0, most).map((entry) => eventLine(entry, mission)), total };
}
