import type { Outstanding } from '../../../contracts/record/changeEvidence';
import { asLeft, leftBefore, leftBy, notAsLeft, notAsOutput, recordOf } from '../../../base/fileState';
import type { Left, RecordedState } from '../../../base/fileState';
import { foldChanges, undoneChanges } from '../../../base/foldChanges';
import type { TaskEvidence, Output, Undone } from '../../../contracts/taskEvidence';
import type { TaskRow } from '../../model/state';
import type { Change } from '../../observation/change';
import { waitingWork } from '../../model/waitingWork';
import { runDirNumber } from '../../model/runDirs';
import { changesAtEnd, withoutLeftovers, type VerifyChange } from '../../observation/verifyChange';

/** A path as the attempts of a task left it. `before` is what lay there before the first attempt that changed it. */
export interface LeftOutput extends Output {
  readonly before: Left;
  /** The run directory of the attempt, in its mission; null where only its time is known. */
  readonly run: string | null;
}

/** Returns what the task left, as its attempts ended: each file once, with the time of the attempt. */
export function outputsOf(row: TaskRow): readonly Output[] {
  return leftOf(pastOf(row), { of_others: false }).map(({ before: _before, run: _run, ...output }) => output);
}

/** The same with what lay there before and what others changed, without what verify commands changed unblocked. */
export function observedOf(row: TaskRow): readonly LeftOutput[] {
  const past = pastOf({
    ...row,
    attempts: row.attempts.map(({ after_verify, ...attempt }) => ({
      ...attempt,
      after_verify: after_verify && {
        ...after_verify,
        changes: after_verify.changes.filter(({ blocks }) => blocks !== null),
      },
    })),
  });
  return leftOf(past, { of_others: true });
}

export function outputsInEvidence({
  attempts,
  outstanding,
  carried_from,
  undone,
}: TaskEvidence): readonly LeftOutput[] {
  return leftOf(
    {
      before: carried_from?.outputs ?? [],
      attempts: (attempts ?? []).map((attempt) => ({
        ...attempt,
        changes: inPlace(attempt.changes, attempt.not_landed === true),
        run: attempt.launches[0]?.run_dir ?? null,
      })),
      listed: outstanding ?? [],
      undone: undone ?? [],
    },
    { of_others: false },
  );
}

/**
 * Each path as the last task left it, and what lay before the first; by runs, because a clock may be set between. Only
 * the time is known of what a revision carried over, and of a validation in the evidence.
 */
export function lastLeft(
  tasks: readonly { readonly task_id: string; readonly outputs: readonly LeftOutput[] }[],
): readonly (LeftOutput & { readonly task_id: string })[] {
  const last = new Map<string, LeftOutput & { readonly task_id: string }>();
  for (const output of byRuns(tasks.flatMap(({ task_id, outputs }) => outputs.map((one) => ({ task_id, ...one })))))
    last.set(output.path, { ...output, before: (last.get(output.path) ?? output).before });
  return [...last.values()];
}

/** By time; those with a run share their places by the numbers of their runs. */
function byRuns<O extends LeftOutput>(outputs: readonly O[]): readonly O[] {
  const sorted = [...outputs].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  const missions = new Map<string, { readonly output: O; readonly place: number; readonly number: number }[]>();
  for (const [place, output] of sorted.entries()) {
    if (output.run === null) continue;
    const end = output.run.lastIndexOf('/') + 1;
    const runs = missions.get(output.run.slice(0, end)) ?? [];
    runs.push({ output, place, number: runDirNumber(output.run.slice(end)) });
    missions.set(output.run.slice(0, end), runs);
  }
  for (const runs of missions.values()) {
    const places = runs.map(({ place }) => place);
    const inOrder = runs.sort((one, other) => one.number - other.number);
    for (const [index, { output }] of inOrder.entries()) sorted[places[index] ?? 0] = output;
  }
  return sorted;
}

/** Returns whether an output is known to lie there as it was left. */
export function isAsLeft(output: RecordedState, now: Left | undefined): boolean {
  return now !== undefined && notAsOutput(asLeft(output), now) === null;
}

/** Returns whether a path is known to be as it was before the first task that changed it. */
export function isPutBack({ before }: Pick<LeftOutput, 'before'>, now: Left | undefined): boolean {
  return before.kind !== 'unknown' && now !== undefined && notAsLeft(before, now) === null;
}

type PastChange = Pick<Change, 'path' | 'attribution'> &
  Parameters<typeof leftBy>[0] &
  Parameters<typeof leftBefore>[0] & { readonly scratch?: true | undefined };

/** What is known of the attempts of a task that ended. */
interface Past {
  /** The outputs with which a revision carried the task over. */
  readonly before: CarriedOutputs;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly ended_at?: string | null;
    readonly run: string | null;
    readonly changes: readonly (PastChange & Pick<Change, 'kind'>)[];
    readonly verify_changes?:
      | { readonly changes: readonly Pick<VerifyChange, 'path' | 'kind' | 'blocks'>[] }
      | undefined;
  }[];
  readonly listed: readonly Outstanding[];
  readonly undone: readonly Undone[];
}

type CarriedOutputs = readonly (RecordedState & { readonly path: string; readonly at: string })[];

/** Leaves out what the worker wrote, if a layer holds it. */
function inPlace<C extends Pick<Change, 'attribution'>>(changes: readonly C[], waits: boolean): readonly C[] {
  return waits ? changes.filter(({ attribution }) => attribution !== 'worker') : changes;
}

function pastOf(row: TaskRow): Past {
  return {
    before: row.revised?.outputs ?? [],
    attempts: [
      ...(row.carried?.attempts ?? []).map((attempt) => ({
        ...attempt,
        changes: inPlace(attempt.changes, attempt.not_landed === true),
        run: null,
      })),
      ...row.attempts.map((one) => {
        const { attempt, ended_at, run_dir: run, observed, after_verify } = one;
        const changes = changesAtEnd(observed?.changes ?? [], after_verify?.changes ?? []);
        return {
          ...{ attempt, ended_at, run },
          changes: inPlace(changes, waitingWork(row, one) !== null),
          verify_changes: after_verify ?? undefined,
        };
      }),
    ],
    listed: row.outstanding,
    undone: row.undone,
  };
}

function leftOf(
  { before: carried, attempts, listed, undone }: Past,
  { of_others }: { readonly of_others: boolean },
): readonly LeftOutput[] {
  const outputs = new Map(
    carried.map((output): [string, LeftOutput] => [
      output.path,
      { ...outputAs(output.path, asLeft(output), output.at), before: unrecorded, run: null },
    ]),
  );
  const counted = attempts.map(({ attempt, ended_at, run, changes, verify_changes }) => ({
    attempt,
    changes: withoutLeftovers(changes, verify_changes)
      .filter(({ attribution, scratch }) => (of_others || attribution !== 'external_change') && !scratch)
      .map((change) => ({ ...change, at: ended_at ?? '', run })),
  }));
  for (const [path, { changes, gone }] of foldChanges(counted, [...listed, ...undoneChanges(counted, undone)])) {
    const [first, last] = [changes[0], changes.at(-1)];
    const before = first ? leftBefore(first) : unrecorded;
    const made = last && { ...outputAs(path, leftBy(last), last.at), before, run: last.run };
    const left = made ?? outputs.get(path);
    const now = left && gone ? { ...left, ...putBack(left, gone) } : left;
    // A change that was put back leaves no output.
    if (!now || (first && isPutBack({ before }, asLeft(now)))) outputs.delete(path);
    else outputs.set(path, now);
  }
  return [...outputs.values()];
}

/** An output whose path was found as it was before a change that came after it. */
function putBack(output: Output, gone: Parameters<typeof leftBefore>[0]): Output {
  const { path, at } = output;
  const before = leftBefore(gone);
  if (before.kind === 'unknown' || notAsLeft(asLeft(output), before) === null) return output;
  return outputAs(path, before, at);
}

function outputAs(path: string, left: Left, at: string): Output {
  return { path, at, ...recordOf(left) };
}

const unrecorded: Left = { kind: 'unknown', why: 'what it held was not recorded' };
