import type { SandboxReach } from '../../../contracts/launchEvidence';
import type { Attempt, Launch } from '../../model/attempt';
import { rowOf, type Tasks } from '../../model/state';
import type { RawChange } from '../../observation/change';
import { isBeyondReach, type ChangedPlace } from '../../observation/writablePlaces';
import { caseSensitive, type PathComparison } from '../../paths/compare';

/** Finds where launches since the baseline could write; empty unless a sandbox of ours held each that started. */
export function reachesOf(mission: Tasks, attempt: Attempt): readonly SandboxReach[] {
  return reaches(launchesSince(mission, attempt));
}

/**
 * Returns which links other programs made at approved names at the top: a layer takes what a launch writes there, and
 * no link lands from it. Empty unless a layer took that of every launch.
 */
export function linksOfOthers(mission: Tasks, attempt: Attempt, found: readonly RawChange[]): readonly string[] {
  const trees = startedOf(launchesSince(mission, attempt)).map(({ prepared }) => prepared?.sandbox?.layers?.tree);
  if (trees.includes(undefined)) return [];
  const names = new Set(
    trees.flatMap((tree) => tree?.lands?.flatMap(({ name, was }) => (was.kind === 'folder' ? [] : [name])) ?? []),
  );
  return found.flatMap(({ path, after_link }) => (after_link !== undefined && names.has(path) ? [path] : []));
}

function launchesSince(mission: Tasks, attempt: Attempt): readonly Launch[] {
  const since = attempt.validates?.attempt ?? attempt.attempt;
  const earlier = rowOf(mission, attempt.task_id).attempts.filter((one) => one.attempt >= since);
  const launches = [...earlier, attempt].flatMap((one) => one.launches);
  return attempt.validates ? [attempt.validates.launch, ...launches] : launches;
}

export function reachesOfVerify({ launches }: Attempt): readonly SandboxReach[] {
  return reaches(launches.filter(({ purpose }) => purpose.kind === 'verify'));
}

/** Returns whether the sandbox of each launch of an attempt kept it from making any of these changes. */
export function isKeptFrom(
  { launches }: Pick<Attempt, 'launches'>,
  changes: readonly ChangedPlace[],
  comparison: PathComparison = caseSensitive,
): boolean {
  const held = reaches(launches);
  return held.length > 0 && changes.every((change) => isBeyondReach(change, held, comparison));
}

function startedOf(launches: readonly Launch[]): readonly Launch[] {
  return launches.filter(({ process, end }) => process ?? end);
}

function reaches(launches: readonly Launch[]): readonly SandboxReach[] {
  const started = startedOf(launches);
  const found = started.flatMap(({ prepared }) => prepared?.sandbox?.reach ?? []);
  return found.length === started.length ? found : [];
}
