import { refused } from '../../base/outcome';
import type { FirstPage } from './firstPage';
import { applicationId, tableStatements } from './schema';

/** Refuses the database of another program at the journal's place; every step leaves it alone. */
export function foreign(file: string): ReturnType<typeof refused> {
  return refused(
    'STATE_STORE_FOREIGN',
    `${file} belongs to another program: it is a database, and no journal of Mission Control.`,
    'Run the mission in another workspace folder, because Mission Control needs .mission-control for itself.',
  );
}

/** An empty database becomes a journal. Our tables without our mark come from a dump; SQLite then judges the rest. */
export function isOurs({ mark, isEmpty, text }: FirstPage): boolean {
  return isEmpty || mark === applicationId || tableStatements.every((statement) => text.includes(statement));
}
