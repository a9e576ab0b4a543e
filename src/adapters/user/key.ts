import { createHmac, randomBytes } from 'node:crypto';
import { chmod, link, lstat, open, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { homeFolder } from '../system/machine';
import { ignoreAll, readOnce } from '../files/opened';
import { done, errorWords, refused, valueOn, type Outcome } from '../../base/outcome';
import { makeFolder } from '../files/makeFolder';

/**
 * The key of this user on this machine. A seal proves that it was made here. It protects against content that travels
 * with a repository, not against a process of the same user.
 */
export interface UserKey {
  /** The folder that holds the key, and other files of this user. */
  readonly folder: string;
  /** Upper-case hex. Separates the parts, whatever they hold. */
  seal(...parts: readonly string[]): string;
}

/** The key's folder, always below home, because a desktop session and a shell may set other variables differently. */
export function userKeyFolder(home: string, platform: NodeJS.Platform = process.platform): string {
  const names = platform === 'win32' ? path.win32 : path.posix;
  switch (platform) {
    case 'win32':
      return names.join(home, 'AppData', 'Local', 'Mission Control');
    case 'darwin':
      return names.join(home, 'Library', 'Application Support', 'Mission Control');
    default:
      return names.join(home, '.config', 'mission-control');
  }
}

/** Null: the user has no home folder (containers), so nothing is sealed. */
export function ownKeyFolder(): string | null {
  const home = homeFolder();
  return home === null ? null : userKeyFolder(home);
}

const keyName = 'approval.key';
const keyBytes = 32;

/** Opens the key and creates it if it is missing. Refuses one that other users could have read or written. */
export async function openUserKey(folder = ownKeyFolder()): Promise<Outcome<UserKey>> {
  if (folder === null) return homeless('this user has no home folder');
  const file = path.join(folder, keyName);
  try {
    await makeFolder(folder, 0o700);
    const unfit = await folderFault(folder);
    if (unfit !== null) return unusable(folder, unfit);
    let read = await readOnce(file, keyBytes);
    if (read.kind === 'absent') {
      await makeKey(folder, file);
      read = await readOnce(file, keyBytes);
    }
    if (read.kind !== 'file')
      return unusable(file, read.kind === 'irregular' ? `it is a ${read.what}` : 'it is no key');
    const wrong = ownerFault(read.stats);
    if (wrong !== null) return unusable(file, wrong);
    const { bytes } = read;
    if (bytes.length !== keyBytes)
      return unusable(file, `it has ${String(bytes.length)} bytes instead of ${String(keyBytes)}`);
    const seal = (...parts: readonly string[]): string =>
      createHmac('sha256', bytes).update(JSON.stringify(parts)).digest('hex').toUpperCase();
    return done({ folder, seal });
  } catch (error) {
    return homeless(`${file}: ${errorWords(error)}`);
  }
}

/** Creates the key atomically: if two processes try, one creates it and both read the same. */
async function makeKey(folder: string, file: string): Promise<void> {
  // Many people keep their home in a repository, and commits travel.
  const ignored = writeFile(path.join(folder, '.gitignore'), ignoreAll, { flag: 'wx', mode: 0o600 });
  await ignored.catch(valueOn(undefined, 'EEXIST'));
  const draft = path.join(folder, `.${keyName}.${randomBytes(8).toString('hex')}`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(randomBytes(keyBytes));
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file).catch(valueOn(undefined, 'EEXIST'));
  } finally {
    await unlink(draft);
  }
}

async function folderFault(folder: string): Promise<string | null> {
  const stats = await lstat(folder);
  if (!stats.isDirectory()) return 'it is not a folder';
  const user = process.getuid?.();
  if (user === undefined) return null;
  if (stats.uid !== user) return `it belongs to user ${String(stats.uid)}`;
  if ((stats.mode & 0o022) !== 0) return 'others may write into it, and `chmod 700` ends that';
  if ((stats.mode & 0o077) !== 0) await chmod(folder, 0o700);
  return null;
}

function ownerFault({ uid, mode }: { readonly uid: number; readonly mode: number }): string | null {
  const user = process.getuid?.();
  if (user === undefined) return null;
  if (uid !== user) return `it belongs to user ${String(uid)}`;
  return (mode & 0o077) === 0 ? null : 'others may read or write it, and `chmod 600` ends that';
}

/** No variable but HOME leads to a key, because a repository could set one and bring a key. */
function homeless(why: string): ReturnType<typeof refused> {
  return refused(
    'STATE_FOLDER_UNAVAILABLE',
    `The key that seals approvals and journals has no place: ${why}.`,
    'Set HOME to a folder of your own that you can write: the key lies there and nowhere else.',
  );
}

function unusable(file: string, why: string): ReturnType<typeof refused> {
  return refused(
    'STATE_FOLDER_UNAVAILABLE',
    `The key that seals approvals and journals is not used: ${file}: ${why}.`,
    `Look at ${file}. Open missions and the memory go on with this key alone; move it away only to begin anew.`,
  );
}
