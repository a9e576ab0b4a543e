import { evidenceNames, executionsDir, milestoneFile, taskFile } from '../../contracts/vocabulary/files/evidenceFiles';

// Paths of evidence: POSIX, relative to the workspace root.

export function evidenceDir(planId: string): string {
  return `${executionsDir}/${planId}`;
}
export function headerPath(planId: string): string {
  return `${evidenceDir(planId)}/${evidenceNames.header}`;
}
export function archivedHeaderPath(planId: string, missionId: string): string {
  return `${evidenceDir(planId)}/${evidenceNames.archive}/${missionId}/${evidenceNames.header}`;
}
export function lockedPlanPath(planId: string): string {
  return `${evidenceDir(planId)}/${evidenceNames.lockedPlan}`;
}
export function summaryPath(planId: string): string {
  return `${evidenceDir(planId)}/${evidenceNames.summary}`;
}
export function taskEvidencePath(planId: string, taskId: string): string {
  return `${evidenceDir(planId)}/${taskFile(taskId)}`;
}
export function milestonePath(planId: string, milestoneId: string): string {
  return `${evidenceDir(planId)}/${milestoneFile(milestoneId)}`;
}

/** `2026-01-02T03:04:05.678Z` -> `2026-01-02T03:04:05Z`: the original fields have whole seconds. */
export function utcSeconds(isoUtc: string): string {
  return `${isoUtc.slice(0, 19)}Z`;
}

/** An absolute path of this machine, such as the workspace root, and the name that evidence has instead. */
export interface Place {
  readonly path: string;
  readonly name: string;
}

/**
 * Replaces absolute paths of the machine in every text of a value by their names, because evidence is committed. The
 * longest path is first. Leaves a path alone that follows a name already (`<workspace>/tmp`).
 */
export function inPlaces<T>(value: T, places: readonly Place[]): T {
  const known = places.filter((place) => place.path !== '').sort((a, b) => b.path.length - a.path.length);
  return placed(value, known) as T;
}

function placed(value: unknown, places: readonly Place[]): unknown {
  if (typeof value === 'string') return places.reduce(withName, value);
  if (Array.isArray(value)) return value.map((one) => placed(one, places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, placed(one, places)]));
}

function withName(text: string, { path, name }: Place): string {
  if (!text.includes(path)) return text;
  const found = new RegExp(`(?<!<[^<>\\s]+>[^\\s"'=,:;<>]*)${path.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`, 'g');
  return text.replaceAll(found, () => name);
}
