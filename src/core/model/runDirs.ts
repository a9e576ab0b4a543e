import type { Mission } from './state';

export function nextRunDir(mission: Pick<Mission, 'launches'>, taskId: string): string {
  return nthRunDir(mission.launches + 1, taskId);
}

export function nthRunDir(n: number, taskId: string): string {
  return `${n}-${taskId}`;
}

/** The counter in the name of a run directory; 0 when it has none. */
export function runDirNumber(name: string): number {
  return Number(/^(\d+)-/.exec(name)?.[1] ?? 0);
}

/** Packet ids are unique in the workspace and name their mission: `<mission_id>.p<n>`. */
export function packetId(mission: Pick<Mission, 'mission_id' | 'packets'>): string {
  return nthPacketId(mission.mission_id, mission.packets.length + 1);
}

export function nthPacketId(missionId: string, n: number): string {
  return `${missionId}.p${n}`;
}
