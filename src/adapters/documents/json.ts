import { isAscii } from 'node:buffer';
import { sha256Of } from '../files/sha256';
import type { Finding } from '../../core/documents/finding';
import { canonicalText } from '../../base/canonicalText';
import { isForbiddenKey, locateFindings, oddities } from './positions';
import { scanJson } from './scan';
import { placeOf, syntaxFinding } from './syntax';
import { otherFormDigests } from '../files/lineEnds';

export const jsonLimits = { bytes: 10 * 1024 * 1024, depth: 64, values: 250_000 } as const;

/** A JSON document as bytes, text and value; bad input is findings, never an exception. */
export interface JsonText {
  readonly bytes: Uint8Array;
  /** Upper-case SHA-256 of the bytes. Computed when asked for. */
  readonly sha256: string;
  /** Upper-case SHA-256 over the canonical content; null without a value. Computed when asked for. */
  readonly canonical_sha256: string | null;
  /** SHA-256 of the bytes with other line ends or byte-order mark. Computed when asked for. */
  readonly other_forms: readonly string[];
  /** Without byte-order mark; null when the bytes are no UTF-8. */
  readonly text: string | null;
  /** Undefined when the text is no JSON or beyond a limit. With duplicate keys the last one counts. */
  readonly value: unknown;
  readonly findings: readonly Finding[];
  locate(findings: readonly Finding[]): readonly Finding[];
}

/** Size, byte-order mark, encoding, depth, syntax, keys: in this order. Source: decisions.md section 11. */
export function parseJsonText(bytes: Uint8Array): JsonText {
  return new LazyJsonText(bytes, null);
}

/** What another thread found out about the very same bytes. */
export interface KnownJson {
  readonly sha256: string;
  readonly has_value: boolean;
  readonly findings: readonly Finding[];
}

/** The same for bytes that were read and judged elsewhere: only the value is still to be made, if somebody asks. */
export function knownJsonText(bytes: Uint8Array, known: KnownJson): JsonText {
  return new LazyJsonText(bytes, known);
}

/**
 * A class, for its getters: each object literal with getters makes a shape of its own, which lives in the old generation
 * and keeps the whole document until the next full collection.
 */
class LazyJsonText implements JsonText {
  // Whoever only compares digests, before every task, does not pay for more; an editor does not pay for digests.
  #sha256: string | undefined;
  #reading: Reading | undefined;
  #canonical: string | null | undefined;

  constructor(
    readonly bytes: Uint8Array,
    private readonly known: KnownJson | null,
  ) {}

  get sha256(): string {
    return (this.#sha256 ??= this.known === null ? sha256Of(this.bytes) : this.known.sha256);
  }

  get canonical_sha256(): string | null {
    const { value } = this.#read();
    this.#canonical ??= value === undefined ? null : sha256Of(canonicalText(value));
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
    return this.known === null ? this.#read().findings : this.known.findings;
  }

  locate(wanted: readonly Finding[]): readonly Finding[] {
    const { text, value } = this.#read();
    return text === null || value === undefined ? wanted : locateFindings(text, wanted);
  }

  #read(): Reading {
    return (this.#reading ??= this.known === null ? read(this.bytes) : readKnown(this.bytes, this.known));
  }
}

interface Reading {
  readonly text: string | null;
  readonly value: unknown;
  readonly findings: readonly Finding[];
}

function readKnown(bytes: Uint8Array, { has_value, findings }: KnownJson): Reading {
  const { text } = decode(bytes);
  return { text, value: has_value ? JSON.parse(text) : undefined, findings };
}

function read(bytes: Uint8Array): Reading {
  if (bytes.byteLength > jsonLimits.bytes) {
    return failure(
      null,
      'FILE_TOO_LARGE',
      0,
      'The text is larger than 10 MB; nothing of this size is read. Split it or move long texts out of it.',
    );
  }
  const { text, invalidAt, encoding } = decode(bytes);
  if (invalidAt !== null) {
    return failure(
      text,
      'TEXT_NOT_UTF8',
      invalidAt,
      `These bytes are not UTF-8${encoding}; save the file with the encoding UTF-8.`,
      null,
    );
  }
  const scan = scanJson(bytes, jsonLimits.depth);
  if (scan.tooDeepAt !== null) {
    return failure(
      text,
      'JSON_TOO_DEEP',
      decode(bytes.subarray(0, scan.tooDeepAt)).text.length,
      `Objects and lists are nested more than ${jsonLimits.depth} levels deep here; make the document flatter.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { text, value: undefined, findings: [syntaxFinding(text, jsonLimits.depth)] };
  }
  if (scan.values > jsonLimits.values) {
    return failure(text, 'JSON_TOO_MANY_VALUES', 0, 'The document holds more than 250,000 values; split it.');
  }
  // A closer look only when it will find something: duplicates leave fewer members than the text has.
  const looked = look(value, text.includes('\\u') && /\\u(?:0000|[dD][89a-fA-F])/.test(text));
  const odd = looked.odd || looked.members !== scan.members;
  return { text, value, findings: odd ? oddities(text) : [] };
}

/** Counts members and notices what `oddities` reports. The depth is bounded by now. */
function look(root: unknown, strings: boolean): { readonly members: number; readonly odd: boolean } {
  let members = 0;
  let odd = false;
  const visit = (value: unknown): void => {
    switch (typeof value) {
      case 'string':
        if (strings && isOddString(value)) odd = true;
        break;
      case 'number':
        if (!Number.isFinite(value)) odd = true;
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
    // Nothing is inherited but what hides from this loop; a wrong count would only mean a closer look.
    for (const key in container) {
      members++;
      if (isForbiddenKey(key) || (strings && isOddString(key))) odd = true;
      visit((container as Readonly<Record<string, unknown>>)[key]);
    }
  };
  visit(root);
  return { members, odd };
}

function isOddString(text: string): boolean {
  return text.includes('\u0000') || /\p{Surrogate}/u.test(text);
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const lenient = new TextDecoder('utf-8', { ignoreBOM: false });

/** Decoding removes the byte-order mark. `invalidAt` is an offset into the text. */
function decode(bytes: Uint8Array): {
  readonly text: string;
  readonly invalidAt: number | null;
  readonly encoding: string;
} {
  try {
    // One byte a character is by far the cheapest text to build and to read.
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

/** Bytes that are no UTF-8 come back changed when the leniently decoded text is encoded again. */
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
