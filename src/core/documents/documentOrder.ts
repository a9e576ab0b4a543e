import { pointerTokens } from '../../base/jsonPointer';
import type { Finding } from './finding';

/**
 * The findings in the order in which the things they are about stand in the document; what is about the same thing
 * keeps its order. A pointer to nothing counts as the nearest thing above it. The order of keys is the value's own.
 */
export function inDocumentOrder(value: unknown, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length < 2) return findings;
  const keyPlaces = new Map<object, ReadonlyMap<string, number>>();
  const placed = findings.map((finding) => ({ finding, place: placeOf(value, finding.pointer, keyPlaces) }));
  return placed.sort((left, right) => compare(left.place, right.place)).map(({ finding }) => finding);
}

/** Index of the key at every step down. */
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

/** What contains comes before what it contains. */
function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
