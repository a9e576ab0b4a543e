/**
 * Lock-scope paths: POSIX, relative to the workspace root, no trailing slash, `.` for the root itself.
 * Pure text: nothing here looks at a disk. Source: decisions.md sections 3 and 9.
 */

/** Why a text is no path inside the workspace. */
export const pathProblems = [
  'empty',
  'absolute',
  'parent_traversal',
  'backslash',
  'glob',
  'control_character',
  'too_long',
] as const;
export type PathProblem = (typeof pathProblems)[number];
export type PathResult =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly problem: PathProblem };

/** How two paths are compared; a fact about the file system the workspace is on, so it is data. */
export interface PathComparison {
  /** True on the usual file systems of macOS and Windows: letters of either case and either Unicode form are one name. */
  readonly case_insensitive: boolean;
}
export const caseSensitive: PathComparison = { case_insensitive: false };

/**
 * Folders that are in no task's scope, even when a scope contains them. Compared without regard to case on
 * every system, because a plan approved on one machine runs on another.
 */
export const reservedFolders = ['.git', '.mission-control', 'docs/plans', 'docs/ops/executions'] as const;
export type ReservedFolder = (typeof reservedFolders)[number];

/**
 * The one spelling of a path as a person or a plan writes it: `./src//lib/` becomes `src/lib`. Refuses what
 * could mean something else elsewhere: absolute paths (also `C:` and `~`), `..`, backslashes, globs.
 */
export function normalise(text: string): PathResult {
  const problem = problemOf(text);
  if (problem !== null) return { ok: false, problem };
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  return { ok: true, path: segments.length === 0 ? '.' : segments.join('/') };
}

/** True when the normalised path is one of the scopes or lies under one. A scope `src` does not hold `src2`. */
export function within(path: string, scopes: readonly string[], comparison: PathComparison = caseSensitive): boolean {
  const key = comparisonKey(path, comparison);
  return scopes.some((scope) => {
    const scopeKey = comparisonKey(scope, comparison);
    return scopeKey === '.' || key === scopeKey || key.startsWith(`${scopeKey}/`);
  });
}

/** The reserved folder that the normalised path is or lies under; a `.git` counts at every depth. */
export function reservedFolderOf(path: string): ReservedFolder | null {
  const key = comparisonKey(path, { case_insensitive: true });
  if (key.split('/').includes('.git')) return '.git';
  return reservedFolders.find((folder) => key === folder || key.startsWith(`${folder}/`)) ?? null;
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

const longestPath = 4096;

function problemOf(text: string): PathProblem | null {
  if (text.trim() === '') return 'empty';
  if (text.length > longestPath) return 'too_long';
  // eslint-disable-next-line no-control-regex -- refusing them is the point
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'control_character';
  if (text.startsWith('/') || text.startsWith('~') || /^[A-Za-z]:/.test(text) || text.startsWith('\\\\'))
    return 'absolute';
  if (text.includes('\\')) return 'backslash';
  if (text.split('/').includes('..')) return 'parent_traversal';
  if (/[*?]|\[[^\]/]*\]|\{[^}/]*,[^}/]*\}/.test(text)) return 'glob';
  return null;
}
