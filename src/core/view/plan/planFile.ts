import type { MissionView } from '../../../contracts/page/missionView';
import { isApproved, planChanged, planStep, planWords } from '../../lifecycle/parts/planWait';
import { mend } from '../needs/needs';
import type { Progress } from '../../model/state';
import type { PlanRead } from '../../plan/mismatch';
import { isObject } from '../../../base/json';
import type { ShownDraft } from '../../../contracts/page/panelView';
import type { Finding } from '../../documents/finding';

/** Returns whether nothing of an open mission runs. Its plan file may then change before the runner reads it again. */
export function restsOpen({ execution, ending, moved, cancel, lanes }: Progress): boolean {
  return execution === 'EXECUTING' && (ending ?? moved ?? cancel) === null && lanes.length === 0;
}

/** Adds what a person has to know of a plan file that is not the approved one. Also adds what they can do about it. */
export function withPlanFile<View extends Omit<MissionView, 'events'>>(
  view: View,
  mission: Progress,
  plan: PlanRead,
): View {
  if (isApproved(mission, plan.observed) || view.attention?.code === planChanged) return view;
  const then =
    mission.hold.kind === 'paused'
      ? 'A resume is refused before the approved bytes are back.'
      : 'Nothing is launched before the approved bytes are back.';
  const revised =
    view.offers.SupersedeMission && view.blocks.length === 0
      ? [{ command: 'plan revise', args: { mission: mission.mission_id } } as const]
      : [];
  return {
    ...view,
    plan_differs: `${planWords(mission, plan)} ${then}`,
    next: [mend(planStep(mission)), ...(view.next ?? []), ...revised],
  };
}

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
