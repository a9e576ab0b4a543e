import { errorWords, refused, type Outcome } from '../../base/outcome';
import type { EngineOptions, EnginePorts } from '../ports/engine';
import { MissionEngine } from './engine';
import { isMissionStream } from '../ports/workspaceEvents';

/** Refused when the journal does not know the mission as this user's, or cannot be read. */
export async function loadMission(
  missionId: string,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<Outcome<MissionEngine>> {
  const known =
    isMissionStream(missionId) && (await ports.journal.streams()).some(({ stream }) => stream === missionId);
  if (!known)
    return refused(
      'MISSION_UNKNOWN',
      `The journal of this folder knows no mission ${missionId} of this user. One from another user or machine, or one that was changed, runs nothing here.`,
      'mission list',
    );
  try {
    return { ok: true, value: await MissionEngine.load(missionId, ports, options) };
  } catch (error) {
    const why = errorWords(error);
    const reason = `The journal of ${missionId} cannot be followed: ${why}.`;
    return refused('STATE_STORE_CORRUPT', reason, `mission journal verify ${missionId}`);
  }
}
