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

/** True when one of the two normalised paths holds the other, so that both cannot be locked at once. */
export function overlaps(left: string, right: string, comparison: PathComparison = caseSensitive): boolean {
  return within(left, [right], comparison) || within(right, [left], comparison);
}

/** Equal for two spellings of one name under the comparison; never shown to anybody. */
export function comparisonKey(path: string, comparison: PathComparison): string {
  return comparison.case_insensitive ? path.normalize('NFC').toLowerCase() : path;
}
