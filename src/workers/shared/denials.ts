import type { PermissionIssue } from '../../contracts/vocabulary/permission';
import type { Denial, DenialChannel } from '../worker';

/** A text or a structured denial of the tested versions, or of those that `versions` names. */
export function row(
  channel: DenialChannel,
  issue: PermissionIssue,
  pattern: RegExp,
  versions: Pick<Denial, 'from' | 'before'> = {},
): Denial {
  return { channels: [channel], issue, pattern, ...versions };
}

/** A row of the contract (seed 002), as it stands there, for every version. */
export function seedRow(issue: PermissionIssue, pattern: RegExp): Denial {
  return { channels: ['event', 'stderr'], issue, pattern, seed: true };
}

/**
 * An error that ends a run: a person signs in, installs what is missing, or comes back later. Each is anchored, because
 * a run may end with words of a model or an MCP server. Those mention anything.
 */
export function ended(issue: 'LOGIN_REQUIRED' | 'SANDBOX_MISSING' | 'RATE_LIMITED', pattern: RegExp): Denial {
  return { channels: ['error'], issue, pattern };
}

/** The words of Node's file system, in a CLI's own file tool: a read-only mount of our sandbox, and a mode. */
export const nodeFileErrors: readonly Denial[] = [
  // A folder and file that are new, and the rename onto a file that is kept read-only among writable ones. A recursive
  // mkdir says ENOENT of a folder that may not be made.
  row(
    'event',
    'SANDBOX_ERROR',
    /\b(?:EROFS: |EBUSY: [^,\n]{1,80}, (?:rename|unlink|rmdir) |ENOENT: [^,\n]{1,80}, mkdir )/,
  ),
  row('event', 'FS_PERM_ERROR', /\b(?:EACCES|EPERM)\b/),
];
