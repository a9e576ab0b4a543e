import { pointerTokens } from '../../base/jsonPointer';
import type { Finding } from './finding';

/**
 * Sorts findings by the place of their pointer in the document, stably. A pointer to a missing value counts as its
 * nearest existing parent. Keys have the order of `value`.
 */
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
