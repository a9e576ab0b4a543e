import type { FindingCode } from '../../../src/contracts/vocabulary/codes/findings';

/** Bytes that are no acceptable JSON text, the finding they cause and where. */
export interface TextCase {
  readonly name: string;
  readonly content: () => string | Uint8Array;
  readonly code: FindingCode;
  readonly line?: number;
  readonly column?: number;
  readonly pointer?: string;
  readonly says?: RegExp;
}

const bytes = (...parts: (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from([part]))));

export const textCases: readonly TextCase[] = [
  { name: 'nothing', content: () => '', code: 'JSON_SYNTAX', line: 1, column: 1, says: /empty/ },
  {
    name: 'only a byte-order mark',
    content: () => bytes(0xef, 0xbb, 0xbf),
    code: 'JSON_SYNTAX',
    line: 1,
    column: 1,
    says: /empty/,
  },
  { name: 'a word', content: () => 'APPROVED', code: 'JSON_SYNTAX', line: 1, column: 1, says: /double quotes/ },
  {
    name: 'a comma too many',
    content: () => '{\n  "a": 1,\n}',
    code: 'JSON_SYNTAX',
    line: 3,
    column: 1,
    says: /comma/,
  },
  {
    name: 'a comma missing',
    content: () => '{\r\n  "a": 1\r\n  "b": 2\r\n}',
    code: 'JSON_SYNTAX',
    line: 3,
    column: 3,
    says: /comma must stand between/,
  },
  {
    name: 'a value missing',
    content: () => '{"a": }',
    code: 'JSON_SYNTAX',
    line: 1,
    column: 7,
    says: /value must stand here/,
  },
  {
    name: 'a file that was cut off behind a comma',
    content: () => '{"a": 1,\n',
    code: 'JSON_SYNTAX',
    says: /^The file ends here, in the middle of its JSON; write the rest, or bring it back\.$/,
  },
  {
    name: 'a number with a zero before it',
    content: () => '{"a": [1, 01]}',
    code: 'JSON_SYNTAX',
    line: 1,
    column: 12,
    says: /^A number must not begin with 0; write it like 1, -1 or 0\.5\.$/,
  },
  { name: 'a colon missing', content: () => '{"a" 1}', code: 'JSON_SYNTAX', line: 1, column: 6, says: /colon/ },
  { name: 'a key without quotes', content: () => '{a: 1}', code: 'JSON_SYNTAX', line: 1, column: 2 },
  {
    name: 'an object that is not closed',
    content: () => '{"a": {"b": 1}',
    code: 'JSON_SYNTAX',
    line: 1,
    says: /missing \}/,
  },
  {
    name: 'a text that is not closed',
    content: () => '{"a": "b\n}',
    code: 'JSON_SYNTAX',
    line: 1,
    column: 7,
    says: /closing quote/,
  },
  {
    name: 'a comment',
    content: () => '{\n  // no\n  "a": 1\n}',
    code: 'JSON_SYNTAX',
    line: 2,
    column: 3,
    says: /comments/,
  },
  {
    name: 'the conflict markers of a merge',
    content: () => '{\n<<<<<<< HEAD\n  "a": 1\n=======\n  "a": 2\n>>>>>>> other\n}',
    code: 'JSON_SYNTAX',
    line: 2,
    column: 1,
    says: /conflict markers of a merge \(<<<<<<<\)/,
  },
  {
    name: 'a fence of Markdown',
    content: () => 'The plan:\n```json\n{"a": 1}\n```\n',
    code: 'JSON_SYNTAX',
    line: 2,
    column: 1,
    says: /fence of Markdown \(```\)/,
  },
  {
    name: 'curly quotes',
    content: () => '{\n  \u201ca\u201d: 1}',
    code: 'JSON_SYNTAX',
    line: 2,
    column: 3,
    says: /does not know the curly quote \u201c;/,
  },
  {
    name: 'a text that a curly quote closes',
    content: () => '{"a": "b\u201d,\n"c": 1}',
    code: 'JSON_SYNTAX',
    line: 1,
    says: /does not know the curly quote \u201d;/,
  },
  {
    name: 'a text with curly quotes inside that is not closed',
    content: () => '{"a": "say \u201cb\u201d to c\n}',
    code: 'JSON_SYNTAX',
    line: 1,
    says: /closing quote, and write a line break as a backslash and n/,
  },
  ...['\u00a0', '\u3000', '\ufeff', '\u200b', '\u0001'].map((character): TextCase => {
    const name = `the invisible character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const content = (): string => `{ ${character}"a": 1}`;
    return { name, content, code: 'JSON_SYNTAX', line: 1, column: 3, says: new RegExp(name.replace('+', '\\+')) };
  }),
  { name: 'single quotes', content: () => "{'a': 1}", code: 'JSON_SYNTAX', line: 1, column: 2 },
  { name: 'two documents', content: () => '{}\n{}', code: 'JSON_SYNTAX', line: 2, column: 1, says: /ends before/ },
  {
    name: 'a raw control character',
    content: () => '{"a": "x\u0001y"}',
    code: 'JSON_SYNTAX',
    line: 1,
    says: /control character/,
  },
  { name: 'a raw NUL', content: () => '{"a": \u0000}', code: 'JSON_SYNTAX', line: 1, column: 7 },
  {
    name: 'an escape that does not exist',
    content: () => '{"a": "\\x"}',
    code: 'JSON_SYNTAX',
    line: 1,
    says: /write a backslash twice, .* as \\u and four digits/,
  },
  { name: 'a number that starts with zero', content: () => '{"a": 01}', code: 'JSON_SYNTAX', line: 1 },
  {
    name: 'a quote that hides a hundred thousand brackets',
    content: () => `"\n${'['.repeat(100_000)}`,
    code: 'JSON_SYNTAX',
  },
  { name: 'depth 65', content: () => `${'['.repeat(65)}${']'.repeat(65)}`, code: 'JSON_TOO_DEEP', line: 1, column: 65 },
  {
    name: 'depth 65 of objects on lines',
    content: () => `${'{"a":\n'.repeat(65)}1${'}'.repeat(65)}`,
    code: 'JSON_TOO_DEEP',
    line: 65,
    column: 1,
  },
  {
    name: 'depth 65 behind a mark and wide characters',
    content: () => `\ufeff${'["é😀",'.repeat(65)}`,
    code: 'JSON_TOO_DEEP',
    line: 1,
    column: 64 * 7 + 1,
  },
  { name: 'depth 100,000', content: () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`, code: 'JSON_TOO_DEEP' },
  { name: 'depth 200,000, not closed', content: () => '{"a":'.repeat(200_000), code: 'JSON_TOO_DEEP' },
  { name: '1 MB and a byte', content: () => Buffer.alloc((1 << 20) + 1, ' '), code: 'FILE_TOO_LARGE' },
  { name: 'too many values', content: () => `[${'1,'.repeat(300_000)}1]`, code: 'JSON_TOO_MANY_VALUES', line: 1 },
  {
    name: 'a key twice',
    content: () => '{"a": 1,\n "b": {"c": 1, "c": 2}}',
    code: 'JSON_DUPLICATE_KEY',
    line: 2,
    column: 16,
    pointer: '/b/c',
  },
  {
    name: 'a key twice, written differently',
    content: () => '{"ab": 1, "\\u0061b": 2}',
    code: 'JSON_DUPLICATE_KEY',
    line: 1,
    column: 11,
    pointer: '/ab',
  },
  {
    name: 'a key twice in an entry of a list',
    content: () => '[[], {"a~/": 1, "a~/": 2}]',
    code: 'JSON_DUPLICATE_KEY',
    line: 1,
    pointer: '/1/a~0~1',
  },
  {
    name: '__proto__',
    content: () => '{"a": {"__proto__": {"status": "APPROVED"}}}',
    code: 'JSON_FORBIDDEN_KEY',
    line: 1,
    column: 8,
    pointer: '/a/__proto__',
  },
  {
    name: '__proto__ by escape',
    content: () => '{"__pr\\u006fto__": 1}',
    code: 'JSON_FORBIDDEN_KEY',
    line: 1,
    pointer: '/__proto__',
  },
  { name: 'constructor', content: () => '{"constructor": 1}', code: 'JSON_FORBIDDEN_KEY', pointer: '/constructor' },
  { name: 'prototype', content: () => '[{"prototype": 1}]', code: 'JSON_FORBIDDEN_KEY', pointer: '/0/prototype' },
  {
    name: 'half a surrogate pair',
    content: () => '{"a": ["x", "\\ud800y"]}',
    code: 'JSON_STRING_INVALID',
    line: 1,
    column: 13,
    pointer: '/a/1',
  },
  {
    name: 'half a surrogate pair in a key',
    content: () => '{"\\uDC00": 1}',
    code: 'JSON_STRING_INVALID',
    line: 1,
    column: 2,
  },
  {
    name: 'an escaped NUL',
    content: () => '{"a": "x\\u0000"}',
    code: 'JSON_STRING_INVALID',
    pointer: '/a',
    says: /NUL/,
  },
  { name: 'a number beyond all', content: () => '{"a": 1e999}', code: 'JSON_NUMBER_INVALID', pointer: '/a', column: 7 },
  { name: 'a broken byte', content: () => bytes('{"a":\n "é', 0xff, '"}'), code: 'TEXT_NOT_UTF8', line: 2, column: 4 },
  {
    name: 'a broken byte after a byte-order mark',
    content: () => bytes(0xef, 0xbb, 0xbf, '{"a": "', 0xc3, '"}'),
    code: 'TEXT_NOT_UTF8',
    line: 1,
    column: 8,
  },
  {
    name: 'half a surrogate as bytes',
    content: () => bytes('{"a": "', 0xed, 0xa0, 0x80, '"}'),
    code: 'TEXT_NOT_UTF8',
    line: 1,
    column: 8,
  },
  { name: 'UTF-16', content: () => Buffer.from('\ufeff{"a": 1}', 'utf16le'), code: 'TEXT_NOT_UTF8', says: /UTF-16/ },
];

/** Findings about files, each made by the test of the same name in planFiles.test.ts. */
export const fileCodes = [
  'FILE_NOT_FOUND',
  'FILE_UNREADABLE',
  'FILE_NOT_REGULAR',
] as const satisfies readonly FindingCode[];
