import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** The real directory at an absolute path, or the one that holds, or would hold, it; null: neither exists. */
export async function folderOf(place: string): Promise<string | null> {
  for (const candidate of [place, path.dirname(place)]) {
    const found = await stat(candidate).catch(() => null);
    if (found?.isDirectory() === true) return realpath(candidate);
  }
  return null;
}
