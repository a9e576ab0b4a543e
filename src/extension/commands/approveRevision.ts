import type { Refusal } from '../../base/outcome';
import type { RevisionOverview } from '../../base/text/revision';
import { ui } from '../../base/text/ui';
import type { Plan } from '../../contracts/plan';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { Finding } from '../../core/documents/finding';
import type { SupersededBy } from '../../core/model/carried';
import { lockedOtherwise } from '../../engine/mission/lockedOtherwise';
import { checkCarried } from '../../engine/mission/carried';
import { comesWithHandoff, refusalOfRevision, revisionOverview } from '../../engine/mission/revisionOverview';
import { defaultWorkerOfPlans, type PlanCheckOptions } from '../../engine/plans/check';
import type { Composition } from '../compose';
import type { Answer, MissionFolder } from '../folder/types';
import type { PlannedFile } from '../plans/thread';
import { busy } from '../window/ui';

/** Returns what a person has to know of a revision before approving it; `revision`: null for other plans. */
export async function revisionOf(
  { plans }: Composition,
  folder: MissionFolder,
  { bytes, overview, changed, plan_id, plan_sha256 }: Extract<PlannedFile, { ok: true }>,
  { defaultWorker = defaultWorkerOfPlans }: PlanCheckOptions,
): Promise<{
  readonly revision: RevisionOverview | null;
  readonly findings: readonly Finding[];
  /** The reason why it is not approved although it is valid. */
  readonly late: Refusal | null;
}> {
  const { missions, ports } = await folder.missionSources();
  const ran = missions.some(({ plan }) => plan.plan_id === plan_id);
  // Parses here only where it has to, because a large plan would keep the window waiting.
  if (!ran && overview.supersedes === null) return { revision: null, findings: [], late: null };
  const text = plans.parse(bytes);
  const locked = lockedOtherwise({ plan_id, plan_sha256, other_forms: text.other_forms ?? [] }, missions);
  if (locked || overview.supersedes === null) return { revision: null, findings: [], late: locked?.refusal ?? null };
  // The cast holds, because the thread has judged these bytes, and schema and type have one source.
  const plan = text.value as Plan;
  return {
    revision: await revisionOverview(plan, missions, ports, defaultWorker),
    findings: comesWithHandoff(plan, missions, !changed)
      ? []
      : (await checkCarried(plan, text, ports, { defaultWorker })).findings,
    late: refusalOfRevision(plan, missions, !changed),
  };
}

/** Milliseconds that a superseded mission has to end, with its workers. */
const endLimit = 60_000;
const lookAgainAfter = 250;

/** Ends the missions that the approved revision supersedes; null: they have ended; else the reason why not. */
export async function endSuperseded(
  folder: MissionFolder,
  actor: Actor,
  missions: RevisionOverview['missions'],
  by: SupersededBy,
): Promise<Answer | null> {
  if (missions.length === 0) return null;
  return busy(ui`Ending the missions that plan ${by.plan_id} supersedes…`, () => endAll(folder, actor, missions, by));
}

async function endAll(
  folder: MissionFolder,
  actor: Actor,
  missions: RevisionOverview['missions'],
  by: SupersededBy,
): Promise<Answer | null> {
  for (const { mission_id } of missions) {
    const reason = `Plan ${by.plan_id} was approved, which supersedes its plan.`;
    const answer = await folder.command(actor, mission_id, { type: 'SupersedeMission', ...by }, reason);
    if (!answer.accepted) return notEnded(by, mission_id, answer);
    for (const deadline = performance.now() + endLimit; !(await hasEnded(folder, mission_id));) {
      if (performance.now() > deadline) return notEnded(by, mission_id, { ...answer, code: 'MISSION_OPEN' });
      await new Promise((resolve) => setTimeout(resolve, lookAgainAfter));
    }
  }
  return null;
}

async function hasEnded(folder: MissionFolder, missionId: string): Promise<boolean> {
  await folder.refresh();
  const mission = folder.view?.missions.find(({ mission_id }) => mission_id === missionId);
  return mission === undefined || mission.execution === 'REPORTED';
}

function notEnded({ plan_id }: SupersededBy, missionId: string, { code, reason, next }: Answer): Answer {
  return {
    accepted: false,
    code,
    reason: `Plan ${plan_id} is approved, and mission ${missionId} has not ended: the revision runs when it has. ${reason}`,
    next: [...next, 'Approve it again.'],
  };
}
