/**
 * Returns whether a line says by itself what `words` finds. It does not where it only shows them: a test's name or
 * result, a difference, a line of a source, a comparison, a warning.
 */
export function says(line: string, words: RegExp): boolean {
  const at = line.search(words);
  return at !== -1 && !marks.test(line) && !shows.test(line.slice(0, at));
}

/** Results of tests, differences, lines of a source, comments. */
const marks = /^\s*(?:[✔✓√✖✕×●+-]\s|>?\s*\d+ \||(?:not )?ok \d|PASS\b|\/\/)/;

const shows =
  /(?<![\w/.-])(?:expected|expects?|received|actual|should|assert\w*|AssertionError|warn|warning|debug|deprecated)(?![\w/.-])|["'`]$/i;
