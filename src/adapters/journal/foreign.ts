import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { done, refused, type Outcome } from '../../base/outcome';
import { ignoresAll } from '../files/ignoreAll';
import { firstPage, type FirstPage } from './firstPage';
import { applicationId, tableStatements } from './schema';

/** Refuses the database of another program at the journal's place; every step leaves it alone. */
export function foreign(file: string): ReturnType<typeof refused> {
  return refused(
    'STATE_STORE_FOREIGN',
    `${file} belongs to another program: it is a database, and no journal of Mission Control.`,
    'Run the mission in another workspace folder, because Mission Control needs .mission-control for itself.',
  );
}

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

/** An empty database becomes a journal. Our tables without our mark come from a dump; SQLite then judges the rest. */
function isOurs({ mark, isEmpty, text }: FirstPage): boolean {
  return isEmpty || mark === applicationId || tableStatements.every((statement) => text.includes(statement));
}

/** We make these entries before a journal. Another program may have a `.gitignore` of its own. */
async function wasOurs(folder: string): Promise<boolean> {
  const hasLease = lstat(path.join(folder, 'lease.db')).then(() => true);
  const own = await Promise.allSettled([hasLease, ignoresAll(folder)]);
  return own.some((one) => one.status === 'fulfilled' && one.value);
}
