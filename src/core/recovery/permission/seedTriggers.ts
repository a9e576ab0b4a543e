import type { Trigger } from './trigger';

/** The five rows of the contract (seed 002), as they stand there, for every version; no CLI of today says the last two. */
export const seedTriggers: readonly Trigger[] = [
  {
    agent: 'gemini',
    channels: ['event', 'stderr'],
    pattern: /Path must be within.*workspace directories/i,
    issue: 'DIR_SCOPE_ERROR',
    action: 'RELAUNCH_WITH_INCLUDE_DIRECTORIES',
  },
  {
    agent: 'gemini',
    channels: ['event', 'stderr'],
    pattern: /Permission denied/i,
    issue: 'FS_PERM_ERROR',
    action: 'CHMOD_AND_RELAUNCH',
  },
  {
    agent: 'codex',
    channels: ['event', 'stderr'],
    pattern: /Not inside a trusted directory/i,
    issue: 'GIT_TRUST_ERROR',
    action: 'RELAUNCH_WITH_SKIP_GIT_CHECK',
  },
  {
    agent: 'codex',
    channels: ['event', 'stderr'],
    pattern: /Repository check failed/i,
    issue: 'GIT_CHECK_ERROR',
    action: 'RELAUNCH_WITH_SKIP_GIT_CHECK',
  },
  {
    agent: 'claude',
    channels: ['event', 'stderr'],
    pattern: /Access blocked/i,
    issue: 'SANDBOX_ERROR',
    action: 'RELAUNCH_WITH_ADD_DIR',
  },
];
