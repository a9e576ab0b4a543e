import { lstatSync, statSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import { readOnce, type OpenOptions } from './opened';
import { errorCode, errorWords } from '../../base/outcome';

export type FileReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: FindingCode; readonly message: string };

/** Reads a regular file of at most `limit` bytes for a person. Never throws or waits: a failure is a finding. */
export async function readRegularFile(
  file: string,
  limit: number,
  options: OpenOptions = { follow: true },
): Promise<FileReading> {
  try {
    // Calls stat first, because opening a device can have effects; then the open handle decides.
    const before = await stat(file);
    if (!before.isFile()) return notRegular(before.isDirectory());
    const read = await readOnce(file, limit, options);
    switch (read.kind) {
      case 'file':
        return { ok: true, bytes: read.bytes };
      case 'absent':
        return notFound;
      case 'too_large':
        return tooLarge(limit);
      case 'irregular':
        return notRegular(read.what === 'folder');
    }
  } catch (error) {
    return failed(error);
  }
}

function unread(code: FindingCode, message: string): FileReading {
  return { ok: false, code, message };
}

const notFound = unread('FILE_NOT_FOUND', 'There is no such file; check the path.');

function notRegular(folder: boolean): FileReading {
  const message = folder
    ? 'This is a folder; name a file in it.'
    : 'This is a link, a pipe, a socket or a device; name a file.';
  return unread('FILE_NOT_REGULAR', message);
}

function tooLarge(limit: number): FileReading {
  return unread('FILE_TOO_LARGE', tooLargeWords('file', limit));
}

/** @param limit in bytes */
export function tooLargeWords(what: 'file' | 'text', limit: number): string {
  return `The ${what} is larger than ${limit >> 20} MB; nothing of this size is read. Split it or move long texts out of it.`;
}

function failed(error: unknown): FileReading {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return notFound;
    case 'EACCES':
    case 'EPERM':
      return unread('FILE_UNREADABLE', 'The file may not be read by this user; change its permissions.');
    case 'ELOOP':
      return unread('FILE_UNREADABLE', 'The symbolic links of this path lead in a circle; correct them.');
    default:
      return unread('FILE_UNREADABLE', `The file could not be read (${errorWords(error)}).`);
  }
}

/** The stats of a place, with no link followed; null: nothing lies there, or it cannot be reached. */
export function statsOf(file: string): Stats | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // gone, or in a place that cannot be entered
  }
}

/** The stats of a link's target. */
export function statsThrough(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // as above
  }
}
