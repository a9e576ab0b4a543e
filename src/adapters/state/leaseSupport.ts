import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { errorHelp, done, errorWords, refused, type Outcome } from '../../base/outcome';
import { localDisk } from '../journal/sqlite';
import { stateFolderOf } from './folder';

/**
 * Says whether an existing workspace folder can hold a lease and a write-ahead log. That takes a
 * path short enough for SQLite, locks that every process sees, and shared memory. Network file
 * systems promise locks and break the promise. Linux shows them by the file system type at `place`.
 * Windows shows them by the form of the path, macOS only by the first lock.
 */
export async function leaseSupport(workspace: string, place = workspace): Promise<Outcome<null>> {
  const bytes = Buffer.byteLength(stateFolderOf(workspace).stateDb);
  if (process.platform !== 'win32' && bytes > longestDatabasePath) {
    const longer = bytes - longestDatabasePath;
    return refused(
      'LEASE_UNSUPPORTED',
      `${workspace} is too long a path: the state store inside it could not be opened (${longer} bytes over the limit of SQLite).`,
      `Move the workspace to a path that is shorter by ${longer} bytes or more.`,
    );
  }
  try {
    const network = process.platform === 'linux' ? networkFileSystem((await statfs(place)).type) : uncShare(place);
    if (network === null) return done(null);
    return refused('LEASE_UNSUPPORTED', `${place} is on ${network}, where ownership cannot be held safely.`, localDisk);
  } catch (error) {
    const reason = `${place} cannot be looked at: ${errorWords(error)}.`;
    return refused('STATE_STORE_UNWRITABLE', reason, errorHelp(error, 'Make it readable and writable for your user.'));
  }
}

/**
 * The name of a network file system by Linux's `statfs` type; null: it is local. FUSE and 9p are not listed, because
 * development containers and WSL use them and their locks work.
 */
export function networkFileSystem(type: number): string | null {
  return networkFileSystems.get(type >>> 0) ?? null;
}

/** SQLite keeps 8 of its 512 bytes for the names of its side files (`MAX_PATHNAME`, os_unix.c). */
const longestDatabasePath = 504;

/** Source: linux/magic.h and statfs(2). */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x73757245, 'Coda'],
  [0x564c, 'NCP'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
]);

function uncShare(folder: string): string | null {
  if (process.platform !== 'win32') return null;
  return path.parse(path.resolve(folder)).root.startsWith('\\\\') ? 'a network share' : null;
}
