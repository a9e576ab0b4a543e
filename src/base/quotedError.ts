/**
 * Returns whether a line only quotes the text of an error that it has at `index`: it shows the name
 * of a test, a difference, a line of a source, or what a test compares.
 */
export function isQuotedAt(line: string, index: number): boolean {
  if (marks.test(line)) return true;
  const before = line.slice(0, index).replace(quotes, '');
  return compares.test(before) || (opens.test(before) && !logged.test(line));
}

/** Results of tests, differences, lines of a source, comments. */
const marks = /^\s*(?:[✔✓√✖✕×●+-]\s|>?\s*\d+ \||(?:not )?ok \d|PASS\b|\/\/)/;

const compares = /(?<![\w/.-])(?:expected|expects?|received|actual|should|assert\w*|AssertionError)(?![\w/.-])/i;

/** A whole quote, such as the name of a file; no apostrophe opens one. */
const quotes = /(?<![\p{L}\d])["'`‘„“«»「][^"'`’”“»」]*["'`’”“»」]/gu;
const opens = /(?<![\p{L}\d])["'`‘„“«「]\s?(?=\S|$)/u;

/** A line of a log in JSON, or Rust's form of an error, quotes its own text. */
const logged = /^\s*\{|\bOs \{/;
