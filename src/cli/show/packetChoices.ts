import type { BlockView } from '../../contracts/missionView';
import { terminal, type TerminalText } from '../../base/text/terminal';
import { goesOnWords } from '../../base/text/words';
import { blockStands, blockWord, questionLines } from './missionResult';

/**
 * Returns what a person can decide about a packet now, each with its command line: first what mends the block before
 * any outcome helps, last what is not possible, and why.
 */
export function choiceLines(block: BlockView, interrupted: boolean): readonly TerminalText[] {
  const outcomes = block.outcomes ?? [];
  const refused = outcomes.filter((outcome) => outcome.refused);
  const possible = outcomes.flatMap((outcome) =>
    outcome.command === undefined ? [] : [{ ...outcome, command: outcome.command }],
  );
  const mends = block.next.slice(0, Math.max(0, block.next.findIndex(chooses)));
  const others = block.next.slice(mends.length).filter((step) => possible.length === 0 || !chooses(step));
  return [
    terminal`Task ${block.task_id} ${blockStands(block)} (${blockWord(block)}): ${block.reason}`,
    ...(block.decided === undefined ? [] : [terminal`  ${block.decided}`]),
    ...(block.goes_on_at === undefined ? [] : [terminal`  ${goesOnWords(block.goes_on_at, interrupted)}`]),
    ...block.details.slice(0, 5).map((detail) => terminal`  - ${detail}`),
    ...questionLines(block).map((line) => terminal`  ${line}`),
    terminal``,
    terminal`Possible now:`,
    ...mends.map((step) => terminal`  next: ${step}`),
    ...possible.flatMap(({ outcome, label, description, command, recommended }) => [
      terminal`  ${outcome}: ${label}${recommended ? ' (likeliest)' : ''}. ${description}`,
      terminal`    next: ${command}`,
    ]),
    ...(possible.length > 0 && others.length > 0 ? [terminal`Also possible:`] : []),
    ...others.map((step) => terminal`  next: ${step}`),
    ...(refused.length > 0 ? [terminal`Not possible now:`] : []),
    ...refused.map((one) => terminal`  ${one.outcome}: ${one.refused?.reason ?? ''}`),
    terminal``,
  ];
}

/** A step that chooses an outcome, which stands with the outcomes. */
function chooses(step: string): boolean {
  return /^mission (packet resolve|retry|rerun-validation) /.test(step);
}
