import type { EventLine } from '../../../contracts/page/missionView';
import { entryOf } from '../../mission/evolve';
import type { MissionEvent } from '../../model/events';
import type { JournalEntry } from '../../model/journalEntry';
import { laneLimit, taskOfLaunch } from '../../model/lanes';
import type { Mission, Tasks } from '../../model/state';

/** A journal entry as a sentence for a person, which names the task where several run at once. */
export function eventLine({ seq, at, actor, event }: JournalEntry<MissionEvent>, mission: Mission): EventLine {
  const lane = laneLimit(mission) > 1 ? unnamedTask(event, mission) : null;
  const { shown, line } = entryOf(event);
  const mark = typeof shown.mark === 'function' ? shown.mark(event) : shown.mark;
  return {
    seq,
    at,
    actor: actor.name,
    type: event.type,
    text: `${lane === null ? '' : `${lane}: `}${line(event, mission)}`,
    ...(mark && { mark }),
  };
}

/** The task of an event whose sentence does not name it. */
function unnamedTask(event: MissionEvent, mission: Tasks): string | null {
  if (!entryOf(event).shown.ofLane) return null;
  if ('task_id' in event) return event.task_id;
  return 'launch_id' in event ? taskOfLaunch(mission, event.launch_id) : null;
}

/** Returns whether `mission run` prints it. */
export function isPrinted(event: MissionEvent): boolean {
  return entryOf(event).shown.printed === true;
}
