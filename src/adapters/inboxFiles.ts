import { constants } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import type { InboxCommandFile } from '../contracts/inbox';
import { inboxCommandSchema, maxCommandBytes } from '../contracts/inbox';
import { errorCode, errorMessage } from './outcome';

/** The command id in the name of a command file, or null: `<uuid>.json`. */
export function commandIdOf(name: string): string | null {
  const id = name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
  return isCommandId(id) ? id : null;
}

export function isCommandId(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);
}

/** Reads a file that anybody may have put there. The text is why it is no command with this id. */
export async function readCommandFile(file: string, id: string): Promise<InboxCommandFile | string> {
  const text = await readSmallFile(file, maxCommandBytes);
  if (typeof text !== 'object') return text;
  let value: unknown;
  try {
    value = JSON.parse(text.content);
  } catch (error) {
    return `not JSON: ${errorMessage(error)}`;
  }
  const parsed = inboxCommandSchema.safeParse(value);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => `/${path.map(String).join('/')}: ${message}`).join('; ');
  }
  return parsed.data.id === id ? parsed.data : 'the id in the file is not the one in its name';
}

/**
 * The content of a regular file of at most `limit` bytes that is ours alone; otherwise what is wrong. Never
 * follows a link, never blocks on a pipe, never reads more than the limit.
 */
export async function readSmallFile(file: string, limit: number): Promise<{ readonly content: string } | string> {
  try {
    // O_NOFOLLOW and O_NONBLOCK do not exist on Windows.
    const flags =
      constants.O_RDONLY |
      ((constants.O_NOFOLLOW as number | undefined) ?? 0) |
      ((constants.O_NONBLOCK as number | undefined) ?? 0);
    const handle = await open(file, flags);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return 'not a regular file';
      if (process.getuid !== undefined && stats.uid !== process.getuid()) return `belongs to user ${String(stats.uid)}`;
      if (process.platform !== 'win32' && (stats.mode & 0o022) !== 0) return 'others may write to it';
      if (stats.size > limit) return `larger than ${String(limit)} bytes`;
      const buffer = Buffer.alloc(limit + 1);
      let length = 0;
      for (let read = 1; read > 0 && length <= limit; length += read) {
        read = (await handle.read(buffer, length, buffer.length - length, null)).bytesRead;
      }
      return length > limit ? `larger than ${String(limit)} bytes` : { content: buffer.toString('utf8', 0, length) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return errorCode(error) === 'ELOOP' ? 'a symbolic link' : errorMessage(error);
  }
}

/** Removes a file that may be gone already. @returns whether it was there. */
export async function removeFile(file: string): Promise<boolean> {
  try {
    await unlink(file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
