import { createScanner, parse, printParseErrorCode } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import type { Finding } from '../../core/documents/finding';

/** Says where and why a text is not JSON. Called only after `JSON.parse` failed. */
export function syntaxFinding(text: string, maxDepth: number): Finding {
  if (text.trim() === '') return finding(text, 0, 0, 'The file is empty; start from `mission plan new` or an example.');
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
  const first = errors.reduce<ParseError | null>(
    (best, error) => (best === null || error.offset < best.offset ? error : best),
    null,
  );
  return first === null ? null : { kind: printParseErrorCode(first.error), offset: first.offset, length: first.length };
}

function sentenceFor(kind: SyntaxError['kind'], text: string, offset: number): string {
  const found =
    offset >= text.length
      ? 'the end of the file'
      : JSON.stringify(text.slice(offset, offset + 12).split(/\s/)[0] ?? '');
  switch (kind) {
    case 'PropertyNameExpected':
      return `A key in double quotes must stand here, not ${found}; remove the comma before it, or quote the key.`;
    case 'ValueExpected':
      return `A value must stand here, not ${found}; remove the comma before it, or write the value.`;
    case 'ColonExpected':
      return 'A colon must stand between key and value; add it.';
    case 'CommaExpected':
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
      return 'The text is not closed on its line; add the closing quote, and write line breaks as \\n.';
    case 'UnexpectedEndOfNumber':
    case 'InvalidNumberFormat':
      return 'This number is not complete; write it like 1, -1 or 0.5.';
    case 'InvalidUnicode':
    case 'InvalidEscapeCharacter':
      return 'This escape is not known in JSON; write a backslash as \\\\ and characters by number as \\u and four digits.';
    case 'InvalidCharacter':
      return 'A control character must not stand in a text; write it as an escape such as \\t or \\n.';
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
