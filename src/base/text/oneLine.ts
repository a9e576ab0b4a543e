import { visibleText, type SafeText } from './marked/safeText';
import { quotedArguments, visible, visibleWhole } from './marked/visible';

/** At most `length` characters on one line. A final ellipsis is a cut: one of the text itself is escaped. */
export function limited(text: string, length: number): SafeText<'visible'> {
  // Cut before escaping: the text may have megabytes.
  const shown = visible(text.slice(0, 4 * length)).replace(/…(?=\s*$)/u, String.raw`\u2026`);
  const characters = Array.from(shown);
  if (characters.length <= length && text.length <= 4 * length) return visibleText(shown);
  return visibleText(`${characters.slice(0, length - 1).join('')}…`);
}

/** A name for a list of names: in quotes where a reader could take it for two. */
export function quotedName(name: string): SafeText<'visible'> {
  return commandLine([name]);
}

export function commandLine(argv: readonly string[]): SafeText<'visible'> {
  return visibleText(quotedArguments(argv));
}

/** A text for a person who approves it: all of it on one line, and many blanks as their count. */
export function wholeLine(text: string): SafeText<'visible'> {
  return visibleText(visibleWhole(text));
}

/** Words and the names behind them, each in quotes where a reader could take it for two. */
export function quotedNames(before: string, names: readonly string[]): SafeText<'visible'> {
  return visibleText(`${visibleWhole(before)} ${names.map((name) => quotedArguments([name])).join(', ')}`);
}
