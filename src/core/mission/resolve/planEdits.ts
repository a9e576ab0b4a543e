import { listAt, type JsonObject } from '../../../base/json';
import { planSwitches, type PlanEdit } from '../../../contracts/vocabulary/steps';
import type { Tasks, TaskRow } from '../../model/state';
import { deviceProblem, readNetworkService, serviceNames } from '../../paths/services';
import { inScope, within } from '../../paths/compare';
import { readWrittenPath } from '../../paths/writtenPath';
import { judgeScope } from '../../plan/rules/scope';

/** Says why no revision is written with the edit: it would be no valid plan, change nothing, or open more than it says; null: one is. */
export function editProblem(mission: Tasks, edit: PlanEdit): string | null {
  const { plan, rows } = mission;
  const { ports = [], sockets = [], devices = [] } = plan.services ?? {};
  const alone = serviceNames({ ports, sockets, devices: [] });
  switch (edit.kind) {
    case 'writes': {
      const row = rows.find(({ task }) => task.task_id === edit.task);
      if (!row) return `The plan has no task ${edit.task}.`;
      return edit.paths.flatMap((path) => whyNotApproved(mission, row, path) ?? [])[0] ?? null;
    }
    case 'layers':
      return plan.layers === 'all' ? 'The plan has execution.layers "all" already.' : null;
    case 'network':
      if (plan.network) return 'The plan gives its commands the whole network already.';
      return alone.length === 0 ? null : `The plan opens ${alone.join(', ')} alone, and no step widens that.`;
    case 'opens': {
      const open = [...alone, ...devices, ...plan.env_names];
      const [no] = edit.entries.flatMap((entry) => {
        const field = fieldOf(entry);
        if (open.includes(entry) || (plan.network && field === 'network'))
          return `The plan opens ${entry} already, so something else keeps it.`;
        const why = problems[field](entry);
        return why === null ? [] : `${entry} ${why}.`;
      });
      return no ?? null;
    }
  }
}

/** The `execution` of a plan with what an edit adds; what it names already stays. */
export function withEdit(execution: JsonObject, edit: Exclude<PlanEdit, { readonly kind: 'writes' }>): JsonObject {
  if (edit.kind !== 'opens') return { ...execution, [edit.kind]: planSwitches[edit.kind] };
  return edit.entries.reduce((before: JsonObject, entry) => {
    const field = fieldOf(entry);
    return { ...before, [field]: [...(listAt(before, field) ?? []), entry] };
  }, execution);
}

function fieldOf(entry: string): keyof typeof problems {
  if (/^(?:localhost|unix):/.test(entry)) return 'network';
  return entry.startsWith('/') ? 'devices' : 'env';
}

const problems = {
  network(entry: string) {
    const read = readNetworkService(entry);
    return read.kind === 'problem' ? read.problem : null;
  },
  devices: deviceProblem,
  env: (entry: string) =>
    /^[A-Za-z_]\w*$/.test(entry) ? null : 'is no localhost:PORT, unix:/PATH, /dev/NAME or name of a variable',
} satisfies Readonly<Record<string, (entry: string) => string | null>>;

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
