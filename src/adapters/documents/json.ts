import type { PlanText } from '../../engine/ports/plans';
import { isAscii } from 'node:buffer';
import { sha256Of, otherFormDigests } from '../files/bytes/sha256';
import type { Finding } from '../../core/documents/finding';
import { canonicalText, pointerToken, pointerTokens } from '../../base/json';
import { tooLargeWords } from '../files/regular';
import { placeOf, syntaxFinding } from './syntax';
import { parseTree, visit, type JSONPath, type Node } from 'jsonc-parser';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';

/** A plan is judged while a person types, so it is shorter than other documents. */
export const jsonLimits = {
  bytes: 10 << 20,
  planBytes: 1 << 20,
  depth: 64,
  values: 250_000,
  planValues: 50_000,
} as const;

/** A JSON document as bytes, text and value; bad input leads to findings, never to an exception. */
export interface JsonText extends PlanText {
  readonly bytes: Uint8Array;
  /** Computed on first use. */
  readonly sha256: string;
  readonly other_forms: readonly string[];
  /** Without byte-order mark; null when the bytes are not UTF-8. */
  readonly text: string | null;
}

/** Checks size, encoding, depth, syntax, number of values and keys, in this order (decision 44). */
export function parseJsonText(bytes: Uint8Array): JsonText {
  return new LazyJsonText(bytes);
}

/** The same for a plan: its content has a digest, so no number may lose a digit. */
export function parsePlanText(bytes: Uint8Array): JsonText {
  return new LazyJsonText(bytes, true);
}

/** A class, because V8 keeps the shape of each literal with getters, and so the document, for long. */
class LazyJsonText implements JsonText {
  // Computed on first use: the check before every task compares digests only, and an editor needs no digest.
  #sha256: string | undefined;
  #reading: Reading | undefined;
  #canonical: string | null | undefined;

  constructor(
    readonly bytes: Uint8Array,
    private readonly isPlan = false,
  ) {}

  get sha256(): string {
    return (this.#sha256 ??= sha256Of(this.bytes));
  }

  get canonical_sha256(): string | null {
    if (this.#canonical === undefined) {
      const { text, value } = this.#read();
      const isWhole = text !== null && value !== undefined && unrepresentableValues(text, true).length === 0;
      this.#canonical = isWhole ? sha256Of(canonicalText(value)) : null;
    }
    return this.#canonical;
  }

  get other_forms(): readonly string[] {
    return otherFormDigests(this.bytes);
  }

  get text(): string | null {
    return this.#read().text;
  }

  get value(): unknown {
    return this.#read().value;
  }

  get findings(): readonly Finding[] {
    return this.#read().findings;
  }

  locate(wanted: readonly Finding[]): readonly Finding[] {
    const { text, value } = this.#read();
    return text === null || value === undefined ? wanted : locateFindings(text, wanted);
  }

  #read(): Reading {
    return (this.#reading ??= read(this.bytes, this.isPlan));
  }
}

interface Reading {
  readonly text: string | null;
  readonly value: unknown;
  readonly findings: readonly Finding[];
}

function read(bytes: Uint8Array, isPlan: boolean): Reading {
  const most = isPlan ? jsonLimits.planBytes : jsonLimits.bytes;
  if (bytes.byteLength > most) return failure(null, 'FILE_TOO_LARGE', 0, tooLargeWords('text', most));
  const { text, invalidAt, encoding } = decode(bytes);
  if (invalidAt !== null) {
    const reason = `These bytes are not UTF-8${encoding}; save the file with the encoding UTF-8.`;
    return failure(text, 'TEXT_NOT_UTF8', invalidAt, reason, null);
  }
  const scan = scanJson(bytes, jsonLimits.depth);
  if (scan.tooDeepAt !== null) {
    const reason = `Objects and lists are nested more than ${jsonLimits.depth} levels deep here; make the document flatter.`;
    return failure(text, 'JSON_TOO_DEEP', decode(bytes.subarray(0, scan.tooDeepAt)).text.length, reason);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { text, value: undefined, findings: [syntaxFinding(text, jsonLimits.depth)] };
  }
  const mostValues = isPlan ? jsonLimits.planValues : jsonLimits.values;
  if (scan.values > mostValues) {
    const reason = `The document holds more than ${mostValues} values; split it.`;
    return failure(text, 'JSON_TOO_MANY_VALUES', 0, reason);
  }
  // The slow search runs only if it finds something: parsed duplicates leave fewer members than the text has.
  const looked = look(value, text.includes('\\u') && /\\u(?:0000|[dD][89a-fA-F])/.test(text));
  const suspect = looked.suspect || looked.members !== scan.members;
  return {
    text,
    value,
    findings: suspect || (isPlan && longNumber.test(text)) ? unrepresentableValues(text, isPlan) : [],
  };
}

/** What every number that loses a digit looks like; 15 digits never do. */
const longNumber = /(?:^|[\s:,[])(?:-0|-?(?:[\d.]{16}|[\d.]+[eE]))/;

/** Counts members, and detects what `unrepresentableValues` reports. The depth was checked before. */
function look(root: unknown, strings: boolean): { readonly members: number; readonly suspect: boolean } {
  let members = 0;
  let suspect = false;
  const visit = (value: unknown): void => {
    switch (typeof value) {
      case 'string':
        if (strings && isUnrepresentableString(value)) suspect = true;
        break;
      case 'number':
        if (!Number.isFinite(value)) suspect = true;
        break;
      case 'object':
        if (value !== null) visitAll(value);
        break;
      default:
    }
  };
  const visitAll = (container: object): void => {
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index++) visit(container[index]);
      return;
    }
    // Parsed objects inherit nothing enumerable; a wrong count would only cause the slow search.
    for (const key in container) {
      members++;
      if (isForbiddenKey(key) || (strings && isUnrepresentableString(key))) suspect = true;
      visit((container as Readonly<Record<string, unknown>>)[key]);
    }
  };
  visit(root);
  return { members, suspect };
}

function isUnrepresentableString(text: string): boolean {
  return text.includes('\u0000') || /\p{Surrogate}/u.test(text);
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const lenient = new TextDecoder('utf-8', { ignoreBOM: false });

/** Removes the byte-order mark. `invalidAt` is an offset into the text. */
function decode(bytes: Uint8Array): {
  readonly text: string;
  readonly invalidAt: number | null;
  readonly encoding: string;
} {
  try {
    // A Latin-1 string is the fastest to build and to read.
    if (isAscii(bytes))
      return {
        text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
        invalidAt: null,
        encoding: '',
      };
    return { text: strict.decode(bytes), invalidAt: null, encoding: '' };
  } catch {
    const [first, second] = bytes;
    const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
    const text = lenient.decode(bytes);
    return { text, invalidAt: firstInvalid(bytes, text), encoding: utf16 ? ' but UTF-16' : '' };
  }
}

/** The first byte that is not UTF-8: there the leniently decoded text differs once it is encoded again. */
function firstInvalid(bytes: Uint8Array, text: string): number {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const again = new TextEncoder().encode(text);
  let at = 0;
  while (at < again.length && again[at] === bytes[start + at]) at++;
  return lenient.decode(again.subarray(0, at)).replace(/\ufffd+$/, '').length;
}

function failure(text: string | null, code: Finding['code'], offset: number, message: string, kept = text): Reading {
  const place = text === null ? {} : { ...placeOf(text, offset), offset, length: 1 };
  return { text: kept, value: undefined, findings: [{ code, severity: 'error', pointer: '', message, ...place }] };
}

/** Counts from one pass over a JSON text, which builds no value. */
interface JsonScan {
  /** Offset in bytes of the bracket that exceeds the depth limit, or null. */
  readonly tooDeepAt: number | null;
  /** Colons outside strings: the members of all objects, duplicates counted. Exact when the text is JSON. */
  readonly members: number;
  /** At least the number of values in the text. */
  readonly values: number;
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Scans UTF-8 and skips strings, fast enough to run before every parse. Works on bytes, because reading characters is
 * slower and no byte of a longer character equals one of JSON's own. On text that is not JSON it ends too, with
 * meaningless numbers.
 */
function scanJson(bytes: Uint8Array, maxDepth: number): JsonScan {
  let depth = 0;
  let members = 0;
  let values = 1;
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    const code = bytes[at] as number;
    // Most bytes outside strings are indentation.
    if (code <= 0x20) continue;
    switch (code) {
      case quote:
        for (at++; at < length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
        break;
      case 0x5b:
      case 0x7b:
        depth++;
        values++;
        if (depth > maxDepth) return { tooDeepAt: at, members, values };
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      case 0x2c:
        values++;
        break;
      case 0x3a:
        members++;
        break;
      default:
    }
  }
  return { tooDeepAt: null, members, values };
}

/** Says whether a careless copy of an object with this key would change its prototype. */
function isForbiddenKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/**
 * Adds positions to findings that have none: a scalar itself, an object or list by its key (in a list: its bracket). A
 * pointer to nothing gets the nearest place above it. The text must be JSON of bounded depth.
 */
function locateFindings(text: string, findings: readonly Finding[]): readonly Finding[] {
  if (findings.every(({ offset }) => offset !== undefined)) return findings;
  const root = parseTree(text, undefined, { disallowComments: true });
  const lines = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length)];
  const members: Members = new Map();
  return findings.map((finding) => {
    if (finding.offset !== undefined || root === undefined) return finding;
    const { offset, length } = markOf(root, finding, members);
    const line = lines.findLastIndex((start) => start <= offset);
    return { ...finding, line: line + 1, column: offset - (lines[line] ?? 0) + 1, offset, length };
  });
}

/** The values of objects by their keys, because a search of all keys for each finding takes minutes. */
type Members = Map<Node, ReadonlyMap<unknown, Node | undefined>>;

function childOf(node: Node, token: string, members: Members): Node | undefined {
  if (node.type === 'array') return token === '' ? undefined : node.children?.[Number(token)];
  const known =
    members.get(node) ??
    new Map(node.children?.toReversed().map(({ children: [key, value] = [] }) => [key?.value, value]));
  members.set(node, known);
  return known.get(token);
}

function markOf(
  root: Node,
  { pointer, code }: Finding,
  members: Members,
): { readonly offset: number; readonly length: number } {
  let node = root;
  let complete = true;
  for (const token of pointerTokens(pointer)) {
    const child = childOf(node, token, members);
    complete = child !== undefined;
    if (child === undefined) break;
    node = child;
  }
  const isContainer = node.type === 'object' || node.type === 'array';
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  if (key && (isContainer || (complete && code === 'FIELD_UNKNOWN'))) return key;
  return { offset: node.offset, length: isContainer ? 1 : node.length };
}

/**
 * Finds duplicate keys, keys that reach a prototype, and strings and numbers that no value can hold. `exact`: also
 * numbers of which double precision loses a digit; `2.50` equals `2.5`.
 */
function unrepresentableValues(text: string, exact: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  const names: Set<string>[] = [];
  type Place = readonly [offset: number, length: number, line: number, column: number, path: () => JSONPath];
  const report = (code: FindingCode, place: Place, message: string, key?: string): void => {
    const [offset, length, line, column, path] = place;
    const tokens = [...path(), ...(key === undefined ? [] : [key])];
    const pointer = tokens.map((token) => `/${pointerToken(String(token))}`).join('');
    findings.push({ code, severity: 'error', pointer, message, line: line + 1, column: column + 1, offset, length });
  };
  visit(
    text,
    {
      onObjectBegin: () => void names.push(new Set()),
      onObjectEnd: () => void names.pop(),
      onObjectProperty: (name, ...place) => {
        const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name);
        if (names.at(-1)?.has(name) === true) {
          const message = `The key ${shown} stands twice in this object; remove one of them.`;
          report('JSON_DUPLICATE_KEY', place, message, name);
        }
        names.at(-1)?.add(name);
        if (isForbiddenKey(name)) {
          const message = `The key ${shown} could change the prototype of an object; rename it.`;
          report('JSON_FORBIDDEN_KEY', place, message, name);
        }
        const problem = stringProblem(name);
        if (problem !== null) report('JSON_STRING_INVALID', place, `This key ${problem}.`, name);
      },
      onLiteralValue: (value: unknown, ...place) => {
        const problem = typeof value === 'string' ? stringProblem(value) : null;
        if (problem !== null) report('JSON_STRING_INVALID', place, `This text ${problem}.`);
        if (typeof value !== 'number') return;
        const [offset, length] = place;
        if (!Number.isFinite(value))
          report('JSON_NUMBER_INVALID', place, 'This number is too large to be represented; write a smaller one.');
        else if (exact && !isExact(text.slice(offset, offset + length), value)) {
          const message = `This number would be read as ${JSON.stringify(value)}, so other digits would be lost; write that.`;
          report('JSON_NUMBER_INVALID', place, message);
        }
      },
    },
    { disallowComments: true },
  );
  return findings;
}

function stringProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'holds a NUL character; remove it';
  return !/\p{Surrogate}/u.test(text)
    ? null
    : 'holds half a surrogate pair, which no file can store; write the whole character';
}

/** Characters; a double never needs so many. */
const longest = 40;

function isExact(written: string, value: number): boolean {
  const read = JSON.stringify(value);
  return written === read || (written.length <= longest && decimalOf(written) === decimalOf(read));
}

/** Sign, digits without zeros at their ends, and the power of ten. */
function decimalOf(number: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number);
  if (parts === null) return number; // `null`: too large for a double
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + digits.length - short.length;
  return short === '' ? `${sign}0` : `${sign}${short}e${exponent}`;
}
