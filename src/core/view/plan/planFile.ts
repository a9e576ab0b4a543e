import type { MissionView } from '../../../contracts/page/missionView';
import { isApproved, planChanged, planStep, planWords } from '../../lifecycle/parts/planWait';
import { mend } from '../needs/needs';
import type { Progress } from '../../model/state';
import type { PlanRead } from '../../plan/mismatch';

/**
 * Returns whether nothing of an open mission runs. Its plan file may then change before the runner
 * reads it again.
 */
export function restsOpen({ execution, ending, moved, cancel, lanes }: Progress): boolean {
  return execution === 'EXECUTING' && (ending ?? moved ?? cancel) === null && lanes.length === 0;
}

/**
 * Adds what a person has to know of a plan file that is not the approved one. Also adds what they
 * can do about it.
 */
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
