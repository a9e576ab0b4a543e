import path from 'node:path';
import { readOnce } from './opened';

/** The whole `.gitignore` of each folder of ours: git ignores everything in it, this file as well. */
export const ignoreAll = '*\n';

/** Returns whether a folder has exactly our `.gitignore`. @throws the file system's own error. */
export async function ignoresAll(folder: string): Promise<boolean> {
  const found = await readOnce(path.join(folder, '.gitignore'), Buffer.byteLength(ignoreAll));
  return found.kind === 'file' && found.bytes.toString() === ignoreAll;
}
