import { lockedPlanPath } from '../core/evidence/places';
import { explainMismatch } from '../core/plan/mismatch';
import type { Mission } from '../core/mission/state';
import type { EnginePorts } from './ports/hostPorts';
import type { PlanText } from './ports';

/** Name of the locked bytes inside the mission's own folder, written before the plan is locked. */
export const lockedPlanFile = 'PLAN.locked.json';

/** The approved bytes, from wherever they still are: they are known by their hash. Null when they are nowhere. */
export async function readLockedPlan(mission: Mission, ports: EnginePorts): Promise<Uint8Array | null> {
  const { mission_id, plan, plan_path, plan_sha256 } = mission;
  for (const place of [ports.paths.missionFile(mission_id, lockedPlanFile), lockedPlanPath(plan.plan_id), plan_path]) {
    const found = await ports.plans.read(ports.paths.absolute(place));
    if (found.sha256 === plan_sha256 && found.bytes) return found.bytes;
  }
  return null;
}

export function readPlanHash(mission: Mission, ports: EnginePorts): Promise<PlanText> {
  return ports.plans.read(ports.paths.absolute(mission.plan_path));
}

/** Says why two byte strings differ, when only their form does. Explains a refusal, never overrides it. */
export async function explainPlanMismatch(
  mission: Mission,
  ports: EnginePorts,
  observed: PlanText,
): Promise<string | null> {
  if (observed.sha256 === mission.plan_sha256) return null;
  const locked = await ports.plans.read(
    ports.paths.absolute(ports.paths.missionFile(mission.mission_id, lockedPlanFile)),
  );
  return explainMismatch(locked, observed);
}
