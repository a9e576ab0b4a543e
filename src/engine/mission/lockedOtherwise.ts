import type { Refusal } from '../../base/outcome';
import type { Mission } from '../../core/model/state';
import { reviseStep } from '../../core/mission/supersede';

/** A mission that holds the id of a plan for other bytes. */
export interface LockedOtherwise {
  readonly mission_id: string;
  /** The digest of the bytes that it locked. */
  readonly plan_sha256: string;
  /** The command that changes its plan. */
  readonly revise: string;
  /** Says why the bytes are not approved. */
  readonly refusal: Refusal;
}

/**
 * Finds the mission because of which bytes of a plan could never run: it locked other bytes under the plan's id. Ask
 * before the approval is written. `missions`: all of this workspace, the newest first.
 */
export function lockedOtherwise(
  { plan_id, plan_sha256 }: { readonly plan_id: string; readonly plan_sha256: string },
  missions: readonly Mission[],
): LockedOtherwise | null {
  const own = missions.filter(({ plan }) => plan.plan_id === plan_id);
  const other = own.find((mission) => mission.plan_sha256 !== plan_sha256);
  if (!other || own.some((mission) => mission.plan_sha256 === plan_sha256)) return null;
  const { mission_id } = other;
  const revise = reviseStep(other);
  const refusal: Refusal = {
    code: 'PLAN_ID_REUSED',
    reason: `Mission ${mission_id} locked other bytes of plan ${plan_id}, and these could not run under its id.`,
    next: [revise, 'Or put the locked bytes back.'],
  };
  return { mission_id, plan_sha256: other.plan_sha256, revise, refusal };
}
