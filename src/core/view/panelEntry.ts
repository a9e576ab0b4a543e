import { oneLine, cut } from '../../base/text/plainLine';
import type { MissionView } from '../../contracts/page/missionView';
import type { PanelEntry, PanelGroup } from '../../contracts/page/panelView';
import { missionWord } from '../../base/text/words';

/** A mission as a line of a list. @param view a window says in it what it is about to do */
export function missionEntry(view: MissionView): Omit<PanelEntry, 'id' | 'workspace'> {
  return {
    group: groupOf(view),
    title: view.plan_id,
    word: missionWord(view),
    note: cut(oneLine(view.headline), noteLength),
    progress: { done: view.done, total: view.tasks.length },
    at: view.started_at,
  };
}

const noteLength = 240;

function groupOf({ status, needs, interrupted }: MissionView): PanelGroup {
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
