import { announcedChanges } from '../observation/claim';
import { placeKey } from '../observation/outstanding';
import { onlyValidates } from './validations';
import type { AttemptEvidence, TaskWithAttempts } from '../../contracts/taskEvidence';
import type { SummaryFacts } from './summaryParts';

type Change = AttemptEvidence['changes'][number];

type Streamed = Pick<SummaryFacts, 'places' | 'streamed'>;

/** A change of a task as a reader of the evidence sees it: once, however many attempts found the same. */
export interface ChangeRow {
  readonly change: Change;
  /** The worker itself announced it. */
  readonly announced: boolean;
  /** The attempt that found it put back, `validation` because that is not counted as one; null: none did. */
  readonly put_back_in: number | 'validation' | null;
}

/** Returns what the attempts of a task found changed, oldest first. */
export function changeRows(task: TaskWithAttempts, facts: Streamed): readonly ChangeRow[] {
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
    for (const entry of task.outstanding ?? []) if (entry.gone_in_attempt === number) putBack(placeKey(entry), attempt);
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
