import type { BlockView, WayView } from '../../contracts/page/blockView';
import type { MissionView } from '../../contracts/page/missionView';
import { commandEntries } from '../../contracts/vocabulary/commands';
import type { StepCommand } from '../../contracts/vocabulary/steps';
import { commands, type CommandName } from '../registry/registry';
import { takesNamed } from './missionFacts';

export interface BlockChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly does: WayView | CommandName;
}

/** Lists what is possible now first, the recommended way at the head, and what is not last, with the reason. */
export function blockChoices(
  { ways, task_id }: Pick<BlockView, 'ways' | 'task_id'>,
  mission: Pick<MissionView, 'offers'>,
): readonly BlockChoice[] {
  return [
    ...ways.filter(({ refused }) => !refused).map(choiceOf),
    ...(takesNamed('reviseTask', mission, task_id)
      ? [commandChoice('reviseTask', 'Time limits, priority or a note, for its next attempt.')]
      : []),
    commandChoice('openRecoveryPacket', 'Read what happened first.'),
    ...ways.filter(({ refused }) => refused).map(choiceOf),
  ];
}

function choiceOf(way: WayView): BlockChoice {
  const { label, does, outcome, safe_when, refused, recommended } = way;
  const words = [recommended ? 'recommended' : null, outcome ?? null, refused ? 'not possible now' : null].filter(
    (word) => word !== null,
  );
  const safe = safe_when === undefined ? '' : ` Safe when: ${safe_when}`;
  return { label, description: words.join(', '), detail: refused ? refused.reason : `${does}${safe}`, does: way };
}

function commandChoice(command: CommandName, detail: string): BlockChoice {
  return { label: commands[command].title, description: '', detail, does: command };
}

/** The command by which a person takes a step; null: the window has none. */
export function commandOfStep(command: StepCommand): CommandName | null {
  if (command === 'context new') return 'newProjectContext';
  return commandEntries.find(([, { line }]) => line === command)?.[1].name ?? null;
}
