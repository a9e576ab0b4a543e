import { leftBefore, leftBy, type Left } from '../../../base/fileState';
import { undoneNow } from '../../../base/foldChanges';
import type { Undone } from '../../../contracts/taskEvidence';
import type { EndedAttempt } from '../../model/attempt';
import { waitingWork } from '../../model/waitingWork';
import { writablePaths, type TaskRow } from '../../model/state';
import type { Change } from '../../observation/change';
import { changesAtEnd } from '../../observation/verifyChange';
import { within } from '../../paths/compare';

export interface UndoStep {
  /** POSIX, relative to the workspace root. */
  readonly path: string;
  readonly from: Left;
  readonly to: Left;
  /** A copy of `to` was made, if git does not hold it. */
  readonly kept: boolean;
}

export interface UndoPlan {
  readonly attempt: number;
  /** The attempt that would come next. */
  readonly before_attempt: number;
  readonly request: {
    readonly steps: readonly UndoStep[];
    /** The baseline of the attempt, and HEAD then; null: none was taken. */
    readonly baseline_sha256: string | null;
    readonly head: string | null;
  };
  /** What the attempt changed as well, and why it stays as it is. */
  readonly left: Undone['left'];
}

/** Returns how the last attempt not undone yet is undone; `redo`: how the last undo is taken back. Null: no such. */
export function undoPlan(row: TaskRow, redo: boolean): UndoPlan | null {
  const last = row.attempts.at(-1);
  if (!last) return null;
  const undone = undoneNow(row.undone);
  const back = undone.at(-1);
  // What an attempt only validates again is the work of an earlier one.
  const makers = new Set(undone.map(({ attempt }) => makerIn(row, attempt)));
  const found = row.attempts.findLast((one) =>
    redo ? one.attempt === back?.attempt : !makers.has(makerOf(one)) && stepsOf(row, one, false).length > 0,
  );
  if (!found || (redo && back?.before_attempt !== last.attempt + 1)) return null;
  const paths = new Set(back?.paths);
  return {
    attempt: found.attempt,
    before_attempt: last.attempt + 1,
    request: {
      steps: stepsOf(row, found, redo).filter(({ path }) => !redo || paths.has(path)),
      baseline_sha256: found.baseline?.manifest_sha256 ?? null,
      head: found.baseline?.head ?? null,
    },
    left: redo ? [] : changesOf(found).flatMap((change) => leftAlone(change) ?? []),
  };
}

/** Returns whether a person undid all that an attempt, or the one that it validated, changed in files. */
export function isUndone(row: TaskRow, attempt: EndedAttempt): boolean {
  const maker = makerOf(attempt);
  const back = undoneNow(row.undone).filter((one) => makerIn(row, one.attempt) === maker);
  const paths = new Set(back.flatMap((one) => one.paths));
  return paths.size > 0 && stepsOf(row, attempt, false).every(({ path }) => paths.has(path));
}

function makerOf({ attempt, validates }: EndedAttempt): number {
  return validates?.attempt ?? attempt;
}

function makerIn({ attempts }: TaskRow, attempt: number): number {
  const found = attempts.find((one) => one.attempt === attempt);
  return found ? makerOf(found) : attempt;
}

function changesOf({ observed, after_verify }: EndedAttempt): readonly Change[] {
  return changesAtEnd(observed?.changes ?? [], after_verify?.changes ?? []).filter(({ scratch }) => !scratch);
}

function stepsOf(row: TaskRow, attempt: EndedAttempt, redo: boolean): readonly UndoStep[] {
  if (waitingWork(row, attempt)) return [];
  return changesOf(attempt).flatMap((change): readonly UndoStep[] => {
    const { path, attribution } = change;
    const isOwn = attribution === 'worker' || attribution === 'verify';
    if (!isOwn || leftAlone(change)) return [];
    const [left, before] = [leftBy(change), leftBefore(change)];
    const [from, to] = redo ? [before, left] : [left, before];
    return [{ path, from, to, kept: redo || within(path, writablePaths(row)) }];
  });
}

function leftAlone({ path, kind, doubt, attribution }: Change): Undone['left'][number] | null {
  if (kind === 'git' || kind === 'index_flag') return { path, why: 'is a fact of git, which an undo never changes' };
  return doubt === undefined || attribution === 'worker'
    ? null
    : { path, why: 'changed meanwhile, and nothing shows who changed it' };
}
