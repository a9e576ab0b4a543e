/** What a permission failure of a worker is. The first five are the contract's (seed 002); the rest is what CLIs do today. */
export const permissionIssues = [
  'DIR_SCOPE_ERROR',
  'FS_PERM_ERROR',
  'GIT_TRUST_ERROR',
  'GIT_CHECK_ERROR',
  'SANDBOX_ERROR',
  'FOLDER_TRUST_ERROR',
  'TOOL_DENIED',
  'LOGIN_REQUIRED',
  'SANDBOX_MISSING',
  'RATE_LIMITED',
  'UNKNOWN_PERMISSION_ERROR',
] as const;
export type PermissionIssue = (typeof permissionIssues)[number];

/** The fixes that recovery applies by itself, where the approved plan allows them: `action_taken` of its events. */
export const permissionFixes = [
  'RELAUNCH_WITH_SKIP_GIT_CHECK',
  'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  'RELAUNCH_WITH_ADD_DIR',
  'RELAUNCH_WITH_SKIP_TRUST',
  'CHMOD_AND_RELAUNCH',
] as const;
export type PermissionFix = (typeof permissionFixes)[number];

/** `ESCALATE`: only a person can mend it. `BLOCK`: it passes by itself, so the task is blocked and may be retried. */
export type PermissionAction = PermissionFix | 'ESCALATE' | 'BLOCK';
