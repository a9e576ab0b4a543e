import type { ClaimView, TaskRowView } from '../../../contracts/page/panelView';
import { fewNamed } from '../../../base/text/firstNamed';
import type { AttemptRecord, EndedAttempt } from '../../model/attempt';
import { laneOf } from '../../model/lanes';
import type { TaskRow, Tasks } from '../../model/state';
import { compareClaims } from '../../observation/claim';

/** Files of a claim that a person is shown. */
const shown = 100;

/** Returns what the worker of an attempt said it changed, against what was found; null: nothing to compare. */
export function claimView(attempt: Pick<AttemptRecord, 'claim' | 'observed'> | undefined): ClaimView | null {
  if (!attempt?.observed || attempt.claim.kind !== 'valid') return null;
  const { claim, observed } = attempt;
  const { changes } = claim.result;
  const { unobserved, unclaimed } = compareClaims(changes, observed.changes, {
    elsewhere: claim.elsewhere ?? [],
    comparison: observed.comparison,
  });
  const claimed = changes.slice(0, shown).map(({ resource }) => resource);
  const same = unobserved.length === 0 && unclaimed.length === 0;
  if (same) return { same, text: 'same', claimed };
  return { same, text: [...saidMore(unobserved), ...saidLess(unclaimed)].join('; '), claimed };
}

/** The attempt of a task whose result is shown: the live one once something was observed, else the last. */
export function judgedAttempt(mission: Tasks, row: TaskRow): AttemptRecord | undefined {
  const lane = laneOf(mission, row.task.task_id);
  return lane?.observed ? lane : (row.attempts.at(-1) ?? lane);
}

/** Says whether what its worker changed, or may have changed, lies in its scope; null: nothing was found yet. */
export function scopeView(attempt: AttemptRecord | EndedAttempt | undefined): TaskRowView['in_scope'] {
  if (!attempt?.observed) return null;
  // Where the attempt passed, a person has accepted what only its time gave to the worker.
  const passed = 'failure' in attempt && attempt.failure === null;
  const outside = attempt.observed.changes.filter(
    ({ violation, doubt }) => violation !== null || (doubt !== undefined && !passed),
  ).length;
  return { ok: outside === 0, outside };
}

/** The sentences of `compareClaims`, shorter. */
function saidMore(unobserved: readonly string[]): readonly string[] {
  const absent = namesAfter(unobserved, /^claimed, but not observed: /);
  const odd = unobserved.filter((line) => !line.startsWith('claimed, but not observed: '));
  return [...(absent.length > 0 ? [`also says ${fewNamed(absent)}, not found`] : []), ...odd.slice(0, 3)];
}

function saidLess(unclaimed: readonly string[]): readonly string[] {
  const left = namesAfter(unclaimed, /^observed, but not claimed: /).map((name) => name.replace(/ \([a-z_]+\)$/, ''));
  return left.length > 0 ? [`does not say ${fewNamed(left)}`] : [];
}

function namesAfter(lines: readonly string[], start: RegExp): readonly string[] {
  return lines.filter((line) => start.test(line)).map((line) => line.replace(start, ''));
}
