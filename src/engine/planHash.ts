import { explainMismatch } from '../core/plan/mismatch';
import type { Mission } from '../core/mission/state';
import type { EnginePorts } from './ports/hostPorts';
import type { PlanText } from './ports';

/** Name of the locked bytes inside the mission's own folder, written before the plan is locked. */
export const lockedPlanFile = 'PLAN.locked.json';

/** The approved bytes as they are kept in the mission's folder; null when they are gone or changed. */
export async function readLockedPlan(mission: Mission, ports: EnginePorts): Promise<Uint8Array | null> {
  const kept = ports.paths.missionFile(mission.mission_id, lockedPlanFile);
  const locked = await ports.plans.read(ports.paths.absolute(kept));
  return locked.sha256 === mission.plan_sha256 ? (locked.bytes ?? null) : null;
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
