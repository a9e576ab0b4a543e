import { taskFile } from '../../../contracts/vocabulary/files/evidenceFiles';
import type { StrayChange, Strays } from '../../../contracts/launch';
import { fewNamed, firstLines } from '../../../base/text/firstNamed';
import type { Attempt } from '../../model/attempt';
import type { EventOf } from '../../model/events';
import type { AttemptFailure } from '../../model/facts';
import { caseSensitive, inScope } from '../../paths/compare';
import { recoverable } from '../parts/recoverable';
import type { Judged } from './rules';
import { isBehindLink, outsideOf, overwrittenOf, strayed, straysOf, type Scratched } from '../parts/strays';

/**
 * Blocks for what a layer kept back, which is known exactly. Only a write outside the paths is held against the worker.
 * A person who has the result validated again takes the work without it.
 */
export function judgeStrays({ mission: { plan }, row, attempt }: Judged): AttemptFailure | null {
  if (attempt.validates) return null;
  const { task_id } = attempt;
  const strays = straysOf(plan, attempt);
  const outside = outsideOf(plan, row, attempt);
  const lines = strayLines(plan, attempt);
  if (outside.length > 0) {
    const where = row.task.writes ? 'outside its approved paths' : 'although its task only reads';
    // Where each named one lies outside, so do those that the record leaves out, as far as it is known.
    const more = outside.length === strays.length ? strayed(attempt) : [];
    return recoverable('stray_write', `${task_id} ${deeds(outside, more)}, ${where}; not kept.`, lines);
  }
  const doubtful = outsideOf(plan, row, attempt, true);
  const changedMeanwhile = new Set([...overwrittenOf(attempt), ...doubtful].map(({ path }) => path));
  const [unread] = [
    ...unknownIn(attempt),
    ...strays.filter(({ path }) => !changedMeanwhile.has(path)).map(whyNotThere),
  ];
  if (unread !== undefined)
    return recoverable(
      'layer_unread',
      `Mission Control could not take over all that ${task_id} wrote into its layer: ${unread}. This says nothing about its work.`,
      lines,
    );
  if (strays.length === 0) return null;
  if (doubtful.length > 0) {
    const names = fewNamed(doubtful.map((stray) => `${stray.path}${inLines(stray)}`));
    return recoverable(
      'external_change',
      `In the layer of ${task_id} this differs from the workspace, and who wrote it is not known, because something else changed it meanwhile: ${names}. What stands in the workspace was left alone, and the layer was not kept.`,
      lines,
    );
  }
  return recoverable(
    'external_change',
    `${task_id} ${deeds(strays)}, ${strays.every(({ path }) => isBehindLink(attempt, path)) ? 'where a link leads elsewhere that was made meanwhile' : 'which something else changed meanwhile'}. What stands there now was left alone, and what ${task_id} wrote there was not kept.`,
    lines,
  );
}

function whyNotThere({ path, what }: StrayChange): string {
  return what === 'file' || what === 'folder'
    ? `${path} could not be put where something else stands`
    : `${path} is a ${what}, and only files and folders are put there`;
}

/**
 * Blocks when a verify command changed a file that was there, or wrote in the approved paths. The layer showed it to the
 * next commands and does not keep it. So they judged other files than those that stay. A new file elsewhere blocks
 * nothing, because a check may build what the next one reads. In an approved path the plan expects the result: there it
 * would be missing. Source: seed 004, no output bypasses verification.
 */
export function judgeWhatStays({ mission: { plan }, row: { scope }, attempt }: Judged): AttemptFailure | null {
  const comparison = attempt.observed?.comparison ?? caseSensitive;
  const changed = straysOf(plan, attempt, 'verify').filter(
    ({ kind, path }) => kind !== 'added' || inScope(path, scope.paths, comparison),
  );
  if (changed.length === 0) return null;
  return recoverable(
    'verification_failed',
    `The verify commands ${deeds(changed)}, which is not kept. So they did not judge what stays.`,
    [
      'Let the task itself write that, in its approved paths, or let the check write below $TMPDIR or in execution.scratch alone.',
      ...linesOf(changed, attempt),
    ],
  );
}

export function notLanded(event: EventOf<'WorkNotLanded'>): AttemptFailure {
  const { task_id, changed, gone, conflicts, reason } = event;
  if (conflicts)
    return recoverable(
      'external_change',
      `Nothing of the work of ${task_id} is in the workspace. ${reason} What stands there now was left alone.`,
      [
        ...conflicts.map(
          ({ path, task_id: other }) =>
            `${path}: ${other} put its version into the workspace, and the layer of ${task_id} has another.`,
        ),
        'Review Changes and "mission diff" show both sides, each with the task that wrote it. A new attempt starts from what is there now.',
      ],
    );
  if (gone)
    return recoverable(
      'layer_unread',
      `The work of ${task_id} is lost, and nothing of it is in the workspace. ${reason} This says nothing about the work.`,
      [],
      { work_gone: true },
    );
  return changed.length > 0
    ? recoverable(
        'external_change',
        `${task_id} is verified, and its work is not in the workspace. ${reason} What stands there now was left alone.`,
        [],
      )
    : recoverable(
        'layer_unread',
        `${task_id} is verified, and not all of its work is in the workspace. ${reason} This says nothing about the work.`,
        [],
      );
}

/** Begins a block with what a layer keeps of the work: long lists are cut at their end. */
export function withWaiting(attempt: Attempt, failure: AttemptFailure, waits: boolean): AttemptFailure {
  const paths = (attempt.observed?.changes ?? []).flatMap(({ path, layered }) => (layered ? [path] : []));
  if (failure.kind !== 'recoverable' || !waits || attempt.landing || paths.length === 0) return failure;
  const kept = `Nothing of its work is in the workspace. A layer keeps it, and "mission diff" shows it: ${fewNamed(paths)}`;
  return { ...failure, details: [kept, ...failure.details] };
}

export function withStrays(failure: AttemptFailure | null, { mission, attempt }: Judged): AttemptFailure | null {
  return failure && { ...failure, details: [...failure.details, ...strayLines(mission.plan, attempt)] };
}

/** Adds what git ignores and no layer kept, which the command may need. Scratch of the plan keeps such work. */
export function withDropped(failure: AttemptFailure | null, { mission, attempt }: Judged): AttemptFailure | null {
  if (failure?.kind !== 'recoverable') return failure;
  const lines = mission.rows.flatMap(({ task: { task_id }, attempts }) => {
    const made = task_id === attempt.task_id ? [...attempts, attempt] : attempts;
    const names = made.flatMap((one) => strayed(one).flatMap(({ ignored }) => ignored));
    return names.length === 0
      ? []
      : [`not kept of ${task_id}, because git ignores it and no scratch of the plan names it: ${fewNamed(names)}`];
  });
  return { ...failure, details: [...failure.details, ...firstLines(lines, taskFile(attempt.task_id))] };
}

function strayLines(plan: Scratched, attempt: Attempt): readonly string[] {
  return [...linesOf(straysOf(plan, attempt), attempt), ...unknownIn(attempt).map((why) => `not known: ${why}`)];
}

function linesOf(strays: readonly StrayChange[], { task_id }: Attempt): readonly string[] {
  return firstLines(
    strays.map((stray) => `not kept: ${strayWords[stray.kind](stray)}${inLines(stray)}`),
    taskFile(task_id),
  );
}

const strayWords: { readonly [K in StrayChange['kind']]: (stray: StrayChange) => string } = {
  added: ({ what, path }) => `added ${what} ${path}`,
  modified: ({ what, path }) => `modified ${what} ${path}`,
  deleted: ({ what, path }) => `deleted ${what} ${path}`,
  type_changed: ({ what, path }) => `${path}, which became a ${what}`,
  mode_changed: ({ path }) => `the mode of ${path}`,
};

function unknownIn(attempt: Pick<Attempt, 'launches'>): readonly string[] {
  return strayed(attempt).flatMap(({ trouble, more }) => [
    ...(trouble === null ? [] : [trouble]),
    ...(more === 0 ? [] : [`the record leaves out ${more} of its changes`]),
  ]);
}

/** `wrote a (2 lines) and b, and removed c and 3 more`. `left`: the records, whose lists leave out some. */
function deeds(strays: readonly StrayChange[], left: readonly Strays[] = []): string {
  const by = new Map<string, string[]>();
  for (const stray of strays)
    by.set(deed[stray.kind], [...(by.get(deed[stray.kind]) ?? []), `${stray.path}${inLines(stray)}`]);
  const verbs = [...by.keys()];
  const more = new Map<string, number>();
  const count = (verb: string, by_it: number): unknown => more.set(verb, (more.get(verb) ?? 0) + by_it);
  for (const { more: all, more_by } of left)
    // Of an earlier version their kinds are not known.
    if (more_by === undefined) count(verbs.length === 1 ? (verbs[0] ?? '') : 'changed', all);
    else for (const [kind, by_it] of Object.entries(more_by)) count(deed[kind as StrayChange['kind']], by_it);
  return [...new Set([...verbs, ...more.keys()])]
    .filter((verb) => by.has(verb) || more.get(verb) !== 0)
    .map((verb) => `${verb} ${fewNamed(by.get(verb) ?? [], more.get(verb))}`)
    .join(', and ');
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
