// The one judge of paths that people, plans and packets write, by their text alone. Source: decision 29, seed
// 003. `core/locks/lockPath.ts` adds the contract's tolerance.

/** Why a text names no place inside the workspace. */
export type PlaceProblem = 'empty' | 'absolute' | 'drive_letter' | 'parent_traversal' | 'workspace_root' | 'too_long';

/** Why a name is refused in writing although a file may have it: it means or looks like another place elsewhere. */
export type NameProblem =
  | 'home'
  | 'backslash'
  | 'glob'
  | 'invisible_character'
  | 'replacement_character'
  | 'outer_space'
  | 'trailing_dot'
  | 'colon'
  | 'short_name'
  | 'device_name';

export type PathProblem = PlaceProblem | NameProblem;
export type PathReading<P = PathProblem> =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly problem: P };

/** Each completes the sentence "<path> ...". */
export const pathProblems: { readonly [P in PathProblem]: string } = {
  empty: 'is empty; name a file or folder of the workspace',
  backslash: 'has a backslash; write it with forward slashes',
  drive_letter: 'starts with a drive letter; make it relative to the workspace root',
  absolute: 'is absolute; make it relative to the workspace root',
  home: 'starts with ~, which is not expanded; make it relative to the workspace root',
  parent_traversal: 'has .. in it; name a place inside the workspace without it',
  workspace_root: 'means the whole workspace; name the files and folders the task needs',
  glob: 'is a glob; name files and folders, a folder covers everything below it',
  invisible_character: 'has a control character or an invisible one; remove it',
  replacement_character: 'has the character U+FFFD in place of bytes that are not UTF-8; name the folder it is in',
  outer_space: 'has a name that begins or ends with a space, which Windows drops; remove the space',
  trailing_dot: 'has a name that ends in a dot, which Windows drops; remove the dot or name the folder it is in',
  colon: 'has a colon, which names a second stream on Windows; name the folder it is in',
  short_name: 'looks like a short name of Windows, which hides the real one; write the real name',
  device_name: 'has the name of a device of Windows; name the folder it is in',
  too_long: 'is longer than 1024 characters; shorten it',
};

/**
 * Reads a path of a plan, a lock or a packet as POSIX, relative to the workspace root. It drops `.` segments and a
 * trailing slash: `./src//lib/` becomes `src/lib`. Refuses what could mean another place on another machine.
 */
export function readWrittenPath(text: string): PathReading {
  if (text.length <= longestWritten && plain.test(text) && !deviceName.test(text))
    return { ok: true, path: text.endsWith('/') ? text.slice(0, -1) : text };
  const place = readPlace(text);
  if (!place.ok) return place;
  const problem = nameProblemOf(text);
  return problem === null ? place : { ok: false, problem };
}

/** Reads the path of a file that exists: any name, but a place inside the workspace. */
export function readPlace(text: string): PathReading<PlaceProblem> {
  if (text.trim() === '') return { ok: false, problem: 'empty' };
  if (/^[A-Za-z]:/.test(text)) return { ok: false, problem: 'drive_letter' };
  if (/^[\\/]/.test(text)) return { ok: false, problem: 'absolute' };
  if (text.split(/[\\/]/).includes('..')) return { ok: false, problem: 'parent_traversal' };
  if (text.length > longestName) return { ok: false, problem: 'too_long' };
  const path = text
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
  return path === '' ? { ok: false, problem: 'workspace_root' } : { ok: true, path };
}

const longestWritten = 1024;
/** The longest path on Linux. */
const longestName = 4096;
/** Fast path for nearly every path: nothing to judge or to change. */
const plain = /^\w(?:[\w.-]*[\w-])?(?:\/\w(?:[\w.-]*[\w-])?)*\/?$/;
const deviceName = /(?:^|\/)(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:[./:]|$)/i;

function nameProblemOf(text: string): NameProblem | 'too_long' | null {
  if (text.startsWith('~')) return 'home';
  if (text.includes('\\')) return 'backslash';
  if (/[*?!]|\{[^}]*,[^}]*\}/.test(text)) return 'glob';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u.test(text))
    return 'invisible_character';
  if (text.includes('\ufffd')) return 'replacement_character';
  if (/(?:^|\/) | (?:\/|$)/.test(text)) return 'outer_space';
  if (/(?:^|\/)(?!\.(?:\/|$))[^/]*\.(?:\/|$)/.test(text)) return 'trailing_dot';
  if (text.includes(':')) return 'colon';
  if (/(?:^|\/)[^/~]{1,7}~\d{1,6}(?:[./]|$)/.test(text)) return 'short_name';
  if (deviceName.test(text)) return 'device_name';
  return text.length > longestWritten ? 'too_long' : null;
}

/** The places of texts that were validated, each once. @throws for an invalid one, which is a broken invariant */
export function pathsOf(texts: readonly string[]): readonly string[] {
  const places = texts.map((text) => {
    const reading = readWrittenPath(text);
    if (!reading.ok) throw new Error(`A plan with an invalid path (${text}) got past its validation.`);
    return reading.path;
  });
  return [...new Set(places)];
}
