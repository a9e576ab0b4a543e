import { cell, inMarkdown, type MarkdownText } from '../../base/text/markdown';
import { isPlanted } from '../observation/certain';
import { announcedChanges } from '../observation/claim';
import { boundedTable } from './bounded';
import type { AttemptFacts, TaskFacts } from './facts';

type Change = AttemptFacts['changes'][number];

/** What was observed to change, by task, and what shows whose each change is. */
export function changes(tasks: readonly TaskFacts[]): MarkdownText {
  const rows = tasks.flatMap((task) =>
    task.attempts.flatMap((attempt) => {
      const announced = announcedOf(task, attempt);
      return attempt.changes.map((change) => ({ task_id: task.task_id, change, announced: announced.has(change) }));
    }),
  );
  if (rows.length === 0) return inMarkdown`No change was observed.`;
  const head = ['Task', 'Path', 'Change', 'Attributed to', 'Scope', 'SHA-256 after'];
  const body = boundedTable(head, rows, ({ task_id, change, announced }) => [
    cell(task_id),
    cell(change.path),
    change.kind,
    isByTime(change, announced) ? 'worker, by its time' : change.attribution,
    scopeWords(change, announced),
    change.after_sha256 === null ? '' : cell(change.after_sha256),
  ]);
  return rows.some(({ change, announced }) => isByTime(change, announced))
    ? inMarkdown`${body}\n\nBy its time: it changed while the worker ran, and no result announces it. Nothing else shows who wrote it.`
    : body;
}

/** Without a valid result its worker has announced nothing. */
function announcedOf({ places }: TaskFacts, { claim, changes: observed }: AttemptFacts): ReadonlySet<Change> {
  const claims = claim.kind === 'valid' ? claim.result.changes : [];
  const roots = places.flatMap(({ path, name }) => (name === '<workspace>' ? [path] : []));
  return announcedChanges(claims, observed, { roots });
}

/**
 * People, editors and other programs write at the same time: no sandbox keeps them from it. A planted hook is a
 * violation, although nothing shows who wrote it.
 */
function isByTime({ attribution, in_scope, path }: Change, announced: boolean): boolean {
  return attribution === 'worker' && (in_scope || isPlanted(path)) && !announced;
}

/** Says where a change lies by the approved paths of its task, or that others made it. */
function scopeWords(change: Change, announced: boolean): string {
  const { violation, doubt, in_scope, scratch, attribution } = change;
  if (violation !== null) return isByTime(change, announced) ? `${violation}; observed, not announced` : violation;
  if (in_scope) return isByTime(change, announced) ? 'in scope; observed, not announced' : 'in scope';
  if (scratch) return 'scratch of the plan';
  if (doubt !== undefined) return `${doubt}; nothing shows who made it`;
  return outsideWords[attribution];
}

/** A change outside the approved paths that is no violation, by who made it. */
const outsideWords: { readonly [A in Change['attribution']]: string } = {
  worker: 'beside the approved paths',
  verify: 'left by a verify command',
  external_change: 'made by others',
  unattributed: 'nothing shows who made it',
};
