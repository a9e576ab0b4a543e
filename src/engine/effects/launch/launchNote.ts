import { grantWords } from '../../../base/text/words';
import { announcedBy } from '../../../core/lifecycle/parts/announced';
import { laneOf } from '../../../core/model/lanes';
import type { EndedAttempt, Launch } from '../../../core/model/attempt';
import { rowOf, type Tasks } from '../../../core/model/state';
import type { Change } from '../../../core/observation/change';
import { changesAtEnd } from '../../../core/observation/verifyChange';
import type { PlannedTask } from '../../../core/plan/approvedPlan';

/** Says what was done before this launch, so that a worker does not repeat side effects blindly; null: nothing. */
export function launchNote(mission: Tasks, task: PlannedTask, launch: Launch): string | null {
  const notes = [attemptNote(mission, task), recoveryNote(mission, task, launch), grantNote(launch)];
  const given = notes.filter((note) => note !== null);
  return given.length === 0 ? null : [...given, 'Look at what is there before you repeat anything.'].join('\n');
}

function attemptNote(mission: Tasks, task: PlannedTask): string | null {
  const earlier = rowOf(mission, task.task_id)?.attempts.at(-1);
  if (!earlier) return null;
  return [
    `This is attempt ${earlier.attempt + 1}. The earlier attempt ended: ${earlier.failure?.reason ?? earlier.outcome}`,
    ...leftLines(earlier),
  ].join('\n');
}

/** Names the worker for what it announced alone: other programs write in the same paths at the same time. */
function leftLines(earlier: EndedAttempt): readonly string[] {
  const { observed, after_verify } = earlier;
  if (!observed) return ['What it left in the tree was not observed.'];
  const left = changesAtEnd(observed.changes, after_verify?.changes ?? []).filter(
    ({ attribution, scratch }) => attribution === 'worker' && !scratch,
  );
  const announced = announcedBy(earlier, left);
  const [own, others] = [left.filter((one) => announced.has(one)), left.filter((one) => !announced.has(one))];
  const named = (changes: readonly Change[]): string =>
    changes
      .slice(0, 100)
      .map(({ kind, path }) => `${kind} ${path}`)
      .join(', ');
  if (left.length === 0) return ['No change in the approved paths was observed.'];
  return [
    ...(own.length > 0 ? [`Its worker announced these changes: ${named(own)}.`] : []),
    ...(others.length > 0 ? [`These changed while it ran, and nothing shows who changed them: ${named(others)}.`] : []),
  ];
}

/**
 * Describes the denial to the worker, and says that earlier files are still there. It lists none,
 * because the runner observes them only after the attempt's last launch has ended.
 */
function recoveryNote(mission: Tasks, task: PlannedTask, { adjustment }: Launch): string | null {
  const recovery = laneOf(mission, task.task_id)?.recoveries.find(
    ({ recovery_id }) => recovery_id === adjustment?.recovery_id,
  );
  if (!adjustment || !recovery) return null;
  const denied = `An earlier start of this task was ended because something was denied to it: ${recovery.issue_detected}${recovery.path === null ? '' : ` (${recovery.path})`}.`;
  return `${denied} That was corrected, so try it again. What the earlier start had written is still there.`;
}

function grantNote({ adjustment }: Launch): string | null {
  const places = (adjustment?.granted ?? []).filter(({ permission }) => permission === 'add_directory').map(grantWords);
  return places.length === 0 ? null : `A person granted you for this attempt: ${places.join('; ')}.`;
}
