import type { EventLine } from '../../../contracts/page/missionView';
import { entryOf } from '../../mission/evolve';
import type { MissionEvent } from '../../model/events';
import type { JournalEntry } from '../../model/journalEntry';
import { laneLimit, taskOfLaunch } from '../../model/lanes';
import type { Mission, Tasks } from '../../model/state';
import { quotedArguments } from '../../../base/text/marked/visible';
import type { LaunchChange } from '../../../contracts/record/recoveryEvent';
import { launchChangeById, launchChangeWords } from '../../mission/parts/launchChange';
import { sessionResultWords } from '../../mission/events/orchestrator';
import type { Session } from '../../model/session';

export type { OrchestratorChoice } from '../../model/sessionFacts';

/** A journal entry as a sentence for a person, which names the task where several run at once. */
export function eventLine({ seq, at, actor, event }: JournalEntry<MissionEvent>, mission: Mission): EventLine {
  const { shown, line } = entryOf(event);
  // Names the task where several run at once and the sentence does not.
  const lane = laneLimit(mission) > 1 && shown.ofLane ? taskOfEvent(event, mission) : null;
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

export function taskOfEvent(event: MissionEvent, mission: Tasks): string | null {
  if ('task_id' in event) return event.task_id;
  return 'launch_id' in event ? taskOfLaunch(mission, event.launch_id) : null;
}

export function isPrinted(event: MissionEvent): boolean {
  return entryOf(event).shown.printed === true;
}

/** The same in the terminal, on the panel and in the list of events. */
export function launchChangeLines(change: LaunchChange): readonly string[] {
  const { arguments: changed } = change;
  if (changed === null) return launchChangeWords(change);
  const { before, after } = changed;
  return [...launchChangeWords(change), `Before: ${line(before, after)}`, `After: ${line(after, before)}`];
}

/** Empty where the launch has the least-privileged line. */
export function launchChangeLinesOf(mission: Tasks, launchId: string): readonly string[] {
  const change = launchChangeById(mission, launchId);
  return change ? launchChangeLines(change) : [];
}

/** A long argument that both lines have (a schema of several thousand characters) hides what is different. */
function line(argv: readonly string[], other: readonly string[]): string {
  return argv
    .map((argument) =>
      argument.length > longest && other.includes(argument)
        ? `${quotedArguments([`${argument.slice(0, longest)}…`])} (${argument.length} characters, the same in both)`
        : quotedArguments([argument]),
    )
    .join(' ');
}

const longest = 80;

/**
 * Says what a session makes or made of its packet, for the person who may decide instead.
 *
 * @param left how its process stands, where no owner watches it
 */
export function sessionSentence({ choice, requests, result }: Session, worker: string, left?: string): string {
  const refused = requests.filter(({ accepted }) => !accepted).length;
  const more = refused === 0 ? '' : ` ${refused} of its requests ${refused === 1 ? 'was' : 'were'} refused.`;
  if (result) return `${sessionResultWords(result)}${more}`;
  const chosen = choice ? ` It chose ${choice.outcome}, which counts once it has ended: ${choice.reason}` : '';
  const asked = left === undefined ? 'is asked' : `was asked: ${left}`;
  return `The orchestrator ${worker} ${asked}. What you decide meanwhile counts.${chosen}${more}`;
}
