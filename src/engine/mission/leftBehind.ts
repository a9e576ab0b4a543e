import { metadataFields } from '../../contracts/vocabulary/metadata';
import { outputsOf } from '../../core/mission/carry';
import type { Mission, TaskRow } from '../../core/model/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import type { HandoffFiles } from '../ports/handoff';

/** What attempts of a task that will be done, or done again, left within its paths, and that still lies there. */
export interface Unfinished {
  readonly task_id: string;
  readonly paths: readonly string[];
}

/** What was revised of a task for its next attempts, and does not stand in the plan that goes on in its place. */
export interface NotTakenOver {
  readonly task_id: string;
  /** `priority high, timeout_seconds 777`. */
  readonly revised: string;
}

/** A revision finds these files in its baseline: a worker that writes the same again seems to have changed nothing. */
export async function unfinishedWork(
  mission: Mission,
  { again, elsewhere }: { readonly again: ReadonlySet<string>; readonly elsewhere: readonly string[] },
  { handoffs }: { readonly handoffs: Pick<HandoffFiles, 'digests'> },
): Promise<readonly Unfinished[]> {
  const open = mission.rows
    .filter(({ status, task }) => status !== 'done' || again.has(task.task_id))
    .map((row) => ({ task_id: row.task.task_id, outputs: outputsOf(row) }));
  const now = await handoffs.digests(open.flatMap(({ outputs }) => outputs.map(({ path }) => path)));
  return open.flatMap(({ task_id, outputs }): readonly Unfinished[] => {
    const paths = outputs
      .filter(({ path, sha256 }) => (now[path] ?? null) === sha256 && !elsewhere.includes(path))
      .map(({ path }) => path);
    return paths.length === 0 ? [] : [{ task_id, paths }];
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
