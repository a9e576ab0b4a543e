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

/**
 * Finds the file in what a file tool of a CLI written for Node.js says when the system refuses: `EROFS: read-only file
 * system, open 'F'`. Leaves out the name of a temporary file that would have taken its place.
 *
 * Only at the end of a text of one line: a text that goes on may quote a file or the model. A read-only mount of our
 * sandbox says EROFS. A file that is read-only among writable ones says EBUSY when another is renamed to its name. A
 * folder that cannot be made says ENOENT, where all folders above it were to be made.
 */
export function refusedFile(text: string): string | null {
  if (text.length > 20_000 || text.includes('\n')) return null;
  const found =
    /\b(?:(?:EROFS|EACCES|EPERM): [^,']{1,80}, [a-z]{1,20}|EBUSY: [^,']{1,80}, (?:rename|unlink|rmdir)|ENOENT: [^,']{1,80}, mkdir) '(.+)'(?: \([A-Z]{3,10}\))?$/.exec(
      text,
    );
  if (found === null) return null;
  const names = (found[1] ?? '').split("' -> '");
  return (names.at(-1) ?? '').replace(/\.tmp\.\d{1,10}\.[0-9a-f]{1,64}$/, '');
}

/**
 * Returns whether a text of a CLI's own begins with one of its denials. Skips the names of errors
 * that the CLI puts before them. A denial further on may be quoted from a file, a command or the
 * model (`cat: x: Permission denied`), so it does not count.
 *
 * @param denial a pattern that begins with `^`
 */
export function beginsWith(text: string, denial: RegExp): boolean {
  const start = text.slice(0, 10_000);
  return denial.test(start.slice(errorNames.exec(start)?.[0].length ?? 0));
}

const errorNames =
  /^(?:(?:[Ff]atal error|[Ee]rror|[A-Z]\w{0,40}Error|E[A-Z]{3,9}|Error (?!executing )[a-z][^:'"\n]{0,200}|Failed to [^:'"\n]{1,200}|An unexpected critical error occurred): ?){1,4}/;
