import { laneOf } from '../../core/model/lanes';
import type { Launch } from '../../core/model/attempt';
import { rowOf, type Mission } from '../../core/model/state';
import { changesAtEnd } from '../../core/observation/verifyChange';
import type { PlannedTask } from '../../core/plan/approvedPlan';

/** Says what was done before this launch, so that a worker does not repeat side effects blindly; null: nothing. */
export function launchNote(mission: Mission, task: PlannedTask, launch: Launch): string | null {
  const notes = [attemptNote(mission, task), recoveryNote(mission, task, launch), grantNote(launch)];
  const given = notes.filter((note) => note !== null);
  return given.length === 0 ? null : [...given, 'Look at what is there before you repeat anything.'].join('\n');
}

function attemptNote(mission: Mission, task: PlannedTask): string | null {
  const earlier = rowOf(mission, task.task_id)?.attempts.at(-1);
  if (!earlier) return null;
  const changed = changesAtEnd(earlier.observed?.changes ?? [], earlier.after_verify?.changes ?? [])
    .filter(({ attribution, scratch }) => attribution === 'worker' && !scratch)
    .map((change) => `${change.kind} ${change.path}`);
  return [
    `This is attempt ${earlier.attempt + 1}. The earlier attempt ended: ${earlier.failure?.reason ?? earlier.outcome}`,
    changed.length > 0
      ? `It left these changes in the tree: ${changed.slice(0, 100).join(', ')}.`
      : 'It left no changes in the tree.',
  ].join('\n');
}

/**
 * Tells the worker to look for itself, because what it left is not observed before the last launch of the attempt has
 * ended.
 */
function recoveryNote(mission: Mission, task: PlannedTask, { adjustment }: Launch): string | null {
  const recovery = laneOf(mission, task.task_id)?.recoveries.find(
    ({ recovery_id }) => recovery_id === adjustment?.recovery_id,
  );
  if (!adjustment || !recovery) return null;
  const denied = `An earlier start of this task was ended because something was denied to it: ${recovery.issue_detected}${recovery.path === null ? '' : ` (${recovery.path})`}.`;
  return `${denied} That was corrected, so try it again. What the earlier start had written is still there.`;
}

function grantNote({ adjustment }: Launch): string | null {
  const directories = (adjustment?.granted ?? [])
    .filter(({ permission }) => permission === 'add_directory')
    .map(({ directory }) => directory);
  return directories.length === 0
    ? null
    : `A person granted you these directories for this attempt: ${directories.join(', ')}.`;
}
