import type { Refusal } from '../../base/outcome';
import type { Mission } from '../../core/model/state';
import { reviseStep } from '../../core/mission/supersede';

/**
 * Says why bytes of a plan are not approved: a mission locked other bytes under its id, so these could never run. Ask
 * before the approval is written. `missions`: all of this workspace, the newest first.
 */
export function lockedOtherwise(
  { plan_id, plan_sha256 }: { readonly plan_id: string; readonly plan_sha256: string },
  missions: readonly Mission[],
): Refusal | null {
  const own = missions.filter(({ plan }) => plan.plan_id === plan_id);
  const other = own.find((mission) => mission.plan_sha256 !== plan_sha256);
  if (!other || own.some((mission) => mission.plan_sha256 === plan_sha256)) return null;
  return {
    code: 'PLAN_ID_REUSED',
    reason: `Mission ${other.mission_id} locked other bytes of plan ${plan_id}, and these could not run under its id.`,
    next: [reviseStep(other), 'Or put the locked bytes back.'],
  };
}
