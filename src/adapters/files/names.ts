import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { errorCode, type NativePath } from './entry';

export interface FolderName {
  /** The name as shown: bytes that are not UTF-8 as `\xNN`. */
  readonly name: string;
  /** Null: the name is valid UTF-8, and `name` can be used as it is. */
  readonly bytes: Buffer | null;
  readonly isFolder: boolean;
}

/** The names in a folder, in the same order on every machine. Read as bytes if a name is not UTF-8. */
export function folderNames(folder: NativePath): readonly FolderName[] {
  const found = readdirSync(folder, { withFileTypes: true, encoding: 'utf8' });
  const names = found.some((entry) => entry.name.includes('\uFFFD'))
    ? readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
        ...decodedName(entry.name),
        isFolder: entry.isDirectory(),
      }))
    : found.map((entry) => ({ name: entry.name, bytes: null, isFolder: entry.isDirectory() }));
  return names.sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
}

export function decodedName(bytes: Buffer): { readonly name: string; readonly bytes: Buffer | null } {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return { name: text, bytes: null };
  return { name: escaped(bytes), bytes };
}

export function joinNative(folder: NativePath, name: string, bytes: Buffer | null): NativePath {
  if (typeof folder === 'string' && bytes === null) return folder + path.sep + name;
  const head = typeof folder === 'string' ? Buffer.from(folder) : folder;
  return Buffer.concat([head, Buffer.from(path.sep), bytes ?? Buffer.from(name)]);
}

/** Hex of the bytes below the root, for a path that is not UTF-8; undefined for others. */
export function rawOf(root: string, native: NativePath): string | undefined {
  return typeof native === 'string' ? undefined : native.subarray(Buffer.byteLength(root) + 1).toString('hex');
}

export function nativeOf(root: string, relative: string, raw: string | undefined): NativePath {
  if (raw === undefined) return path.join(root, ...relative.split('/'));
  return Buffer.concat([Buffer.from(root + path.sep), Buffer.from(raw, 'hex')]);
}

/**
 * Finds the entry that is shown as this path, by its bytes where they are not UTF-8. It need not exist. Null: two are
 * shown so, or a link lies on the way to such a name.
 *
 * @param root absolute, resolved
 * @param shown POSIX, relative to it
 * @throws the file system's own error other than ENOENT and ENOTDIR
 */
export function entryShownAs(root: string, shown: string): NativePath | null {
  const parts = shown.split('/');
  if (!parts.some(mayBeEscaped)) return path.join(root, ...parts);
  let at: NativePath = root;
  for (const [index, part] of parts.entries()) {
    const found =
      mayBeEscaped(part) && lookAt(at)?.isDirectory() ? folderNames(at).filter(({ name }) => name === part) : [];
    if (found.length > 1) return null;
    at = joinNative(at, part, found[0]?.bytes ?? null);
    if (index < parts.length - 1 && lookAt(at)?.isSymbolicLink()) return null;
  }
  return at;
}

/** Returns whether a shown name may stand for bytes that are not UTF-8. A text may look the same. */
export function mayBeEscaped(shown: string): boolean {
  return /\\x[89a-f][0-9a-f]/.test(shown);
}

/** Undefined: nothing is there, also because something above it is no folder. */
export function lookAt(at: NativePath): Stats | undefined {
  try {
    return lstatSync(at);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** Keeps ASCII readable and writes every other byte as `\xNN`. */
function escaped(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('');
}
