import type { MissionHandoff } from '../../contracts/handoff';
import { inScope, within, type PathComparison } from '../paths/compare';
import type { ApprovedPlan } from '../plan/approvedPlan';
import type { HandoffProblem } from './import';

/**
 * A path named in a diff, in its state after the diff. A diff also names the source of a rename or
 * copy.
 */
export interface PatchedPath {
  /** POSIX, relative to the workspace root. */
  readonly path: string;
  /** Upper-case hex, of a regular file. */
  readonly sha256: string | null;
  /** Target of a symbolic link. */
  readonly link: string | null;
}

/**
 * Says why the diff of a handoff may not be applied; null: it may. The diff is as untrusted as its bundle: it may touch
 * only paths that the approved plan allows, and has to do exactly what the bundle claims.
 */
export function diffProblem(
  patched: readonly PatchedPath[],
  { changes }: MissionHandoff,
  { tasks }: ApprovedPlan,
  comparison: PathComparison,
): HandoffProblem | null {
  const mayWrite = (path: string): boolean =>
    tasks.some(
      ({ paths, forbidden_paths }) => inScope(path, paths, comparison) && !within(path, forbidden_paths, comparison),
    );
  for (const { path, sha256, link } of patched) {
    const claims = changes.filter((change) => change.path === path);
    if (!mayWrite(path) || claims.length === 0)
      return { code: 'SCOPE_VIOLATION', reason: `The diff touches ${path}, which no task of the plan changed.` };
    if (link !== null) {
      const target = targetOf(path, link);
      const above = tasks.some((task) => task.forbidden_paths.some((one) => within(one, [path], comparison)));
      if (above)
        return { code: 'SCOPE_VIOLATION', reason: `The diff makes ${path} a link on the way to a forbidden path.` };
      if (target === null || !mayWrite(target))
        return {
          code: 'SCOPE_VIOLATION',
          reason: `The diff makes ${path} a link to ${link}, which leads out of the approved paths.`,
        };
    } else if (!claims.some((change) => change.sha256?.toUpperCase() === sha256?.toUpperCase())) {
      return {
        code: 'LEDGER_INCONSISTENT',
        reason: `The diff does not leave ${path} as the handoff says it was left.`,
      };
    }
  }
  return null;
}

/** Says where a link leads, resolved as text; null when that is outside the workspace. */
function targetOf(path: string, link: string): string | null {
  if (link.startsWith('/') || link.includes('\\') || /^[A-Za-z]:/.test(link)) return null;
  const at = path.split('/').slice(0, -1);
  for (const part of link.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') at.push(part);
    else if (at.pop() === undefined) return null;
  }
  return at.length === 0 ? '.' : at.join('/');
}
