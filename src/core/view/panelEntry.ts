import type { MissionView } from '../../contracts/missionView';
import type { PanelEntry, PanelGroup } from '../../contracts/panelView';
import { cut } from '../../base/text/cut';
import { missionWord } from '../../base/text/words';
import { missionStatus } from '../mission/status';
import type { Mission } from '../model/state';
import { attention } from './attention';
import { headline } from './headline';
import { isInterrupted } from './interrupted';
import { isPausing } from './pausing';

/**
 * What a window says of a mission instead of the journal alone. For instance, it says that it is
 * about to continue the mission.
 */
export type OwnWords = Pick<MissionView, 'interrupted' | 'pausing' | 'headline'>;

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
  const { rows, plan, received_at: at } = mission;
  return {
    group: groupOf(mission, interrupted),
    title: plan.plan_id,
    word: missionWord({ status, interrupted, pausing }),
    note: cut((own?.headline ?? headline(mission, interrupted)).replaceAll(/\s+/g, ' ').trim(), noteLength),
    progress: { done: rows.filter((row) => row.status === 'done').length, total: rows.length },
    at,
  };
}

const noteLength = 240;

function groupOf(mission: Mission, interrupted: boolean): PanelGroup {
  const status = missionStatus(mission);
  if (needsPerson(mission)) return 'needs_you';
  if (interrupted) return 'paused';
  switch (status) {
    case 'planned':
      return 'planned';
    case 'running':
      return 'running';
    case 'paused':
      return 'paused';
    case 'blocked':
      return 'needs_you';
    case 'completed':
    case 'cancelled':
      return 'finished';
    case 'failed':
      return mission.acknowledged ? 'finished' : 'needs_you';
  }
}

/** Returns whether nothing goes on before a person acts. */
function needsPerson(mission: Mission): boolean {
  if (attention(mission, { ResumeMission: false, CancelMission: false }) !== null) return true;
  if (mission.ending) return false;
  const blocked = new Set(mission.rows.filter((row) => row.status === 'blocked').map(({ task }) => task.task_id));
  return mission.packets.some(({ state, task_id }) => state.kind === 'open' && blocked.has(task_id));
}
