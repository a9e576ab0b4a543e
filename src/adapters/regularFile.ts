import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FindingCode } from '../contracts/vocabulary/findings';
import { errorCode, errorMessage } from './outcome';

export type FileReading =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly code: FindingCode; readonly message: string };

/**
 * Reads a regular file of at most `limit` bytes with one open. Never throws and never waits for a pipe, a device or
 * a writer: whatever cannot be read is a finding.
 */
export async function readRegularFile(file: string, limit: number): Promise<FileReading> {
  try {
    // Opening a device can do something by itself, so look before; the open handle is what counts.
    const before = await stat(file);
    if (!before.isFile()) return notRegular(before.isDirectory());
    // O_NONBLOCK is unknown to Windows.
    const handle = await open(file, constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0));
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return notRegular(stats.isDirectory());
      if (stats.size > limit) return tooLarge(limit);
      const bytes = await readAtMost(handle, limit + 1, stats.size);
      return bytes.byteLength > limit ? tooLarge(limit) : { ok: true, bytes };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return failed(error);
  }
}

/** The size is only a guess: the file may grow, and some file systems report 0. */
async function readAtMost(handle: Awaited<ReturnType<typeof open>>, most: number, guess: number): Promise<Uint8Array> {
  let buffer = Buffer.allocUnsafe(Math.min(most, guess + 1));
  let length = 0;
  for (;;) {
    if (length === buffer.length) {
      if (length === most) return buffer;
      buffer = Buffer.concat([buffer], Math.min(most, Math.max(65_536, buffer.length * 2)));
    }
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
  }
}

function notRegular(folder: boolean): FileReading {
  const message = folder
    ? 'This is a folder; name a file in it.'
    : 'This is a pipe, a socket or a device; name a file.';
  return { ok: false, code: 'FILE_NOT_REGULAR', message };
}

function tooLarge(limit: number): FileReading {
  return {
    ok: false,
    code: 'FILE_TOO_LARGE',
    message: `The file is larger than ${Math.floor(limit / 1024 / 1024)} MB; nothing of this size is read. Split it or move long texts out of it.`,
  };
}

function failed(error: unknown): FileReading {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { ok: false, code: 'FILE_NOT_FOUND', message: 'There is no such file; check the path.' };
    case 'EACCES':
    case 'EPERM':
      return {
        ok: false,
        code: 'FILE_UNREADABLE',
        message: 'The file may not be read by this user; change its permissions.',
      };
    case 'ELOOP':
      return {
        ok: false,
        code: 'FILE_UNREADABLE',
        message: 'The symbolic links of this path lead in a circle; correct them.',
      };
    default:
      return { ok: false, code: 'FILE_UNREADABLE', message: `The file could not be read (${errorMessage(error)}).` };
  }
}
