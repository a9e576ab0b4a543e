import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, chmod, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemIds } from '../system/clock';
import { done, errorCode, refused, type Outcome, succeeds } from '../../base/outcome';
import { liesIn } from '../files/outside';
import { keepYoung, programsFolder } from './programs';
import { unavailable } from './folder';

/** Resolves with the executable to start. Rejects if the file is gone, or has changed since it was opened here. */
export type NodeFile = () => Promise<string>;

/**
 * Returns the Node that runs our programs. Copies one inside the workspace, such as `node_modules/node`, because a
 * worker could replace it. The copy lies in the user's state folder, named by digest. VS Code's Electron cannot be
 * copied alone. So it is used in place as long as it stays the same file.
 */
export async function nodeOutside(
  execPath: string,
  workspaceDir: string,
  state: string,
  electron = process.versions['electron'] !== undefined,
): Promise<Outcome<NodeFile>> {
  if (!liesIn(execPath, [workspaceDir])) {
    return done(async () => {
      if (await succeeds(stat(execPath))) return execPath;
      throw new Error(`PROGRAM_CHANGED: ${goneWords(execPath, electron)}`);
    });
  }
  try {
    const place = electron ? execPath : await copyOf(execPath, programsFolder(state));
    if (!electron) await keepYoung(place);
    const first = await identityOf(place);
    return done(async () => {
      if ((await identityOf(place)) === first) return place;
      throw new Error(`PROGRAM_CHANGED: ${place} is no longer the program that it was when the mission was opened`);
    });
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !(await succeeds(stat(execPath))))
      return refused('PROGRAM_CHANGED', `${execPath}, which runs this, is gone.`, 'Run the command again.');
    return unavailable(state, error);
  }
}

/** The reason for people: a version manager or an update of VS Code removes the program under a running mission. */
function goneWords(execPath: string, electron: boolean): string {
  const step = electron
    ? 'Reload the window, then retry the task.'
    : 'End this command, then retry the task under the Node that is installed now.';
  return `${execPath}, which runs this mission, is gone, because an update or a person removed it. ${step}`;
}

/** Makes one copy for each content, which gets its name once it is complete and checked. */
async function copyOf(execPath: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sha256 = await digest(execPath);
  const extension = process.platform === 'win32' ? '.exe' : '';
  const file = path.join(folder, `node-${sha256.slice(0, 16)}${extension}`);
  if ((await lstat(file).catch(() => null))?.isFile() === true && (await digest(file)) === sha256) return file;
  const half = `${file}.${systemIds.uuid()}.tmp`;
  try {
    await copyFile(execPath, half, constants.COPYFILE_FICLONE);
    await chmod(half, 0o700);
    if ((await digest(half)) !== sha256) throw new Error(`${execPath} changes while it is copied`);
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
  }
  return file;
}

/** Reads into one buffer, because a stream would take new memory for each piece. A Node has a hundred megabytes. */
async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file);
  try {
    const buffer = Buffer.allocUnsafe(1 << 20);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Identifies the file: no process can write or replace it and keep all of these. */
async function identityOf(file: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
