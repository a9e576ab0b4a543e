import type { MissionView } from '../../contracts/page/missionView';
import { milestoneHead } from '../../base/text/milestoneWords';
import { terminal, type TerminalText } from '../../base/text/marked/terminal';

/** Each milestone with its state and why, and its assertions as its last validation found them. */
export function milestoneLines({ milestones = [] }: Pick<MissionView, 'milestones'>): readonly TerminalText[] {
  return milestones.flatMap((milestone) => [
    terminal`  milestone ${milestoneHead(milestone)}: ${milestone.sentence}`,
    ...milestone.assertions.map(
      ({ id, text, status, answered_by }) =>
        terminal`    ${id} ${status ?? 'not answered'}${answered_by === null ? '' : ` (${answered_by})`}: ${text}`,
    ),
  ]);
}
