import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, chmod, lstat, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemIds } from '../system/ids';
import { done, errorCode, refused, type Outcome } from '../../base/outcome';
import { liesIn } from '../files/outside';
import { keepYoung, programsFolder } from './programs';
import { unavailable } from './folder';

/** Answers with the executable to start. Rejects where it has become another file than the one that was looked at. */
export type NodeFile = () => Promise<string>;

/**
 * What runs our programs. A Node that lies in the workspace (`node_modules/node`, HOME as the workspace) could be
 * replaced by a worker: then a copy in the user's state folder is used, by digest. VS Code's own Electron cannot be
 * copied without everything around it: it is used where it lies as long as it stays the same file.
 */
export async function nodeOutside(
  execPath: string,
  workspaceDir: string,
  state: string,
  electron = process.versions['electron'] !== undefined,
): Promise<Outcome<NodeFile>> {
  if (!liesIn(execPath, [workspaceDir])) return done(() => Promise.resolve(execPath));
  try {
    const place = electron ? execPath : await copyOf(execPath, programsFolder(state));
    if (!electron) await keepYoung(place);
    const first = await identityOf(place);
    return done(async () => {
      if ((await identityOf(place)) === first) return place;
      throw new Error(`PROGRAM_CHANGED: ${place} is not the program any more that it was when the mission was opened`);
    });
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !(await exists(execPath)))
      return refused('PROGRAM_CHANGED', `${execPath}, which runs this, is gone.`, 'Run the command again.');
    return unavailable(state, error);
  }
}

/** One copy per content. It is complete and checked when it gets its name. */
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

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Nobody can write to a file, or put another in its place, and leave all of these as they were. */
async function identityOf(file: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
