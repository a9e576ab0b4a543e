import { quotedArguments } from '../../../base/text/marked/visible';
import type { LaunchChange } from '../../../contracts/record/recoveryEvent';
import { launchChangeById, launchChangeWords } from '../../mission/parts/launchChange';
import type { Tasks } from '../../model/state';

/**
 * A changed launch line in words, the same in the terminal, on the panel and in the list of events: why, the
 * difference, and where it is known the lines before and after.
 */
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
