import type { Stats } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { inboxCommandSchema, maxCommandBytes, type InboxCommandFile } from '../../contracts/inbox';
import { parsedJson } from '../../base/json';
import { readOnce } from '../files/opened';
import { errorWords, valueOn } from '../../base/outcome';

/** The command id in the name of a command file (`<uuid>.json`), or null. */
export function commandIdOf(name: string): string | null {
  const id = name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
  return isCommandId(id) ? id : null;
}

export function isCommandId(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);
}

/** Reads a command file that any process may have written. Returns the reason if it is no command with this id. */
export async function readCommandFile(file: string, id: string): Promise<InboxCommandFile | string> {
  const text = await readSmallFile(file, maxCommandBytes);
  if (typeof text !== 'object') return text;
  const value = parsedJson(text.content);
  if (value === undefined) return 'it is not JSON';
  const parsed = inboxCommandSchema.safeParse(value);
  if (!parsed.success) {
    return `what stands at ${parsed.error.issues.map(({ path }) => `/${path.map(String).join('/')}`).join(', ')} is not as this version writes it`;
  }
  return parsed.data.id === id ? parsed.data : 'the id in the file is not the one in its name';
}

/**
 * The content of a regular file of at most `limit` bytes that only this user can write; otherwise the fault of the
 * file. Follows no link, waits for no pipe, reads no more than the limit.
 */
export async function readSmallFile(file: string, limit: number): Promise<{ readonly content: string } | string> {
  try {
    const read = await readOnce(file, limit);
    switch (read.kind) {
      case 'absent':
        return 'it is gone';
      case 'irregular':
        return read.what === 'link' ? 'it is a symbolic link' : 'it is not a regular file';
      case 'too_large':
        return `it is larger than ${String(limit)} bytes`;
      case 'file':
        return foreign(read.stats) ?? { content: read.bytes.toString('utf8') };
    }
  } catch (error) {
    return errorWords(error);
  }
}

function foreign({ uid, mode }: Stats): string | null {
  if (process.getuid !== undefined && uid !== process.getuid()) return `belongs to user ${String(uid)}`;
  return process.platform !== 'win32' && (mode & 0o022) !== 0 ? 'others may write to it' : null;
}

/** Removes a file. Returns whether it was there. */
export function removeFile(file: string): Promise<boolean> {
  return unlink(file).then(() => true, valueOn(false, 'ENOENT'));
}
