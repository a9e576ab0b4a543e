import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { NativePath } from './entry';

/** One name of a folder. */
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

/** The path for the file system of a path relative to the root. */
export function nativeOf(root: string, relative: string, raw: string | undefined): NativePath {
  if (raw === undefined) return path.join(root, ...relative.split('/'));
  return Buffer.concat([Buffer.from(root + path.sep), Buffer.from(raw, 'hex')]);
}

/** Keeps ASCII readable and writes every other byte as `\xNN`. */
function escaped(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`))
    .join('');
}
