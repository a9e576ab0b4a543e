import type { RevisionOverview } from '../../../base/text/revision';
import { ui } from '../../../base/text/marked/ui';
import type { Actor } from '../../../contracts/vocabulary/actors';
import type { SupersededBy } from '../../../core/model/carried';
import type { Answer, MissionFolder } from '../../folder/types';
import { busy } from '../../window/ui';

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
