import {
  createScanner,
  parse,
  printParseErrorCode,
  type ParseError,
  parseTree,
  type Node,
  type ParseOptions,
} from 'jsonc-parser';
import { visible } from '../../base/text/marked/visible';
import type { Finding } from '../../core/documents/finding';

/** Says where and why a text is not JSON. Called only after `JSON.parse` failed. */
export function syntaxFinding(text: string, maxDepth: number): Finding {
  if (text.trim() === '') return finding(text, 0, 0, 'The file is empty; start from `mission plan new` or an example.');
  if (text.startsWith('version https://git-lfs.github.com/spec/'))
    return finding(text, 0, 7, 'This is a pointer of Git LFS and not the file; `git lfs pull` brings the file.');
  const foreign = foreignLine(text);
  if (foreign !== null) return finding(text, foreign.offset, foreign.mark.length, foreign.message);
  const error = firstError(text, maxDepth);
  if (error === null) return finding(text, 0, 1, 'This is not JSON; check it with a JSON editor.');
  return finding(
    text,
    error.offset,
    Math.max(1, Math.min(error.length, 200)),
    sentenceFor(error.kind, text, error.offset),
  );
}

interface SyntaxError {
  readonly kind: ReturnType<typeof printParseErrorCode>;
  readonly offset: number;
  readonly length: number;
}

/** Checks the depth with the scanner first, because the parser recurses at every level. */
function firstError(text: string, maxDepth: number): SyntaxError | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const first = text[offset];
    if (first === '{' || first === '[') depth++;
    if (first === '}' || first === ']') depth--;
    if (depth > maxDepth) return { kind: 'InvalidSymbol', offset, length: 1 };
  }
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors.toSorted((left, right) => left.offset - right.offset);
  return first === undefined
    ? null
    : { kind: printParseErrorCode(first.error), offset: first.offset, length: first.length };
}

/** Finds a line of a merge or of Markdown. It is never inside a string, because no string of JSON holds a line break. */
function foreignLine(
  text: string,
): { readonly offset: number; readonly mark: string; readonly message: string } | null {
  const found = /^[ \t]*(<{7}(?= )|`{3,}|~{3,})/m.exec(text);
  if (found === null) return null;
  const [whole, mark = ''] = found;
  const message = mark.startsWith('<')
    ? 'The conflict markers of a merge (<<<<<<<) stand here; keep one side, and remove the lines of the markers.'
    : `A fence of Markdown (${mark.slice(0, 3)}) stands here; remove its lines, and keep what stands between them.`;
  return { offset: found.index + whole.length - mark.length, mark, message };
}

/** Returns what stands at an offset: a word as it is written, or the name of a character that cannot be seen. */
function foundAt(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the file';
  const shown = Array.from(text.slice(offset, offset + 12));
  const unseen = shown.findIndex((character) => character === '\u3000' || visible(`${character}.`) !== `${character}.`);
  if (unseen === 0)
    return `the invisible character U+${(text.codePointAt(offset) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const seen = shown.slice(0, unseen === -1 ? undefined : unseen).join('');
  return `"${seen.split(' ', 1)[0] ?? ''}"`; // not escaped, because each place that shows a finding escapes it
}

const openingCurly = /^[\u2018-\u201f]/;
const closingCurly = /[\u201c-\u201f](?=[ \t]*[,:\]}]*[ \t]*$)/;

function sentenceFor(kind: SyntaxError['kind'], text: string, offset: number): string {
  const found = foundAt(text, offset);
  const [line = ''] = text.slice(offset, offset + 1000).split(/[\r\n]/, 1);
  const curly = (kind === 'UnexpectedEndOfString' ? closingCurly : openingCurly).exec(line)?.[0];
  if (curly !== undefined)
    return `JSON does not know the curly quote ${curly}; write the straight one (") in its place.`;
  if (offset >= text.length && /^(?:PropertyName|Value)/.test(kind))
    return 'The file ends here, in the middle of its JSON; write the rest, or bring it back.';
  switch (kind) {
    case 'PropertyNameExpected':
      return `A key in double quotes must stand here, not ${found}; remove the comma before it, or quote the key.`;
    case 'ValueExpected':
      return `A value must stand here, not ${found}; remove the comma before it, or write the value.`;
    case 'ColonExpected':
      return 'A colon must stand between key and value; add it.';
    case 'CommaExpected':
      if (/^\d/.test(line) && /[^\w.]0$/.test(text.slice(0, offset)))
        return 'A number must not begin with 0; write it like 1, -1 or 0.5.';
      return 'A comma must stand between two entries; add it.';
    case 'CloseBraceExpected':
      return 'An object is not closed; add the missing }.';
    case 'CloseBracketExpected':
      return 'A list is not closed; add the missing ].';
    case 'EndOfFileExpected':
      return `The document ends before this; remove ${found} and what follows.`;
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return 'JSON has no comments; remove it, or put it into a field whose name starts with x_.';
    case 'UnexpectedEndOfString':
      return 'The text is not closed on its line; add the closing quote, and write a line break as a backslash and n.';
    case 'UnexpectedEndOfNumber':
    case 'InvalidNumberFormat':
      return 'This number is not complete; write it like 1, -1 or 0.5.';
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
      return 'This escape is not known in JSON; write a backslash twice, and a character by its number as \\u and four digits.';
    case 'InvalidCharacter':
      return 'A control character must not stand in a text; write it as an escape, such as a backslash and t or n.';
    default:
      return `${found} is not JSON; texts stand in double quotes, other words are only true, false and null.`;
  }
}

function finding(text: string, offset: number, length: number, message: string): Finding {
  return { code: 'JSON_SYNTAX', severity: 'error', pointer: '', message, ...placeOf(text, offset), offset, length };
}

/** Line and column of an offset, from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (const match of text.slice(0, offset).matchAll(/\r\n|\n|\r/g)) {
    line++;
    start = match.index + match[0].length;
  }
  return { line, column: offset - start + 1 };
}

/** The tree of a hostile text; undefined: it is not JSON, or nested too deeply to be followed. */
export function treeOf(text: string, options?: ParseOptions): Node | undefined {
  return followed(() => parseTree(text, undefined, options)) ?? undefined;
}

/** Runs code that recurses at each level, as jsonc-parser does; null: the stack had no room for all levels. */
export function followed<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
