import { reservedFolderOf } from './reserved';

export interface PathComparison {
  /** True on the usual file systems of macOS and Windows: names that differ in case or Unicode form are the same. */
  readonly case_insensitive: boolean;
}
export const caseSensitive: PathComparison = { case_insensitive: false };

/** True when the normalised path is one of the scopes or lies under one. A scope `src` does not hold `src2`. */
export function within(path: string, scopes: readonly string[], comparison: PathComparison = caseSensitive): boolean {
  const key = comparisonKey(path, comparison);
  return scopes.some((scope) => {
    const scopeKey = comparisonKey(scope, comparison);
    return scopeKey === '.' || key === scopeKey || key.startsWith(`${scopeKey}/`);
  });
}

/** Returns whether a task with these scopes may write the path: within them and not reserved. */
export function inScope(path: string, scopes: readonly string[], comparison: PathComparison = caseSensitive): boolean {
  return reservedFolderOf(path) === null && within(path, scopes, comparison);
}

/** Finds the index of the first scope list for which `inScope` holds, -1 for none; fast for many lists. */
export function firstHolder(
  scopes: readonly (readonly string[])[],
  comparison: PathComparison = caseSensitive,
): (path: string) => number {
  const holders = new Map<string, number>();
  for (const [index, paths] of scopes.entries())
    for (const scope of paths) {
      const key = comparisonKey(scope, comparison);
      if (!holders.has(key)) holders.set(key, index);
    }
  return (path) => {
    if (holders.size === 0 || reservedFolderOf(path) !== null) return -1;
    const key = comparisonKey(path, comparison);
    let first = holders.get('.') ?? Infinity;
    for (let end = key.length; end > 0; end = key.lastIndexOf('/', end - 1))
      first = Math.min(first, holders.get(key.slice(0, end)) ?? Infinity);
    return first === Infinity ? -1 : first;
  };
}

/** True when one of two normalised paths contains the other, so that both cannot be locked at once. */
export function overlaps(left: string, right: string, comparison: PathComparison = caseSensitive): boolean {
  return within(left, [right], comparison) || within(right, [left], comparison);
}

/** Equal also for two Unicode forms of a name, because the disk may have another one than its writer. */
export function nameKey(path: string, comparison: PathComparison): string {
  return comparisonKey(path, comparison).normalize('NFC');
}

/** Equal for two spellings of one name under the comparison; not for display. */
export function comparisonKey(path: string, comparison: PathComparison): string {
  return comparison.case_insensitive ? path.normalize('NFC').toLowerCase() : path;
}
