import { metadataFields } from '../../contracts/vocabulary/metadata';
import { hasToChange } from '../../core/lifecycle/judgeMissingChange';
import { outputsOf } from '../../core/mission/outputs';
import { rowOf, type Mission, type TaskRow } from '../../core/model/state';
import type { Change } from '../../core/observation/change';
import { inScope } from '../../core/paths/compare';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import { asLeft, leftBy, notAsLeft, type Left } from '../../base/left';
import type { HandoffFiles } from '../ports/handoff';
import { foundAt } from './carried';

/**
 * Files that attempts of a task left within its paths and that still lie there; the task will be done, or done again.
 */
export interface Unfinished {
  readonly task_id: string;
  readonly paths: readonly string[];
  /** Whether the task blocks when it writes the same again. */
  readonly has_to_change: boolean;
}

/** What a person revised of a task for its next attempts, and the plan that replaces it does not say. */
export interface NotTakenOver {
  readonly task_id: string;
  /** `priority high, timeout_seconds 777`. */
  readonly revised: string;
}

/**
 * Returns the mission, and those of the plans that its plan superseded in turn. It includes those
 * because what they left may still be there.
 */
export function lineageOf(mission: Mission, missions: readonly Mission[]): readonly [Mission, ...Mission[]] {
  const found = new Set([mission]);
  const plans = new Set([mission.plan.plan_id]);
  for (let before = mission.plan.supersedes; before !== null && !plans.has(before);) {
    plans.add(before);
    const those = missions.filter(({ plan }) => plan.plan_id === before);
    for (const one of those) found.add(one);
    before = those[0]?.plan.supersedes ?? null;
  }
  const [, ...others] = found;
  return [mission, ...others];
}

/**
 * Returns what tasks of these missions changed outside their approved paths, if it is still there.
 * Leaves out what a task of the revision may write. The revision finds the returned files in its
 * baseline.
 */
export async function leftOutside(
  missions: readonly Mission[],
  tasks: readonly Pick<PlannedTask, 'paths'>[],
  { handoffs }: { readonly handoffs: Pick<HandoffFiles, 'found'> },
): Promise<readonly string[]> {
  const approved = tasks.flatMap(({ paths }) => paths);
  const changes = missions
    .flatMap(({ rows }) => rows.flatMap(outsideOf))
    // No file shows a flag in git's index, so those changes are left out.
    .filter(({ kind, path }) => kind !== 'index_flag' && !inScope(path, approved))
    // A file of `.git` without content is gone.
    .map((one) => (one.kind === 'git' && one.after_sha256 === null ? { ...one, kind: 'deleted' as const } : one));
  const now = await foundAt(
    changes.map(({ path }) => path),
    { handoffs },
  );
  return [
    ...new Set(changes.flatMap((change) => (isStill(leftBy(change), now.get(change.path)) ? [change.path] : []))),
  ];
}

/** Changes that are violations, and doubtful ones that a person has not accepted. */
function outsideOf({ attempts, outstanding }: TaskRow): readonly Change[] {
  const accepted = new Set(outstanding.flatMap(({ path, settled }) => (settled?.how === 'accepted' ? [path] : [])));
  return attempts
    .flatMap(({ observed }) => observed?.changes ?? [])
    .filter(({ path, violation, doubt }) => violation !== null || (doubt !== undefined && !accepted.has(path)));
}

/** Returns whether a file is as it was left. One that cannot be compared counts as left, so that a person looks. */
function isStill(left: Left, now: Left = { kind: 'nothing' }): boolean {
  if (left.kind === 'unknown' || now.kind === 'unknown') return now.kind !== 'nothing';
  return notAsLeft(left, now) === null;
}

/**
 * Finds outputs of open tasks that still lie there. A revision has them in its baseline, so a worker that writes the
 * same seems to change nothing. @param planned the tasks of the revision
 */
export async function unfinishedWork(
  [mission, ...earlier]: readonly [Mission, ...Mission[]],
  {
    planned,
    again,
    elsewhere,
  }: {
    readonly planned: readonly PlannedTask[];
    readonly again: ReadonlySet<string>;
    readonly elsewhere: readonly string[];
  },
  { handoffs }: { readonly handoffs: Pick<HandoffFiles, 'found'> },
): Promise<readonly Unfinished[]> {
  const open = mission.rows
    .filter(({ status, task }) => status !== 'done' || again.has(task.task_id))
    .map(({ task }) => ({ task, task_id: task.task_id }))
    .map(({ task, task_id }) => ({
      task_id,
      has_to_change: hasToChange(planned.find((one) => one.task_id === task_id) ?? task),
      // Counts outputs of earlier missions too, unless a later attempt changed them.
      outputs: [...earlier.toReversed(), mission].flatMap((one) => {
        const row = rowOf(one, task_id);
        return row ? outputsOf(row) : [];
      }),
    }));
  const now = await foundAt(
    open.flatMap(({ outputs }) => outputs.map(({ path }) => path)),
    { handoffs },
  );
  return open.flatMap(({ task_id, has_to_change, outputs }): readonly Unfinished[] => {
    const paths = outputs
      .filter(({ path, ...output }) => {
        const there = now.get(path);
        return there && notAsLeft(asLeft(output), there) === null && !elsewhere.includes(path);
      })
      .map(({ path }) => path);
    return paths.length === 0 ? [] : [{ task_id, paths: [...new Set(paths)], has_to_change }];
  });
}

/** @param tasks those of the revision */
export function notTakenOver({ rows }: Mission, tasks: readonly PlannedTask[]): readonly NotTakenOver[] {
  return rows.flatMap((row): readonly NotTakenOver[] => {
    const planned = tasks.find(({ task_id }) => task_id === row.task.task_id);
    const revised = planned && row.status !== 'done' ? differencesOf(row, planned) : [];
    return revised.length === 0 ? [] : [{ task_id: row.task.task_id, revised: revised.join(', ') }];
  });
}

function differencesOf({ task, notes, revisions }: TaskRow, planned: PlannedTask): readonly string[] {
  return metadataFields.flatMap((field): readonly string[] => {
    if (field === 'note') return notes.map(({ text }) => `note ${JSON.stringify(text)}`);
    const ordered = revisions.some(({ after }) => after[field] !== undefined);
    return ordered && task[field] !== planned[field] ? [`${field} ${task[field] ?? 'none'}`] : [];
  });
}
