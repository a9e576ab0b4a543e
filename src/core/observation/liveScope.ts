import { inScope, within, type PathComparison } from '../paths/compare';
import { fileUrlPath } from '../paths/namedPath';
import { reservedFolderOf } from '../paths/reserved';
import { pathUnder, segmentsOf } from '../paths/underFolder';

export interface LiveScope {
  /** Absolute spellings of the workspace root: as opened and as resolved. */
  readonly roots: readonly string[];
  readonly form: 'posix' | 'windows';
  readonly comparison: PathComparison;
  readonly paths: readonly string[];
  readonly forbidden_paths: readonly string[];
  /** Absolute folders where the worker may also write: `work` of its run directory, granted directories. */
  readonly granted: readonly string[];
}

export type LiveVerdict =
  | { readonly kind: 'inside'; readonly path: string }
  /** `path`: relative to the workspace, or absolute when outside. */
  | { readonly kind: 'outside'; readonly path: string; readonly reason: string };

/** Judges a reported file change by its text alone, to stop a worker early; the difference of manifests decides. */
export function judgeLiveChange(reported: string, scope: LiveScope): LiveVerdict {
  const absolute = resolve(reported, scope);
  const path = firstRelative(absolute, scope);
  const granted = scope.granted.filter((folder) => path === null || firstRelative(folder, scope) !== null);
  if (granted.some((folder) => relativeTo(absolute, folder, scope) !== null)) return { kind: 'inside', path: absolute };
  if (path === null) return { kind: 'outside', path: absolute, reason: 'lies outside the workspace' };
  const reserved = reservedFolderOf(path);
  if (reserved !== null) return { kind: 'outside', path, reason: `${reserved} is reserved: no task may write there` };
  if (within(path, scope.forbidden_paths, scope.comparison))
    return { kind: 'outside', path, reason: 'lies in a forbidden path of the task' };
  if (!inScope(path, scope.paths, scope.comparison))
    return { kind: 'outside', path, reason: 'lies outside the approved paths of the task' };
  return { kind: 'inside', path };
}

function firstRelative(absolute: string, scope: LiveScope): string | null {
  for (const root of scope.roots) {
    const relative = relativeTo(absolute, root, scope);
    if (relative !== null) return relative;
  }
  return null;
}

function relativeTo(absolute: string, folder: string, scope: LiveScope): string | null {
  return pathUnder(slashed(absolute, scope), slashed(folder, scope), scope.comparison);
}

function resolve(reported: string, scope: LiveScope): string {
  const text = fileUrlPath(reported, scope.form);
  const rooted = isAbsolute(text, scope.form) ? text : `${scope.roots[0] ?? ''}/${text}`;
  const plain = slashed(rooted, scope);
  return `${plain.startsWith('/') ? '/' : ''}${segmentsOf(plain).join('/')}`;
}

function slashed(path: string, { form }: LiveScope): string {
  return form === 'windows' ? path.replaceAll('\\', '/') : path;
}

function isAbsolute(path: string, form: LiveScope['form']): boolean {
  return form === 'posix' ? path.startsWith('/') : /^([A-Za-z]:|[\\/])/.test(path);
}
