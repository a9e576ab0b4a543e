import type { Mission } from '../core/mission/state';
import type { EnginePorts } from './ports/hostPorts';
import type { PlanText } from './ports';

/** Name of the locked bytes inside the mission's own folder, written before the plan is locked. */
export const lockedPlanFile = 'PLAN.locked.json';

export function readPlanHash(mission: Mission, ports: EnginePorts): Promise<PlanText> {
  return ports.plans.read(ports.paths.absolute(mission.plan_path));
}

/** Says why two byte strings differ, when only their form does. Explains a refusal, never overrides it. */
export async function explainMismatch(mission: Mission, ports: EnginePorts, observed: PlanText): Promise<string | null> {
  if (observed.sha256 === mission.plan_sha256) return null;
  if (observed.sha256 === null) return 'The plan file can not be read any more.';
  const locked = await ports.plans.read(ports.paths.absolute(ports.paths.missionFile(mission.mission_id, lockedPlanFile)));
  if (locked.canonical_sha256 !== null && locked.canonical_sha256 === observed.canonical_sha256) {
    return 'Only line ends, white space or the byte-order mark changed.';
  }
  return 'Its content changed.';
}
