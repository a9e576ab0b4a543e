import type { SandboxReach } from '../../contracts/launchEvidence';
import { within, type PathComparison } from '../paths/compare';
import type { RawChange } from './change';

/** What says where a change lies. */
export interface ChangedPlace extends Pick<RawChange, 'path' | 'lies_at' | 'resolved_path'> {
  readonly kind: RawChange['kind'] | 'unread';
}

/**
 * Returns whether no launch could make the change. Any doubt counts against the launches, because a change may lie in
 * several places. A new folder that is reported as one change may also hold a place that a launch could write.
 */
export function isBeyondReach(
  change: ChangedPlace,
  reaches: readonly SandboxReach[],
  comparison: PathComparison,
): boolean {
  const places = placesOf(change);
  return places.length > 0 && !reaches.some((reach) => places.some((place) => couldWrite(place, reach, comparison)));
}

/** Finds where a change lies on the disk. Empty: unknown. */
function placesOf({ kind, path, lies_at, resolved_path }: ChangedPlace): readonly string[] {
  if (kind === 'index_flag') return lies_at ?? [];
  // A folder of git that a launch makes may say that it lies elsewhere.
  if (kind === 'git') return lies_at ? [path, ...lies_at] : [];
  return resolved_path === null ? [path] : [path, resolved_path];
}

function couldWrite(place: string, { writable, read_only }: SandboxReach, comparison: PathComparison): boolean {
  if (writable.some((one) => one !== '.' && within(one, [place], comparison))) return true;
  return deepest(place, writable, comparison) > deepest(place, read_only, comparison);
}

/** Says how many folders deep the deepest of these places is that holds the path; -1: none does. */
function deepest(path: string, places: readonly string[], comparison: PathComparison): number {
  const around = places.filter((place) => (place === '.' ? !path.startsWith('/') : within(path, [place], comparison)));
  return Math.max(-1, ...around.map((place) => (place === '.' ? 0 : place.split('/').length)));
}
