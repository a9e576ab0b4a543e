import type { BlockView } from '../../contracts/page/missionView';
import { stepLine } from '../../base/text/steps';
import { terminal, type TerminalText } from '../../base/text/marked/terminal';
import { goesOnWords } from '../../base/text/words';
import { blockStands, blockWord, questionLines } from './missionResult';

/** Returns what a person can decide about a packet now, each with its command line; last what is not possible, and why. */
export function choiceLines(block: BlockView, interrupted: boolean): readonly TerminalText[] {
  const refused = block.ways.filter((way) => way.refused);
  return [
    terminal`Task ${block.task_id} ${blockStands(block)} (${blockWord(block)}): ${block.reason}`,
    ...(block.decided === undefined ? [] : [terminal`  ${block.decided}`]),
    ...(block.goes_on_at === undefined ? [] : [terminal`  ${goesOnWords(block.goes_on_at, interrupted)}`]),
    ...block.details.slice(0, 5).map((detail) => terminal`  - ${detail}`),
    ...questionLines(block).map((line) => terminal`  ${line}`),
    terminal``,
    terminal`Possible now:`,
    ...block.ways.flatMap((way) =>
      way.refused
        ? []
        : [
            terminal`  ${wayName(way)}${way.recommended ? ' (recommended)' : ''}. ${way.does}`,
            terminal`    next: ${stepLine(way.step)}`,
          ],
    ),
    ...(refused.length > 0 ? [terminal`Not possible now:`] : []),
    ...refused.map((way) => terminal`  ${wayName(way)}: ${way.refused?.reason ?? ''}`),
    terminal``,
  ];
}

function wayName({ label, outcome }: BlockView['ways'][number]): string {
  return outcome === undefined ? label : `${outcome}: ${label}`;
}
