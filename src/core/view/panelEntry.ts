import { oneLine, cut } from '../../base/text/plainLine';
import type { MissionView, Need } from '../../contracts/page/missionView';
import type { PanelEntry, PanelGroup } from '../../contracts/page/panelView';
import { missionWord } from '../../base/text/words';
import { missionStatus } from '../mission/status';
import type { Mission } from '../model/state';
import { headline } from './mission/headline';
import { isInterrupted, isPausing } from './mission/interrupted';
import { needOfMission } from './needs/needs';

/**
 * What a window says of a mission instead of the journal alone. For instance, it says that it is
 * about to continue the mission.
 */
export type OwnWords = Pick<MissionView, 'interrupted' | 'pausing' | 'headline' | 'needs'>;

/**
 * A mission as a line of a list, from few of its facts.
 *
 * @param owned whether a process owns the missions
 * @param own absent: what the journal says
 */
export function missionEntry(mission: Mission, owned: boolean, own?: OwnWords): Omit<PanelEntry, 'id' | 'workspace'> {
  const interrupted = own?.interrupted ?? isInterrupted(mission, owned);
  const pausing = own ? own.pausing === true : isPausing(mission, interrupted);
  const status = missionStatus(mission);
  const needs = own ? own.needs : needOfMission(mission);
  const { rows, plan, received_at: at } = mission;
  return {
    group: groupOf(status, needs, interrupted),
    title: plan.plan_id,
    word: missionWord({ status, interrupted, pausing, needs }),
    note: cut(oneLine(own?.headline ?? headline(mission, interrupted)), noteLength),
    progress: { done: rows.filter((row) => row.status === 'done').length, total: rows.length },
    at,
  };
}

const noteLength = 240;

function groupOf(status: MissionView['status'], needs: Need | null, interrupted: boolean): PanelGroup {
  if (needs !== null) return 'needs_you';
  if (interrupted) return 'paused';
  switch (status) {
    case 'planned':
      return 'planned';
    case 'running':
    case 'blocked':
      return 'running';
    case 'paused':
      return 'paused';
    case 'completed':
    case 'cancelled':
    case 'failed':
      return 'finished';
  }
}
