import type { RecoveryPermission } from '../../../contracts/vocabulary/intents';
import type { PermissionFix } from '../../../contracts/vocabulary/permission';

/** What a launch is given beyond its least-privileged line. */
export interface Widening {
  /** Absolute, with forward slashes. */
  readonly add_directories: readonly string[];
  readonly skip_git_repo_check: boolean;
  readonly trust_workspace: boolean;
}

export const noWidening: Widening = { add_directories: [], skip_git_repo_check: false, trust_workspace: false };

/** The permission of the approved plan that each fix needs. */
export const permissionOf: Readonly<Record<PermissionFix, RecoveryPermission>> = {
  RELAUNCH_WITH_SKIP_GIT_CHECK: 'skip_git_repo_check',
  RELAUNCH_WITH_INCLUDE_DIRECTORIES: 'add_directory',
  RELAUNCH_WITH_ADD_DIR: 'add_directory',
  RELAUNCH_WITH_SKIP_TRUST: 'trust_workspace',
  CHMOD_AND_RELAUNCH: 'fix_permissions',
};

export function withDirectories(widening: Widening, directories: readonly string[]): Widening {
  return { ...widening, add_directories: [...new Set([...widening.add_directories, ...directories])] };
}
