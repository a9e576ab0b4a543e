import { firstNamed } from '../../base/text/firstNamed';
import { inMarkdown, table, type MarkdownText, type MarkdownValue } from '../../base/text/marked/markdown';

/** The first hundred entries, then a text about the rest. */
export function bounded<T>(all: readonly T[]): readonly (T | string)[] {
  return firstNamed<T | string>(all, 'TASK_<task_id>.json beside this file', (listed) => listed);
}

/** A table of the first hundred rows, with the number of all rows when there are more. */
export function boundedTable<T extends object>(
  head: readonly string[],
  rows: readonly T[],
  cells: (row: T) => readonly MarkdownValue[],
): MarkdownText {
  const shown = bounded(rows);
  const body = table(
    head,
    shown.flatMap((row) => (typeof row === 'string' ? [] : [cells(row)])),
  );
  const rest = shown.at(-1);
  return typeof rest === 'string' ? inMarkdown`${String(rows.length)} in all:\n\n${body}\n\n... ${rest}.` : body;
}
