import type { BlockView, MissionView, OutcomeView } from '../../contracts/missionView';
import { commands, type CommandName } from '../registry/registry';

/** A person's choice about a block: an outcome of its packet, or a command of its own. */
export interface BlockChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly does:
    | { readonly kind: 'outcome'; readonly outcome: OutcomeView }
    | { readonly kind: 'command'; readonly command: CommandName };
}

/** Lists what is possible now first, and what is not last, with the reason. */
export function blockChoices(block: BlockView, mission: Pick<MissionView, 'offers'>): readonly BlockChoice[] {
  const outcomes = block.outcomes ?? [];
  return [
    ...outcomes.filter(({ refused }) => !refused).map(outcomeChoice),
    ...commandChoices(block, mission),
    ...outcomes.filter(({ refused }) => refused).map(outcomeChoice),
  ];
}

function outcomeChoice(view: OutcomeView): BlockChoice {
  const { outcome, label, description, safe_when, refused } = view;
  return {
    label,
    description: `${outcome}${refused ? ', not possible now' : ''}`,
    detail: refused ? refused.reason : `${description} Safe when: ${safe_when}`,
    does: { kind: 'outcome', outcome: view },
  };
}

function commandChoices(
  { task_id, acceptable, question, denied }: BlockView,
  { offers }: Pick<MissionView, 'offers'>,
): readonly BlockChoice[] {
  const offered: readonly (readonly [CommandName, boolean, string])[] = [
    ['answerQuestion', question !== undefined, 'It asks something: its next attempt is given the answer.'],
    ['grantDirectory', denied !== undefined, 'For one attempt, what its worker was denied.'],
    ['acceptChange', acceptable.length > 0, 'Changes that block it may stay as they are, each by its name.'],
    ['reviseTask', offers.ReviseMetadata.includes(task_id), 'Time limits, priority or a note, for its next attempt.'],
    ['skipTask', offers.SkipTask.includes(task_id), 'The mission goes on without it and what depends on it.'],
    ['openRecoveryPacket', true, 'Read what happened first.'],
    ['cancelMission', offers.CancelMission, 'Give up the whole mission.'],
  ];
  return offered
    .filter(([, possible]) => possible)
    .map(([command, , detail]) => ({
      label: commands[command].title,
      description: '',
      detail,
      does: { kind: 'command', command },
    }));
}
