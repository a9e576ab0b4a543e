import { cell, inMarkdown, type MarkdownText } from '../../base/text/marked/markdown';
import { boundedTable, type SummaryFacts, onlyValidates } from './summaryParts';
import { goneIn } from '../../base/foldChanges';
import { isDeskFile } from '../../base/leftovers';
import { announcedChanges } from '../observation/claim';
import { placeKey } from '../observation/outstanding';
import type { AttemptEvidence, TaskWithAttempts } from '../../contracts/taskEvidence';

/** Says what was observed to change, by task, and what shows whose each change is. */
export function changes(facts: SummaryFacts): MarkdownText {
  const rows = facts.tasks.flatMap((task) => changeRows(task, facts).map((row) => ({ ...row, task_id: task.task_id })));
  if (rows.length === 0) return inMarkdown`No change was observed.`;
  const head = ['Task', 'Path', 'Change', 'Attributed to', 'Scope', 'SHA-256 after'];
  const body = boundedTable(head, rows, (row) => [
    cell(row.task_id),
    cell(row.change.path),
    row.change.kind,
    attributionWords(row),
    `${scopeWords(row)}${putBackWords(row)}`,
    row.change.after_sha256 === null ? '' : cell(row.change.after_sha256),
  ]);
  const byTime = rows.filter(isByTime);
  if (byTime.length === 0) return body;
  const ran = [
    ...(byTime.some(({ change }) => change.attribution === 'worker') ? ['the worker'] : []),
    ...(byTime.some(({ change }) => change.attribution === 'verify') ? ['a verify command'] : []),
  ];
  return inMarkdown`${body}\n\nBy its time: it changed while ${ran.join(' or ')} ran, and neither a result nor a stream announces it. Nothing else shows who wrote it.`;
}

/** Says of a change that is not the worker's who made it; completes "It changed during the attempt, and ...". */
export function foreignWords(change: ChangeRow['change']): string {
  if (isByName(change)) return `it is ${namedLikeEditors}`;
  if (change.attribution === 'unattributed') return 'nothing shows who made that change';
  return 'it is not held against the worker';
}

/** Others write at the same time, so some such changes are violations although nothing shows who wrote them. */
function isByTime({ change: { attribution }, announced }: ChangeRow): boolean {
  return (attribution === 'worker' || attribution === 'verify') && !announced;
}

function attributionWords(row: ChangeRow): string {
  if (isByName(row.change)) return `${row.change.attribution}, by its name`;
  return isByTime(row) ? `${row.change.attribution}, by its time` : row.change.attribution;
}

/** A worker may give its files such names, too. */
function isByName({ attribution, by_others, path }: ChangeRow['change']): boolean {
  return attribution === 'external_change' && !by_others && isDeskFile(path);
}

const namedLikeEditors = 'named like an editor’s own file';

function putBackWords({ put_back_in: by }: ChangeRow): string {
  if (by === null) return '';
  return `; put back, as ${by === 'validation' ? 'a validation' : `attempt ${by}`} found`;
}

/** Says where a change lies by the approved paths of its task, or that others made it. */
function scopeWords(row: ChangeRow): string {
  const { violation, doubt, in_scope, scratch, attribution } = row.change;
  if (violation !== null) return isByTime(row) ? `${violation}; observed, not announced` : violation;
  if (in_scope) return isByTime(row) ? 'in scope; observed, not announced' : 'in scope';
  if (scratch) return 'scratch of the plan';
  if (doubt !== undefined)
    return attribution === 'worker' ? `${doubt}; a layer kept it` : `${doubt}; nothing shows who made it`;
  if (row.change.by_others) return 'made by others';
  if (isByName(row.change)) return namedLikeEditors;
  return outsideWords[attribution];
}

/** A change outside the approved paths that is no violation, by who made it. */
const outsideWords: { readonly [A in ChangeRow['change']['attribution']]: string } = {
  worker: 'beside the approved paths',
  verify: 'found after the verify commands',
  external_change: 'not held against the worker',
  unattributed: 'nothing shows who made it',
};

type Change = AttemptEvidence['changes'][number];

type Streamed = Pick<SummaryFacts, 'places' | 'streamed'>;

/** A change of a task as a reader of the evidence sees it: once, however many attempts found the same. */
interface ChangeRow {
  readonly change: Change;
  readonly announced: boolean;
  /** The attempt that found it put back, `validation` because that is not counted as one; null: none did. */
  readonly put_back_in: number | 'validation' | null;
}

/** Returns what the attempts of a task found changed, oldest first. */
function changeRows(task: TaskWithAttempts, facts: Streamed): readonly ChangeRow[] {
  const rows: (ChangeRow & { readonly attempt: number })[] = [];
  const last = new Map<string, number>();
  const putBack = (place: string, by: AttemptEvidence): void => {
    const at = last.get(place);
    const row = at === undefined ? undefined : rows[at];
    if (at !== undefined && row?.put_back_in === null && row.attempt < by.attempt)
      rows[at] = { ...row, put_back_in: onlyValidates(by) ? 'validation' : by.attempt };
  };
  let validated = 0;
  for (const attempt of task.attempts) {
    const number = attempt.attempt;
    for (const entry of task.outstanding ?? []) if (goneIn(entry) === number) putBack(placeKey(entry), attempt);
    if (!onlyValidates(attempt)) validated = number;
    else if (attempt.observed_sha256 !== null) {
      // A validation looks at everything since the baseline of the attempt that it validates.
      const found = new Set(attempt.changes.map(placeKey));
      for (const { change, attempt: made } of [...rows])
        if (made >= validated && !found.has(placeKey(change))) putBack(placeKey(change), attempt);
    }
    const announced = announcedOf(task, attempt, facts);
    for (const change of attempt.changes) {
      const place = placeKey(change);
      const known = rows[last.get(place) ?? -1];
      const row = { change, announced: announced.has(change), put_back_in: null, attempt: number };
      if (known && known.put_back_in === null && isSame(known, row)) continue;
      last.set(place, rows.push(row) - 1);
    }
  }
  return rows;
}

/** The changes that the worker announced in its result or its stream. */
function announcedOf(
  { task_id }: TaskWithAttempts,
  { attempt, claim, late_result, intervention, changes: observed }: AttemptEvidence,
  { places = [], streamed }: Streamed,
): ReadonlySet<Change> {
  const stream = streamed?.get(`${task_id}#${attempt}`) ?? [];
  const { packet } = intervention ?? late_result?.claim ?? claim;
  const roots = places.flatMap(({ path, name }) => (name === '<workspace>' ? [path] : []));
  const announced = announcedChanges(packet?.changes ?? [], observed, { roots });
  return new Set(observed.filter((change) => announced.has(change) || stream.includes(change.path)));
}

function isSame(known: ChangeRow, row: ChangeRow): boolean {
  const facts = ({ announced, change }: ChangeRow): string =>
    JSON.stringify([announced, change.kind, change.after_sha256, change.attribution, change.violation, change.doubt]);
  return facts(known) === facts(row);
}
