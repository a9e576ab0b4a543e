import type { TaskRow, Tasks } from '../../model/state';
import { inScope, within } from '../../paths/compare';
import { readWrittenPath } from '../../paths/writtenPath';
import { judgeScope } from '../../plan/rules/scope';

/** Says why no plan lets the task write there, by the rules that judge the revision; null: one does. */
export function whyNotApproved(
  mission: Tasks,
  { task, scope }: Pick<TaskRow, 'task' | 'scope'>,
  path: string,
): string | null {
  if (!task.writes)
    return `Its intent ${task.intent ?? ''} writes nothing, so no path of the plan opens ${path} to it.`;
  const reading = readWrittenPath(path);
  const place = reading.ok ? reading.path : path;
  const { comparison } = mission.file_system;
  // A plan names no whole workspace.
  const instead = place.includes('/') ? `, or approve ${place.slice(0, place.lastIndexOf('/'))}` : '';
  if (scope.paths.some((one) => one === place))
    return `${path} is approved itself, and its sandbox keeps the folder in its place. Empty it in place of removing it${instead}.`;
  if (inScope(place, scope.paths, comparison) || within(place, mission.plan.scratch, comparison))
    return `${path} is approved already, so something else keeps it.`;
  const { task_id, forbidden_paths } = task;
  const edited = { task_id, paths: [path], forbidden_paths: [...forbidden_paths] };
  const found: string[] = [];
  judgeScope({}, [[edited, 0, '/tasks/0']], (code, _pointer, message) => {
    found.push(`${message} (${code})`);
  });
  return found[0] === undefined ? null : `No plan may approve it. ${found[0]}`;
}
