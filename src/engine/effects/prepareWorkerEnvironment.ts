import { done, refused, type Outcome } from '../../base/outcome';
import type { ModeChange } from '../../core/recovery/permission/record';
import type { Directories } from '../ports/directories';

/**
 * Looks at the three directories of the contract before a worker is launched, in its order: `workspace` (the run
 * directory) is created when it is missing, `target` (the workspace folder) and `orchestrator` (our state folder) must
 * be there; each must be readable, writable and searchable. The owner's bits are added only where the approved plan
 * allows that, and looked at again. Source: seed 002 section 1, decisions.md section 4.
 */
export async function prepareWorkerEnvironment(
  {
    workspace,
    target,
    orchestrator,
  }: { readonly workspace: string; readonly target: string; readonly orchestrator: string },
  mayFix: boolean,
  directories: Directories,
): Promise<Outcome<readonly ModeChange[]>> {
  const changes: ModeChange[] = [];
  for (const directory of [workspace, target, orchestrator]) {
    let standing = await directories.standing(directory);
    if (standing === 'missing') {
      if (directory !== workspace)
        return refused(
          'DIRECTORY_MISSING',
          `Critical directory missing: ${directory}.`,
          'Put it back, then retry the task.',
        );
      const created = await directories.create(directory);
      if (!created.ok) return created;
      standing = await directories.standing(directory);
    }
    if (standing !== 'unusable') continue;
    if (!mayFix)
      return cannotFix(directory, 'The approved plan does not allow fix_permissions (execution.recovery.allow).');
    const fixed = await directories.addOwnerBits(directory, [directory]);
    if (!fixed.ok) return cannotFix(directory, fixed.refusal.reason);
    changes.push(...fixed.value);
    if ((await directories.standing(directory)) === 'unusable')
      return cannotFix(directory, 'Its modes were changed, and it still cannot be used.');
  }
  return done(changes);
}

function cannotFix(directory: string, why: string): Outcome<never> {
  return refused(
    'PERMISSIONS_NOT_FIXED',
    `Cannot fix permissions for ${directory}: ${why.replace(/[.\s]+$/, '')}.`,
    'Let its owner correct them, then retry the task.',
  );
}
