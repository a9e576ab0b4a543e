import type { Refusal } from '../../base/outcome';
import { reused, type StartFacts } from '../../core/mission/start';
import type { Mission } from '../../core/model/state';

/** A mission that holds the id of a plan for other bytes. */
export interface LockedOtherwise {
  readonly mission_id: string;
  /** Says why the bytes are not approved, as a start of them does. */
  readonly refusal: Refusal;
}

/**
 * Finds the mission because of which bytes of a plan could never run: it locked other bytes under the plan's id. Ask
 * before the approval is written. `missions`: all of this workspace, the newest first.
 */
export function lockedOtherwise(
  asked: Pick<StartFacts, 'plan_id' | 'plan_sha256' | 'other_forms'>,
  missions: readonly Mission[],
): LockedOtherwise | null {
  const own = missions.filter(({ plan }) => plan.plan_id === asked.plan_id);
  const other = own.find((mission) => mission.plan_sha256 !== asked.plan_sha256);
  if (!other || own.some((mission) => mission.plan_sha256 === asked.plan_sha256)) return null;
  const { mission_id, plan_sha256 } = other;
  return { mission_id, refusal: reused(asked, plan_sha256, mission_id) };
}
