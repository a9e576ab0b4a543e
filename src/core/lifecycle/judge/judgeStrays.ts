import type { StrayChange, Strays } from '../../../contracts/launch';
import { fewNamed, firstLines } from '../../../base/text/firstNamed';
import type { Attempt } from '../../model/attempt';
import type { AttemptFailure } from '../../model/facts';
import type { ApprovedPlan, PlannedTask } from '../../plan/approvedPlan';
import { caseSensitive, within } from '../../paths/compare';
import { fileOf } from './judgeChanges';
import { recoverable } from '../parts/recoverable';

/**
 * Blocks for what the worker changed outside its paths. A layer took it, so it is known exactly and nothing of it was
 * kept. Where it is not all known, no worker is blamed. A person who has the result validated again takes the work
 * without it.
 */
export function judgeStrays(plan: Scratched, task: PlannedTask, attempt: Attempt): AttemptFailure | null {
  if (attempt.validates) return null;
  const strays = straysOf(plan, attempt);
  const comparison = attempt.observed?.comparison ?? caseSensitive;
  const others = strays.filter(({ path }) => !task.writes || !within(path, task.paths, comparison));
  const lines = strayLines(plan, attempt);
  if (others.length > 0) {
    const outside = task.writes ? 'outside its approved paths' : 'although its task only reads';
    return recoverable('stray_write', `${attempt.task_id} ${deeds(others)}, ${outside}; not kept.`, lines);
  }
  const [unread] = unknownIn(attempt);
  if (unread !== undefined)
    return recoverable(
      'layer_unread',
      `Mission Control could not take over all that ${attempt.task_id} wrote into its layer: ${unread}. This says nothing about its work.`,
      lines,
    );
  if (strays.length === 0) return null;
  // The launch's end puts plain files into the workspace alone, and none that another program changed.
  const why = strays.every(({ what }) => what === 'file')
    ? 'which something else changed meanwhile'
    : 'which is no plain file or changed meanwhile';
  return recoverable('stray_write', `${attempt.task_id} ${deeds(strays)}, ${why}; not kept.`, lines);
}

/**
 * Blocks when a verify command changed a file that was there. The layer showed the change to the next commands and does
 * not keep it. So they judged other files than those that stay. New files block nothing, because a check may build what
 * the next one reads.
 */
export function judgeWhatStays(plan: Scratched, attempt: Attempt): AttemptFailure | null {
  const changed = straysOf(plan, attempt, 'verify').filter(({ kind }) => kind !== 'added');
  if (changed.length === 0) return null;
  return recoverable(
    'verification_failed',
    `The verify commands ${deeds(changed)}, which is not kept. So they did not judge what stays.`,
    [
      'Let the task itself write that, in its approved paths, or let the check write below $TMPDIR alone.',
      ...linesOf(changed, attempt),
    ],
  );
}

type Scratched = Pick<ApprovedPlan, 'scratch'>;

/** Adds to a failure of the worker what it wrote outside its paths. */
export function withStrays(failure: AttemptFailure | null, plan: Scratched, attempt: Attempt): AttemptFailure | null {
  return failure && { ...failure, details: [...failure.details, ...strayLines(plan, attempt)] };
}

/** Returns one line for each of these changes, and for why others are not known. */
function strayLines(plan: Scratched, attempt: Attempt): readonly string[] {
  return [...linesOf(straysOf(plan, attempt), attempt), ...unknownIn(attempt).map((why) => `not known: ${why}`)];
}

function linesOf(strays: readonly StrayChange[], { task_id }: Attempt): readonly string[] {
  return firstLines(
    strays.map((stray) => `not kept: ${strayWords[stray.kind](stray)}${inLines(stray)}`),
    fileOf(task_id),
  );
}

const strayWords: { readonly [K in StrayChange['kind']]: (stray: StrayChange) => string } = {
  added: ({ what, path }) => `added ${what} ${path}`,
  modified: ({ what, path }) => `modified ${what} ${path}`,
  deleted: ({ what, path }) => `deleted ${what} ${path}`,
  type_changed: ({ what, path }) => `${path}, which became a ${what}`,
  mode_changed: ({ path }) => `the mode of ${path}`,
};

/** Says why the record does not name everything that the worker changed in its layer; empty: it does. */
function unknownIn(attempt: Pick<Attempt, 'launches'>): readonly string[] {
  return strayed(attempt).flatMap(({ trouble, more }) => [
    ...(trouble === null ? [] : [trouble]),
    ...(more === 0 ? [] : [`the record leaves out ${more} of its changes`]),
  ]);
}

function strayed({ launches }: Pick<Attempt, 'launches'>, of: 'worker' | 'verify' = 'worker'): readonly Strays[] {
  return launches.flatMap(({ purpose, end }) => (purpose.kind === of && end?.strays ? [end.strays] : []));
}

/**
 * The changes that count: not those in scratch. A file with the content that the real one had before a person changed
 * it was only touched.
 */
export function straysOf(
  plan: Scratched,
  attempt: Pick<Attempt, 'observed' | 'launches'>,
  of: 'worker' | 'verify' = 'worker',
): readonly StrayChange[] {
  const before = new Map(attempt.observed?.changes.map((change) => [change.path, change.before_sha256]) ?? []);
  const comparison = attempt.observed?.comparison ?? caseSensitive;
  const all = strayed(attempt, of).flatMap(({ changes }) => changes);
  const counted = all.filter(
    ({ path, sha256 }) => !within(path, plan.scratch, comparison) && (sha256 === null || before.get(path) !== sha256),
  );
  return [...new Map(counted.map((stray) => [stray.path, stray])).values()];
}

/** `wrote a (2 lines) and b, and removed c`. */
function deeds(strays: readonly StrayChange[]): string {
  const by = new Map<string, string[]>();
  for (const stray of strays)
    by.set(deed[stray.kind], [...(by.get(deed[stray.kind]) ?? []), `${stray.path}${inLines(stray)}`]);
  return [...by].map(([verb, names]) => `${verb} ${fewNamed(names)}`).join(', and ');
}

const deed: { readonly [K in StrayChange['kind']]: string } = {
  added: 'wrote',
  modified: 'wrote',
  type_changed: 'wrote',
  deleted: 'removed',
  mode_changed: 'changed the mode of',
};

function inLines({ lines }: StrayChange): string {
  if (lines === null || lines === 0) return '';
  return ` (${lines} ${lines === 1 ? 'line' : 'lines'})`;
}
