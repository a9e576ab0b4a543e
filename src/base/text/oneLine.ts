import { visibleText, type SafeText } from './safeText';
import { quotedArguments, visible } from './visible';

/**
 * At most `length` characters of a text on one line. A final ellipsis always means that the text was cut: an ellipsis
 * at the end of the text itself is escaped.
 */
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

/** A whole line in pieces of at most `length` characters, because VS Code stops drawing long lines. */
export function pieces(line: string | SafeText<'visible'>, length: number): readonly SafeText<'visible'>[] {
  const characters = Array.from(typeof line === 'string' ? visible(line) : line.toString());
  const count = Math.max(1, Math.ceil(characters.length / length));
  return Array.from({ length: count }, (_, index) =>
    visibleText(characters.slice(index * length, (index + 1) * length).join('')),
  );
}

/** See `quotedArguments`. */
export function commandLine(argv: readonly string[]): SafeText<'visible'> {
  return visibleText(quotedArguments(argv));
}
