import { carriedAs, contractCodes, type ContractCode } from '../../contracts/vocabulary/codes/codes';
import type { Finding } from './finding';
import { pointerTokens } from '../../base/jsonPointer';

/** Answer of every validator of Fresh Context: exactly one primary code, and all findings. */
export interface Verdict {
  readonly allow: boolean;
  readonly code: ContractCode | 'OK';
  /** The primary finding in words. */
  readonly reason: string;
  readonly details: { readonly findings: readonly Finding[] };
}

/** A parsed document and the schema's findings about its shape; null when the schema is not available. */
export interface ShapedDocument {
  readonly value: unknown;
  readonly shape: readonly Finding[] | null;
}

/** The primary code is that of the first error in document order; without an error the document is allowed. */
export function verdictOf(value: unknown, findings: readonly Finding[]): Verdict {
  const ordered = inDocumentOrder(value, findings);
  const primary = ordered.find(({ severity }) => severity === 'error');
  return primary === undefined
    ? { allow: true, code: 'OK', reason: 'Valid.', details: { findings: ordered } }
    : { allow: false, code: contractCode(primary.code), reason: primary.message, details: { findings: ordered } };
}

/** The code of the contract for a code of ours. What a rule finds in a document, and no table lists, is its form. */
export function contractCode(code: string): ContractCode {
  const own = contractCodes.find((one) => one === code);
  if (own !== undefined) return own;
  return Object.hasOwn(carriedAs, code) ? carriedAs[code as keyof typeof carriedAs] : 'SCHEMA_INVALID';
}

/** Sorts findings by their place in the document, stably; a missing value counts as its nearest parent. */
export function inDocumentOrder(value: unknown, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  const keyPlaces = new Map<object, ReadonlyMap<string, number>>();
  const placed = findings.map((finding) => ({ finding, place: placeOf(value, finding.pointer, keyPlaces) }));
  return placed.sort((left, right) => compare(left.place, right.place)).map(({ finding }) => finding);
}

/** The index of the key at each level of the pointer. */
function placeOf(
  value: unknown,
  pointer: string,
  keyPlaces: Map<object, ReadonlyMap<string, number>>,
): readonly number[] {
  const place: number[] = [];
  let at = value;
  for (const key of pointerTokens(pointer)) {
    if (typeof at !== 'object' || at === null) break;
    let keys = keyPlaces.get(at);
    if (keys === undefined) {
      keys = new Map(Object.keys(at).map((key, index) => [key, index]));
      keyPlaces.set(at, keys);
    }
    const index = keys.get(key);
    if (index === undefined) break;
    place.push(index);
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return place;
}

/** Parents come before their members. */
function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
