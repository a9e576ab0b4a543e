import type { Handoff } from '../../core/model/handoffFacts';
import type { MissionReader } from './reader';

/** A command's handoff once written or refused; one given away only once the run has ended here. Null before. */
export async function askedHandoff(
  reader: MissionReader,
  missionId: string,
  commandId: string,
): Promise<Handoff | null> {
  const { missions } = await reader.read();
  const mission = missions.find((found) => found.mission.mission_id === missionId)?.mission;
  const handoff = mission?.handoffs.find(({ command_id }) => command_id === commandId);
  if (!handoff || handoff.state.kind === 'pending') return null;
  const ended = !handoff.move || handoff.state.kind === 'refused' || mission?.execution === 'REPORTED';
  return ended ? handoff : null;
}
