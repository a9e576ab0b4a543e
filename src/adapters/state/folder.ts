import type { Stats } from 'node:fs';
import { access, chmod, constants, lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/atomic';
import { ignoreAll, ignoresAll } from '../files/opened';
import {
  errorHelp,
  done,
  errorCode,
  errorWords,
  refused,
  valueOn,
  type Outcome,
  type Refusal,
} from '../../base/outcome';

export const stateFolderName = '.mission-control';

/**
 * The paths in one workspace folder's `.mission-control/`. All are absolute.
 *
 * Never open, copy or hash `state.db*` and `lease.db` with file functions: closing any descriptor of them drops this
 * process's POSIX locks on them, and with the locks the ownership.
 */
export interface StateFolder {
  readonly workspace: string;
  readonly root: string;
  readonly stateDb: string;
  readonly leaseDb: string;
  readonly inboxDir: string;
  readonly missionsDir: string;
  /** @throws RangeError when the id is not `isPathId`. */
  missionDir(missionId: string): string;
}

/** Returns whether an id can be a file name on every platform and cannot leave its folder. */
export function isPathId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id) && !id.endsWith('.') && !windowsDevice.test(id);
}

/** Computes the paths; touches nothing. */
export function stateFolderOf(workspace: string): StateFolder {
  const root = path.join(path.resolve(workspace), stateFolderName);
  const missionsDir = path.join(root, 'missions');
  return {
    workspace: path.dirname(root),
    root,
    stateDb: path.join(root, 'state.db'),
    leaseDb: path.join(root, 'lease.db'),
    inboxDir: path.join(root, 'inbox'),
    missionsDir,
    missionDir: (missionId) => path.join(missionsDir, pathId(missionId)),
  };
}

/**
 * Makes the state folder, for this user only: no links, mode 0700, ignored by git. Else refuses
 * (STATE_STORE_UNWRITABLE).
 */
export async function openStateFolder(workspace: string): Promise<Outcome<StateFolder>> {
  const folder = stateFolderOf(workspace);
  try {
    // Looks before it creates anything, because an existing entry may lead elsewhere.
    const before = await findStateFolder(workspace);
    if (!before.ok) return before;
    for (const directory of [folder.root, folder.inboxDir, folder.missionsDir])
      await mkdir(directory, { mode: 0o700 }).catch(valueOn(undefined, 'EEXIST'));
    const found = await findStateFolder(workspace);
    if (!found.ok) return found;
    for (const directory of [folder.root, folder.inboxDir, folder.missionsDir]) {
      if (process.platform !== 'win32') await chmod(directory, 0o700);
      await access(directory, constants.W_OK);
    }
    if (!(await ignoresAll(folder.root))) await writeFileAtomic(path.join(folder.root, '.gitignore'), ignoreAll);
    return done(folder);
  } catch (error) {
    return unwritable(
      `${folder.root} cannot be used: ${errorWords(error)}.`,
      errorHelp(error, 'Make the workspace folder writable for your user.'),
    );
  }
}

/**
 * For viewers: the state folder; null: it does not exist. Refuses what could mislead a reader: links, files in place of
 * folders, another user's folder.
 *
 * @param user whose folder it must be; by default the user of this process
 */
export async function findStateFolder(
  workspace: string,
  user = process.getuid?.(),
): Promise<Outcome<StateFolder | null>> {
  const folder = stateFolderOf(workspace);
  const expected = [
    { at: folder.root, kind: 'folder' },
    { at: folder.inboxDir, kind: 'folder' },
    { at: folder.missionsDir, kind: 'folder' },
    { at: path.join(folder.root, '.gitignore'), kind: 'file' },
    { at: folder.stateDb, kind: 'file' },
    { at: `${folder.stateDb}-wal`, kind: 'file' },
    { at: `${folder.stateDb}-shm`, kind: 'file' },
    { at: folder.leaseDb, kind: 'file' },
  ] as const;
  for (const { at, kind } of expected) {
    let stats: Stats;
    try {
      stats = await lstat(at);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        return unwritable(
          `${at} cannot be looked at: ${errorWords(error)}.`,
          errorHelp(error, `Make ${folder.root} and everything in it readable and writable for your user.`),
        );
      if (at === folder.root) return done(null);
      continue;
    }
    const wrong = whatIsWrong(stats, kind, user);
    if (wrong !== null) {
      return unwritable(`${at} ${wrong}.`, wayOut(at, stats, user));
    }
  }
  return done(folder);
}

/** Says why an owner that opened the folder earlier cannot record anything now; null: it can. */
export async function stateTrouble(workspace: string): Promise<Refusal | null> {
  const found = await findStateFolder(workspace);
  if (!found.ok) return found.refusal;
  if (found.value !== null) return null;
  const { root } = stateFolderOf(workspace);
  return unwritable(`${root} was removed or moved away.`, `Put ${root} back, or run again to begin a new one.`).refusal;
}

const windowsDevice = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

function whatIsWrong(stats: Stats, kind: 'folder' | 'file', user: number | undefined): string | null {
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  if (kind === 'folder' ? !stats.isDirectory() : !stats.isFile()) return `is not a ${kind}`;
  return isForeign(stats, user) ? `belongs to user ${stats.uid}, not to user ${user ?? '?'}` : null;
}

/** The step for a folder that another user owns, because this user cannot move it. */
function wayOut(at: string, stats: Stats, user: number | undefined): string {
  return isForeign(stats, user)
    ? `Work as user ${stats.uid}, whose it is, or let that user give ${at} to yours.`
    : `Look at ${at} and move it away if you did not expect it.`;
}

function isForeign({ uid }: Stats, user: number | undefined): boolean {
  return user !== undefined && uid !== user;
}

function unwritable(reason: string, ...next: string[]): ReturnType<typeof refused> {
  return refused('STATE_STORE_UNWRITABLE', reason, ...next);
}

/** The id; throws where a file name cannot hold it. */
export function pathId(id: string): string {
  if (!isPathId(id)) throw new RangeError(`not usable as a file name: ${JSON.stringify(id)}`);
  return id;
}
