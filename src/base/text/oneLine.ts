import { visibleText, type SafeText } from './safeText';
import { quotedArguments, visible } from './visible';

/**
 * At most `length` characters of a text on one line. An ellipsis at the end means that we cut: one that the text ends
 * with itself is shown by its number.
 */
export function limited(text: string, length: number): SafeText<'visible'> {
  // A text of megabytes is not made visible for a line of it.
  const shown = visible(text.slice(0, 4 * length)).replace(/…(?=\s*$)/u, String.raw`\u2026`);
  const characters = Array.from(shown);
  if (characters.length <= length && text.length <= 4 * length) return visibleText(shown);
  return visibleText(`${characters.slice(0, length - 1).join('')}…`);
}

/** A name in a list of names: in quotes where it could be taken for two of them. */
export function quotedName(name: string): SafeText<'visible'> {
  return commandLine([name]);
}

/** A line in pieces of at most so many characters, for what stops drawing long ones. Nothing is left out. */
export function pieces(line: string | SafeText<'visible'>, length: number): readonly SafeText<'visible'>[] {
  const characters = Array.from(typeof line === 'string' ? visible(line) : line.toString());
  const count = Math.max(1, Math.ceil(characters.length / length));
  return Array.from({ length: count }, (_, index) =>
    visibleText(characters.slice(index * length, (index + 1) * length).join('')),
  );
}

/** What will run, argument by argument: see `quotedArguments`. */
export function commandLine(argv: readonly string[]): SafeText<'visible'> {
  return visibleText(quotedArguments(argv));
}
