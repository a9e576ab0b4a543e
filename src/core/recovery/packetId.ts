import type { Mission } from '../mission/state';

/** Packet ids are unique in the workspace and say where they belong: `<mission_id>.p<n>`. */
export function packetId(mission: Pick<Mission, 'mission_id' | 'packets'>): string {
  return `${mission.mission_id}.p${mission.packets.length + 1}`;
}
