import { carriedAs, contractCodes, type ContractCode } from '../../contracts/vocabulary/codes/codes';
import { type Finding, collectFindings, type AddFinding } from './finding';
import { pointerTokens, isObject, quoted, textAt, type JsonObject } from '../../base/json';
import { freshContextMajor } from '../../contracts/vocabulary/freshContext';

/** Answer of every validator of Fresh Context: exactly one primary code, and all findings. */
export interface Verdict {
  readonly allow: boolean;
  readonly code: ContractCode | 'OK';
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

/** Judges nothing else of an unknown major version. A rule's error about a value replaces the schema's. */
export function judgeDocument(
  { value, shape }: ShapedDocument,
  rules: (document: JsonObject, report: AddFinding) => void,
): readonly Finding[] {
  const { report, list } = collectFindings();
  judgeVersion(value, report);
  if (list.length > 0) return list;
  if (shape === null) {
    report('MISSING_VALIDATOR', '', 'The schema of this document is not available, so nothing can be validated.');
    return list;
  }
  if (isObject(value)) rules(value, report);
  const spoken = new Set(list.filter(({ severity }) => severity === 'error').map(({ pointer }) => pointer));
  const rest = shape
    .filter(({ code, pointer }) => code === 'MISSING_REQUIRED_INPUT' || !spoken.has(pointer))
    // The contract treats an empty value as a missing one.
    .map((finding) => (finding.empty === true ? { ...finding, code: 'MISSING_REQUIRED_INPUT' } : finding));
  return [...rest, ...list];
}

function judgeVersion(document: unknown, report: AddFinding): void {
  const version = textAt(document, 'schema_version');
  const major = version === null ? null : /^v?(\d+)(?:\.|$)/.exec(version)?.[1];
  if (major === null || major === undefined || Number(major) === freshContextMajor) return;
  const message = `Version ${quoted(version)} is not known here; this version of the product reads ${freshContextMajor}.x.`;
  report('UNKNOWN_SCHEMA_VERSION', '/schema_version', message);
}
