import { reservedFolderOf } from './reserved';

/** How two paths are compared; a fact about the file system the workspace is on, so it is data. */
export interface PathComparison {
  /** True on the usual file systems of macOS and Windows: letters of either case and either Unicode form are one name. */
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

/** Within the scopes and not reserved: where a task may write. */
export function inScope(path: string, scopes: readonly string[], comparison: PathComparison = caseSensitive): boolean {
  return reservedFolderOf(path) === null && within(path, scopes, comparison);
}

/** Says of a path in which of many scopes it is first, as `inScope` would of each; -1: in none. */
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

/** True when one of the two normalised paths holds the other, so that both cannot be locked at once. */
export function overlaps(left: string, right: string, comparison: PathComparison = caseSensitive): boolean {
  return within(left, [right], comparison) || within(right, [left], comparison);
}

/** Equal for two spellings of one name under the comparison; never shown to anybody. */
export function comparisonKey(path: string, comparison: PathComparison): string {
  return comparison.case_insensitive ? path.normalize('NFC').toLowerCase() : path;
}
