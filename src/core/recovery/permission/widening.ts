import type { RecoveryPermission } from '../../../contracts/vocabulary/intents';
import type { PermissionFix } from '../../../contracts/vocabulary/permission';

/** What a launch is given beyond its least-privileged line. */
export interface Widening {
  /** Absolute, with forward slashes. */
  readonly add_directories: readonly string[];
  /** Those of them that are opened for reading alone, because only reading was denied. Absent: none. */
  readonly read_only?: readonly string[];
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

type Directories = Pick<Widening, 'add_directories' | 'read_only'>;

/** A directory that either one opens for writing is open for writing. */
export function withDirectories(widening: Widening, more: Directories): Widening {
  const { read_only: _before, ...others } = widening;
  const all = [...new Set([...widening.add_directories, ...more.add_directories])];
  const read_only = all.filter((one) => !opensWriting(widening, one) && !opensWriting(more, one));
  return { ...others, add_directories: all, ...(read_only.length > 0 && { read_only }) };
}

export function opensWriting({ add_directories, read_only = [] }: Directories, directory: string): boolean {
  return add_directories.includes(directory) && !read_only.includes(directory);
}
