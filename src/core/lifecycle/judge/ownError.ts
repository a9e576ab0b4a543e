import { withoutColours } from '../../../base/text/marked/colours';

/**
 * The lines in which the output of a failed command first says what went wrong. Each comes with the
 * line after it, an assertion with its values. Empty: no line looks like that. A test that failed comes
 * before another error, because tests print errors on purpose.
 *
 * @param stdout the end of it
 */
export function ownError({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): readonly string[] {
  const out = linesOf(stdout);
  const err = linesOf(stderr);
  const all = [...out, ...err];
  const values = firstOf(all, (line) => assertion.test(line), 12);
  const test = firstOf(all, (line) => failedTest.test(line) || assertion.test(line)) ?? [];
  const failed = values ? [...test.slice(0, 1).filter((line) => line !== values[0]), ...values] : test;
  const errorLines = firstOf(err, isError) ?? firstOf(out, isError) ?? [];
  return [...failed, ...errorLines.filter((line) => !failed.includes(line))];
}

const failedTest = /^\s*[✖✕×] (?!\d+ problem|failing tests:)|^\s*● .* › |^\s*not ok \d|^\s*--- FAIL: /;

/** Assertions of any language; pytest; Rust. */
const assertion = /\bAssertion(?:Failed)?Error\b|^E {2,}\S|\bpanicked at /;

const error = new RegExp(
  [
    // TypeError [CODE]: …, java.io.IOException: …, error[E0382]: …, a.ts(1,2): error TS1: …
    ...['\\b[A-Z]?\\w*(?:Error|Exception)\\b[^:]{0,40}: ', '\\berror(?:\\[\\w+\\]| [A-Z]+\\d+)?: ', '^\\[?ERROR\\b'],
    // eslint; git; go; linkers
    ...['^\\s*\\d+:\\d+\\s+error\\s', '^fatal: ', '^panic: ', '\\bundefined reference to\\b'],
    // names of the system's errors; lines of a shell
    ...['\\bE[A-Z]{3,}: ', '^FAIL(?:URE)?\\b', '^(?:ba|da|k|z)?sh: (?:line )?\\d+: '],
  ].join('|'),
);

/** Lines by which npm or make repeat that a command failed, or that show the code that threw. */
const others = /^(?:npm (?:error|ERR!)|make(?:\[\d+\])?: \*\*\*)|\b(?:Command failed|ELIFECYCLE|throw new)\b/;

/** Lines of a stack, of counts and of a printed object, which say no more. */
const noise = /^\s*(?:at |ℹ |code: |errno: |requireStack: |[})\]])/;

function isError(line: string): boolean {
  return says(line, error) && !others.test(line);
}

/** The first such line with those after it, up to a stack, at most so many; null: no line is one. */
function firstOf(lines: readonly string[], is: (line: string) => boolean, atMost = 2): readonly string[] | null {
  const at = lines.findIndex(is);
  if (at === -1) return null;
  const end = lines.findIndex((line, index) => index > at && noise.test(line));
  return lines.slice(at, Math.min(at + atMost, end === -1 ? Infinity : end)).map((line) => line.slice(0, longestLine));
}

function linesOf(text: string): readonly string[] {
  return withoutColours(text)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

const longestLine = 400;

/** Returns whether a line says what `words` finds, and does not only show it, as a test's name does. */
export function says(line: string, words: RegExp): boolean {
  const at = line.search(words);
  return at !== -1 && !marks.test(line) && !shows.test(line.slice(0, at));
}

/** Results of tests, differences, lines of a source, comments. */
const marks = /^\s*(?:[✔✓√✖✕×●+-]\s|>?\s*\d+ \||(?:not )?ok \d|PASS\b|\/\/)/;

const shows =
  /(?<![\w/.-])(?:expected|expects?|received|actual|should|assert\w*|AssertionError|warn|warning|debug|deprecated)(?![\w/.-])|["'`]$/i;

/** Finds the unpassed variables that a program names; of a home its tool is enough: `rustup` for RUSTUP_HOME. */
export function variablesNamed(said: string, unpassed: readonly string[]): readonly string[] {
  const words = new Set(said.split(/[^A-Za-z0-9_]+/));
  const isNamed = (name: string): boolean =>
    words.has(name) || (name.endsWith('_HOME') && words.has(name.split('_', 1)[0]?.toLowerCase() ?? ''));
  // A name of one word may mean something else.
  return unpassed.filter((name) => name.includes('_') && isNamed(name)).slice(0, mostNames);
}

const mostNames = 10;
