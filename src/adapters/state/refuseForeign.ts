import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { done, type Outcome } from '../../base/outcome';
import { firstPage } from '../journal/firstPage';
import { foreign, isOurs } from '../journal/foreign';
import { ignoresAll } from './folder';

/**
 * Looks before anything is made in the state folder, and before SQLite opens the file. So the database of another
 * program gets no side file, and its log stays as it is.
 *
 * A folder that was ours before is not looked at: this process may have its journal open, and to close a second
 * descriptor of it drops the locks.
 */
export async function refuseForeign(file: string): Promise<Outcome<null>> {
  if (await wasOurs(path.dirname(file))) return done(null);
  const page = await firstPage(file);
  return page === null || isOurs(page) ? done(null) : foreign(file);
}

/**
 * Our own entries are made before a journal is. Another program has a `.gitignore` too, with other lines; our lease is
 * empty.
 */
async function wasOurs(folder: string): Promise<boolean> {
  if (await ignoresAll(folder).catch(() => false)) return true;
  const lease = await lstat(path.join(folder, 'lease.db')).catch(() => null);
  return lease?.isFile() === true && lease.size === 0;
}
