import { withoutEnd } from '../../base/text/plainLine';
import { refused, type Refusal } from '../../base/outcome';
import type { ModeChange, Unusable } from '../../core/recovery/permission/record';
import type { Directories, OwnerBits } from '../ports/directories';

/** The changed modes, also of a launch that is refused. */
export type PreparedEnvironment = { readonly modes: readonly ModeChange[] } & (
  | { readonly ok: true }
  /** `unusable`: the directory whose permissions keep the worker from running; absent: another reason keeps it. */
  | { readonly ok: false; readonly refusal: Refusal; readonly unusable?: Unusable }
);

/**
 * Looks at the three directories of the contract before a worker is launched, in its order. Creates
 * `workspace` (the run directory) when it is missing. `target` (the workspace folder) and
 * `orchestrator` (our state folder) must be there. Each must be readable, writable and searchable.
 * The owner's bits are added only where the approved plan or a person allows that, and looked at
 * again. Source: seed 002 section 1.
 */
export async function prepareWorkerEnvironment(
  {
    workspace,
    target,
    orchestrator,
  }: { readonly workspace: string; readonly target: string; readonly orchestrator: string },
  mayFix: (directory: string) => boolean,
  directories: Directories,
): Promise<PreparedEnvironment> {
  const modes: ModeChange[] = [];
  for (const directory of [workspace, target, orchestrator]) {
    let standing = await directories.standing(directory);
    if (standing === 'missing') {
      if (directory !== workspace)
        return {
          ...refused(
            'DIRECTORY_MISSING',
            `Critical directory missing: ${directory}.`,
            'Put it back, then retry the task.',
          ),
          modes,
        };
      const created = await directories.create(directory);
      if (!created.ok) return { ...created, modes };
      standing = await directories.standing(directory);
    }
    if (standing !== 'unusable') continue;
    const fixed = mayFix(directory) ? await directories.addOwnerBits(directory, [directory]) : notAllowed;
    modes.push(...fixed.changes);
    if (fixed.problem !== null) return notFixed(directory, fixed, modes);
    if ((await directories.standing(directory)) === 'unusable') {
      const problem = 'Its modes were changed, and it still cannot be used.';
      return notFixed(directory, { ...fixed, problem }, modes);
    }
  }
  return { ok: true, modes };
}

/** The refusal of a launch that the permissions of a directory prevent. */
export function notFixed(
  directory: string,
  { tried, problem }: OwnerBits,
  modes: readonly ModeChange[],
): PreparedEnvironment {
  return {
    ...refused(
      'PERMISSIONS_NOT_FIXED',
      `Cannot fix permissions for ${directory}: ${withoutEnd(problem ?? '')}.`,
      'Let its owner correct them, then retry the task.',
    ),
    modes,
    unusable: { directory, chmod_tried: tried },
  };
}

const notAllowed: OwnerBits = {
  changes: [],
  tried: false,
  problem: 'The approved plan does not allow fix_permissions (execution.recovery.allow).',
};
