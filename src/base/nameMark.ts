import { sha256 } from './sha256';

/** The end of a file name that was redacted, made from its real name. */
export function markOfName(name: string): string {
  return `~${sha256(name).slice(0, 12).toLowerCase()}`;
}

/** Returns the same for a name and for its record, where its mark alone may be known. */
function markIn(name: string): string {
  return /~[0-9a-f]{12}$/.exec(name)?.[0] ?? markOfName(name);
}

interface Left {
  readonly path: string;
  readonly kind: string;
  readonly after_sha256: string | null;
  readonly after_mode?: string | undefined;
  readonly after_link?: string | undefined;
}

/** Names what a change leaves at its path: the same from its real names and from a record of it. */
export function leftWord({ path, kind, after_sha256, after_mode, after_link }: Left): string {
  return JSON.stringify([markIn(path), kind, after_sha256, after_mode, after_link && markIn(after_link)]);
}
