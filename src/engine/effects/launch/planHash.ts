import { lockedPlanPath } from '../../../core/evidence/places';
import { explainMismatch, type PlanRead } from '../../../core/plan/mismatch';
import type { Attempt } from '../../../core/model/attempt';
import type { Report } from '../../../core/model/inputs';

import { EffectRefused } from '../write/written';
import type { EnginePorts } from '../../ports/engine';
import type { PlanText } from '../../ports/plans';
import type { ReceivedPlan } from '../../../core/model/state';

/** The locked bytes inside the mission's own folder, written before the plan is locked. */
export const lockedPlanFile = 'PLAN.locked.json';

export type PlanPorts = Pick<EnginePorts, 'plans' | 'paths'>;

/** The approved bytes, from the mission's folder, the evidence or the plan file; null: none has the digest. */
export async function readLockedPlan(mission: ReceivedPlan, ports: PlanPorts): Promise<Uint8Array | null> {
  for (const place of [keptAt(mission, ports), lockedPlanPath(mission.plan.plan_id), mission.plan_path]) {
    const { sha256, bytes } = await ports.plans.read(ports.paths.absolute(place));
    if (sha256 === mission.plan_sha256 && bytes) return bytes;
  }
  return null;
}

/** The same, but refuses when the bytes are gone. */
export async function lockedBytes(mission: ReceivedPlan, ports: EnginePorts): Promise<Uint8Array> {
  const bytes = await readLockedPlan(mission, ports);
  if (bytes) return bytes;
  throw new EffectRefused({
    code: 'EVIDENCE_MISSING',
    reason: `The locked bytes of the plan (SHA-256 ${mission.plan_sha256}) are gone: neither ${keptAt(mission, ports)} nor the evidence nor ${mission.plan_path} holds them.`,
    next: [`Put the approved bytes back in ${mission.plan_path}.`],
  });
}

export async function readPlanNow(mission: ReceivedPlan, ports: PlanPorts): Promise<PlanRead> {
  const read = await ports.plans.read(ports.paths.absolute(mission.plan_path));
  return { observed: read.sha256, explanation: await explainPlanMismatch(mission, ports, read) };
}

/** The same as a report of a live attempt, which may wait for the approved plan. */
export async function planReport(
  mission: ReceivedPlan,
  { task_id, attempt, plan_waits }: Attempt,
  ports: EnginePorts,
): Promise<Extract<Report, { type: 'PlanHashWasRead' }>> {
  const waits = plan_waits === undefined ? {} : { waits: plan_waits };
  return { type: 'PlanHashWasRead', task_id, attempt, ...waits, ...(await readPlanNow(mission, ports)) };
}

/** Says why the plan differs from the approved text. Explains a refusal, never overrides it. */
async function explainPlanMismatch(
  mission: ReceivedPlan,
  ports: PlanPorts,
  observed: PlanText,
): Promise<string | null> {
  if (observed.sha256 === mission.plan_sha256) return null;
  if (observed.findings.some(({ code }) => code === 'FILE_NOT_FOUND')) return 'The file is gone.';
  const locked = await ports.plans.read(ports.paths.absolute(keptAt(mission, ports)));
  return explainMismatch(locked, observed);
}

function keptAt(mission: ReceivedPlan, ports: Pick<EnginePorts, 'paths'>): string {
  return ports.paths.missionFile(mission.mission_id, lockedPlanFile);
}
