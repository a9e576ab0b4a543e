import type { MissionHandoff } from '../../contracts/handoff';
import type { ApprovedPlan } from '../plan/approvedPlan';
import type { HandoffProblem } from './import';

/** Checks that every decision is about a task of the plan, and about a packet of a mission of it: a bundle may say anything. */
export function decisionsProblem({ plan_id, decisions }: MissionHandoff, plan: ApprovedPlan): HandoffProblem | null {
  const tasks = new Set(plan.tasks.map(({ task_id }) => task_id));
  for (const { decision, task_id, packet_id } of decisions) {
    const wrong = (what: string): HandoffProblem => ({
      code: 'LEDGER_INCONSISTENT',
      reason: `The decision ${JSON.stringify(decision)} of the bundle is about ${what}.`,
    });
    if (task_id !== null && !tasks.has(task_id))
      return wrong(`the task ${JSON.stringify(task_id)}, which is not of the plan`);
    if (packet_id !== null && !isPacketOf(packet_id, plan_id))
      return wrong(`the packet ${JSON.stringify(packet_id)}, which is of no mission of the plan`);
  }
  return null;
}

/** A run that was handed over before may have another mission of the same plan behind it. */
export function isMissionOf(missionId: string, planId: string): boolean {
  return missionId.startsWith(`${planId}-`) && /^\d{8}T\d{6}Z-[0-9a-z]{6}$/.test(missionId.slice(planId.length + 1));
}

function isPacketOf(packetId: string, planId: string): boolean {
  const [, missionId] = /^(.+)\.p[1-9]\d*$/.exec(packetId) ?? [];
  return missionId !== undefined && isMissionOf(missionId, planId);
}
