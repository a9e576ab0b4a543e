import type { SandboxMeans } from '../contracts/vocabulary/confinement';
import { isQuotedAt } from './quotedError';
import { readOnlyNumbers, readOnlySentences } from './readOnlyWords';

/** A write that a sandbox did not let a program make; `path` as the program wrote it, null: it named none. */
export interface RefusedWrite {
  readonly path: string | null;
}

/**
 * Finds the refused write that a line of standard error reports. Its file is known where the line
 * names it in a usual form. A line with only the code of a printed error does not count, because
 * another line says more; nor does one that only quotes an error.
 */
export function refusedWrite(line: string, means: SandboxMeans): RefusedWrite | null {
  return isRefusal(line, means) && !onlyCode.test(line) && !isQuote(line, means) ? { path: pathIn(line) } : null;
}

/**
 * Finds the first refused write of a whole output whose file is named. Looks also in the lines
 * around, because Rust and Node name it there.
 */
export function firstRefusedWrite(text: string, means: SandboxMeans): RefusedWrite | null {
  const lines = text.split('\n');
  const found = lines.flatMap((line, index) => (isRefusal(line, means) ? [index] : []));
  if (found.length === 0) return null;
  const first = (all: readonly (string | null)[]): string | undefined => all.find((path) => path !== null) ?? undefined;
  const named = first(found.map((index) => pathIn(lines[index] ?? '')));
  const after = found.flatMap((index) => lines.slice(index + 1, index + 4));
  const before = found.flatMap((index) => lines.slice(Math.max(0, index - 3), index).reverse());
  const around = (): string | null => first(after.map(pathOfObject)) ?? first(before.map(pathAround)) ?? null;
  return { path: named ?? around() };
}

/**
 * Finds the file of the first line that is a program's own error about a read-only place. Null: no
 * line is. Other lines are not certain, because a text may quote an error.
 */
export function ownRefusedPath(text: string): string | null {
  for (const line of text.split('\n')) {
    const isOwn = ownForms.test(line.trimEnd()) && !isQuote(line, 'bubblewrap') && !warns.test(line);
    const path = isOwn && !/^\s*\{/.test(line) ? pathIn(line) : null;
    if (path !== null) return path;
  }
  return null;
}

const warns = /(?<![\w/.-])(?:warn|warning|debug|deprecated)(?![\w/.-])/i;

function isQuote(line: string, means: SandboxMeans): boolean {
  const { numbers, sentences } = words[means];
  const found = [line.search(numbers), line.search(sentences)].filter((index) => index !== -1);
  return isQuotedAt(line, Math.min(...found));
}

/** How an error about a read-only place ends its line: of Node, of the system, of Python, zsh and Ruby. */
const ownForms = new RegExp(
  `(?:^\\s*|[:([]\\s*|\\] |- |\\brofs )(?:${[
    `EROFS: [^,'"]{1,80}, \\w+ (?:'[^']+' -> )?'[^']+'[\\])}.]*(?: \\{)?`,
    ...['(?: \\(os error 30\\))?[).]*', ` @ \\w+ - .+`, ` (?:at|in) \\S+ (?:on )?line \\d+\\.?`].map(
      (end) => `(?:${readOnlySentences})${end}`,
    ),
    `(?:${readOnlySentences}): (?:[^\\s'"]+|(?:'[^']+' -> )?'[^']+')[)\\].]*`,
  ].join('|')})$`,
  'iu',
);

interface Words {
  readonly numbers: RegExp;
  readonly sentences: RegExp;
  /** A sentence at the end of its line, or the file after it, as systems and languages print it. */
  readonly ends: RegExp;
  /** How Java and zsh name the file. */
  readonly named: readonly RegExp[];
}

function wordsOf(numbers: string, sentences: string): Words {
  const all = `(?:${sentences})`;
  const closed = '["\'`’”»“」.。)\\]},\\s]*(?:(?:at|in) \\S+ (?:on )?line \\d+\\.?)?';
  return {
    numbers: new RegExp(numbers, 'iu'),
    sentences: new RegExp(all, 'iu'),
    ends: new RegExp(`(?:^|[:(：]\\s*|["'‘„“«「]\\s?)${all}${closed}$`, 'iu'),
    named: [
      // Java: F (Read-only file system)
      new RegExp(`(?<path>[^\\s:()]+) \\(${all}\\)`, 'giu'),
      // zsh: read-only file system: F
      new RegExp(`(?<![\\p{L}\\d])${all}: (?<path>[^\\s:]+)$`, 'giu'),
    ],
  };
}

/** Seatbelt's word means other things as well. */
const words: { readonly [M in SandboxMeans]: Words } = {
  bubblewrap: wordsOf(readOnlyNumbers, readOnlySentences),
  seatbelt: wordsOf('\\bEPERM\\b|\\berrno[ =:]*1\\b|\\bos error 1\\b', 'operation not permitted'),
};

/** A sentence counts where it ends its line, as a system's does, or where the line names a file. */
function isRefusal(line: string, means: SandboxMeans): boolean {
  const { numbers, sentences, ends } = words[means];
  if (numbers.test(line)) return true;
  return sentences.test(line) && (ends.test(line.trimEnd()) || pathIn(line) !== null);
}

/** `  code: 'EROFS',` below a message of Node, `npm error code EROFS`. */
const onlyCode = /^\s*(?:npm (?:error|ERR!) )?\[?['"]?(?:code|errno)['"]?\]?[:=]?\s+['"]?[-\w]+['"]?,?\s*\}?$/;

/** How an error of Node names its file, also as an object or as JSON; of two files the second one was to be made. */
const ofNode: readonly RegExp[] = [
  /\bE[A-Z]{3,}: [^,'"]{1,80}, \w+ (?:'[^']+' -> )?'(?<path>[^']+)'/g,
  /\bdest['"]?: ?(?<quote>['"])(?<path>.+?)\k<quote>/g,
  /\bpath['"]?: ?(?<quote>['"])(?<path>.+?)\k<quote>/g,
];

const absolute = /(?<![\w.~-])(?<path>\/[^\s:'"`()]+)/g;

/** A name in quotes: how one opens, what stands in it, how it closes; no apostrophe opens one. */
const opens = '(?<![A-Za-zÀ-ÿ\\d])[\'"`‘„“«»「]';
const quoted = '[^\'"`’“”«»」]+';
const closes = '[\'"`’“”«»」]';

/** How programs name two files. The path is the one that was to be made, wherever it stands in the line. */
const ofTwo: readonly RegExp[] = [
  // PHP: rename(A,F): …; copy(F): Failed to open stream: … names one file, even with a comma in it
  /\b(?:rename|symlink|link|copy)\([^(),]+,(?<path>[^\s(),][^(),]*)\): (?!Failed to open stream)/gi,
  // Ruby: Read-only file system @ rb_file_s_rename - (A, F) (Errno::EROFS)
  / @ \w+ - \(.+, (?<path>.+?)\)(?: \(Errno::\w+\))?$/g,
  // cp: cannot create hard link 'F' to 'A': …; rsync: symlink "F" -> "A" failed: …
  new RegExp(
    `(?:\\bcreat\\w+ (?:a )?(?:hard |soft |symbolic |sym)?link|^rsync: .*\\bsymlink) ${opens}(?<path>${quoted})${closes} (?:->|=>|to) `,
    'g',
  ),
  // tar: F: Cannot hard link to 'A': …
  /^\S*tar: (?<path>.+?): Cannot (?:hard link|create symlink) to /g,
  // mv in each language: … 'A' … 'F' …: …
  new RegExp(`^\\S*mv: .*${opens}(?<path>${quoted})${closes}`, 'g'),
  // failed to copy `A` to `F`; Python: [Errno 30] …: 'A' -> 'F'
  new RegExp(`${opens}${quoted}${closes} (?:->|to|into) ${opens}(?<path>${quoted})${closes}`, 'g'),
  // failed to copy file from A to F: …
  /\bfrom [^\s:]+ to (?<path>[^\s:]+)(?=:|$)/g,
  // mv of macOS: rename A to F: …
  /\bmv: rename [^\s:]+ to (?<path>[^\s:]+):/g,
  // rename A -> F: …; Java: A -> F: …
  /(?:^|\s)[^\s:]+ -> (?<path>[^\s:]+)(?=:|$)/g,
  // Go: rename A F: …
  /(?:^|: )(?:rename|link|symlink) [^\s:]+ (?<path>[^\s:]*[/.][^\s:]*): [^:]+$/g,
];

/** How other programs name it, the surest first. */
const ofOthers: readonly RegExp[] = [
  ...ofTwo,
  // Ruby: Read-only file system @ rb_sysopen - F (Errno::EROFS)
  / @ \w+ - (?<path>.+?)(?: \(Errno::\w+\))?$/g,
  // touch: cannot touch 'F': …; [Errno 30] …: 'F'
  new RegExp(`${opens}(?<path>${quoted})${closes}`, 'g'),
  // PHP: file_put_contents(F): Failed to open stream: …
  /\b\w+\((?<path>[^\s()]+)\): /g,
  // sh: cannot create F: …; open F: …
  /\b(?:cannot create|open|mkdir|unlink|rename|create|remove|write) (?<path>[^\s:]+):/g,
  // Java; zsh
  ...words.bubblewrap.named,
  ...words.seatbelt.named,
  absolute,
  // bash: F: …; bash: line 1: F: …
  /: (?:\S+ \d+: )?(?<path>[^\s:]+): [^:]+$/g,
  // sed: couldn't open temporary file A/F: …
  /(?<path>[^\s:]*\/[^\s:]+): [^:]+$/g,
];

function pathIn(line: string): string | null {
  return pathOfObject(line) ?? (/^\s*\{/.test(line) ? null : pathBy(ofOthers, line));
}

/** The file in a line that prints an error of Node, or a field of one. */
function pathOfObject(line: string): string | null {
  return pathBy(ofNode, line);
}

/** The file in a line around: of two the one that was to be made, else one by its whole path. */
function pathAround(line: string): string | null {
  const made = pathBy(ofTwo, line);
  // Without a slash it may be a word of code, such as a type after an arrow.
  return made?.includes('/') === true ? made : pathBy([absolute], line);
}

function pathBy(forms: readonly RegExp[], line: string): string | null {
  const all = forms.flatMap((form) => [...line.matchAll(form)].flatMap(({ groups }) => groups?.['path'] ?? []));
  return all.find((path) => !isError.test(path)) ?? null;
}

/** The name of an error, or the system's sentence, where a file could stand. */
const isError = new RegExp(
  `^(?:E[A-Z]{3,}|[\\w.]*(?:Error|Exception))$|${words.bubblewrap.sentences.source}|${words.seatbelt.sentences.source}`,
  'iu',
);
