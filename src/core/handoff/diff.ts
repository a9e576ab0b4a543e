import type { MissionHandoff } from '../../contracts/handoff';
import { inScope, within, type PathComparison } from '../paths/compare';
import type { ApprovedPlan } from '../plan/approvedPlan';
import type { HandoffProblem } from './import';
import { asLeft, notAsLeft, type Left } from '../../base/fileState';

/** A path named in a diff, as it is after it; also the source of a rename or copy. */
export interface PatchedPath {
  /** POSIX, relative to the workspace root. */
  readonly path: string;
  readonly left: Left;
}

/** Null: it may. As untrusted as its bundle: it touches approved paths alone, and does what the bundle claims. */
export function diffProblem(
  patched: readonly PatchedPath[],
  { changes }: Pick<MissionHandoff, 'changes'>,
  plan: ApprovedPlan,
  comparison: PathComparison,
): HandoffProblem | null {
  for (const { path, left } of patched) {
    const claims = changes.filter((change) => change.path === path);
    if (claims.length === 0) return untouched(path);
    const problem = pathProblem({ path, left }, plan, comparison);
    if (problem) return problem;
    if (claims.every((claim) => notAsLeft(asLeft(claim), left) !== null))
      return {
        code: 'LEDGER_INCONSISTENT',
        reason: `The diff does not leave ${path} as the handoff says it was left.`,
      };
  }
  return null;
}

/** Says why no task of the approved plan may leave a path so; null: one may. */
export function pathProblem(
  { path, left }: PatchedPath,
  { tasks }: ApprovedPlan,
  comparison: PathComparison,
): HandoffProblem | null {
  const mayWrite = (name: string): boolean =>
    tasks.some(
      ({ paths, forbidden_paths }) => inScope(name, paths, comparison) && !within(name, forbidden_paths, comparison),
    );
  if (!mayWrite(path)) return untouched(path);
  if (left.kind !== 'link') return null;
  const target = targetOf(path, left.target);
  const above = tasks.some((task) => task.forbidden_paths.some((one) => within(one, [path], comparison)));
  if (above)
    return { code: 'SCOPE_VIOLATION', reason: `The diff makes ${path} a link on the way to a forbidden path.` };
  return target !== null && mayWrite(target)
    ? null
    : {
        code: 'SCOPE_VIOLATION',
        reason: `The diff makes ${path} a link to ${left.target}, which leads out of the approved paths.`,
      };
}

function untouched(path: string): HandoffProblem {
  return { code: 'SCOPE_VIOLATION', reason: `The diff touches ${path}, which no task of the plan changed.` };
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
