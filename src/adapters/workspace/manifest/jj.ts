import path from 'node:path';
import { jjFolder } from '../../files/leftOutFolders';
import type { NativePath } from '../../files/entry';
import { isThere } from '../../git/files';

/** Says whether jj made this folder named `.jj`. */
export function isOfJj(folder: NativePath): boolean {
  const made = ['repo', 'working_copy'].map((name) => path.join(folder.toString(), name));
  return made.every(isThere);
}

export function isJjFolder(folder: string): boolean {
  return folder === jjFolder || folder.endsWith(`/${jjFolder}`);
}

/** The parts of the folder that are compared: settings, which start programs, and the files that lead elsewhere. */
export function comparedOfJj(folder: string): readonly string[] {
  return [
    ...['.gitignore', 'config.toml', 'workspace-config.toml', 'repo', 'repo/config.toml', 'repo/config-id'],
    'repo/store/git_target',
  ].map((name) => `${folder}/${name}`);
}
