import { isObject } from '../../../base/json';
import type { ShownDraft } from '../../../contracts/page/panelView';
import type { Finding } from '../../documents/finding';

/**
 * Returns what of a plan is shown, whatever its text holds.
 *
 * @param file relative to the workspace folder, POSIX
 */
export function shownDraft(value: unknown, file: string, findings: readonly Finding[]): ShownDraft {
  const plan = isObject(value) ? value : {};
  const tasks = Array.isArray(plan['tasks']) ? plan['tasks'].filter(isObject) : [];
  const named = text(plan['plan_id']);
  return {
    plan_id: named === '' ? draftName(file) : named,
    path: file,
    status: text(plan['status']),
    goal: text(plan['goal']) || text(plan['goal_id']),
    tasks: tasks.map((task) => ({
      task_id: text(task['task_id']),
      description: text(task['description']),
      worker: text(task['worker']),
    })),
    findings: findings.slice(0, 100).map(({ code, message, severity }) => ({ code, message, severity })),
  };
}

function draftName(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return name.replace(/\.json$/, '').replace(/^PLAN_/, '');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
