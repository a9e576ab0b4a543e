import type { Mission } from './state';

/** Packet ids are unique in the workspace and name their mission: `<mission_id>.p<n>`. */
export function packetId(mission: Pick<Mission, 'mission_id' | 'packets'>): string {
  return nthPacketId(mission.mission_id, mission.packets.length + 1);
}

export function nthPacketId(missionId: string, n: number): string {
  return `${missionId}.p${n}`;
}
