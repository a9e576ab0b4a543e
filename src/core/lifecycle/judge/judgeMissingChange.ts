import { declaredIntent } from '../../context/tier0';
import type { AttemptFailure } from '../../model/facts';
import type { TaskRow } from '../../model/state';
import type { PlannedTask } from '../../plan/approvedPlan';
import { recoverable } from '../parts/recoverable';
import type { Judged } from './rules';
import type { Attempt } from '../../model/attempt';
import type { Change } from '../../observation/change';

/** A writing task that changed nothing, and neither a verify command nor an earlier attempt shows its work. */
export function judgeMissingChange({ task, row, attempt }: Judged): AttemptFailure | null {
  if (!hasToChange(task)) return null;
  const byPerson = Boolean(attempt.intervention ?? attempt.validates);
  // A note asks for more than what is there.
  const left = row.notes.length === 0 && attempt.observed?.earlier !== undefined;
  if (workOf(attempt, byPerson).length > 0 || left) return null;
  return recoverable('missing_handoff', nothingChanged, [
    task.worker === 'command' ? sameCommand : sameTask,
    'A revision of the plan can change the command or the task, or give it a verify command.',
  ]);
}

export function hasToChange(task: PlannedTask): boolean {
  // generate_context has to leave a valid file; another author than the worker may have filled it in.
  return task.writes && task.verify.length === 0 && declaredIntent(task) !== 'generate_context';
}

/** Returns whether the last attempt blocked because it changed nothing, so that the same again blocks again. */
export function changedNothing({ attempts }: Pick<TaskRow, 'attempts'>): boolean {
  return attempts.at(-1)?.failure?.reason === nothingChanged;
}

/** The reason of the block, by which the journal is recognised: it has to stay as it is. */
const nothingChanged =
  'The worker ended without changing anything, and the task has no verify command that could show its work.';
const sameCommand =
  'A retry runs the same command, so it blocks again unless something that the command reads or uses has changed.';
const sameTask = 'A retry gives the agent the same task, so it may block again. A note says what it missed.';

/** The task's own changes; those of a person after the worker count only where they asked for that (`byPerson`). */
export function workOf({ observed }: Attempt, byPerson: boolean): readonly Change[] {
  return (observed?.changes ?? []).filter(
    ({ attribution, scratch, in_scope }) =>
      !scratch && (attribution === 'worker' || (byPerson && in_scope && attribution === 'external_change')),
  );
}
