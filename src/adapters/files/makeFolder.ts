import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../base/outcome';

/**
 * Creates a folder and those above it. Node's own `recursive` never ends where the parent seems absent, as below /proc.
 *
 * @throws the file system's own error (ENOENT, ENOTDIR, EACCES ...).
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const make = (): Promise<void> =>
    mkdir(folder, { mode }).catch(async (error: unknown) => {
      if (errorCode(error) !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
    });
  try {
    await make();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    await makeFolder(path.dirname(folder), mode);
    await make();
  }
}
