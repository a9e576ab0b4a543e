import { runFiles } from '../../../contracts/launch';
import { packetFacts } from '../../../core/mission/documents';
import type { Report } from '../../../core/model/inputs';
import { rowOf } from '../../../core/model/state';
import { documentText } from '../../../base/json';
import { recoveryPacket } from '../../../core/packets/packet';
import { packetFileName } from '../../../core/packets/names';
import { packetMarkdown } from '../../../core/packets/markdown';
import { writeOutcome } from './writeOutcome';
import { clearWay, put, written } from './written';
import type { EffectRun } from '../run/effectRun';

/** Writes the recovery packet and its Markdown twin into the mission folder. */
export async function writePacket({ effect, mission, ports, send }: EffectRun<'writePacket'>): Promise<Report> {
  const packet = mission.packets.find((candidate) => candidate.packet_id === effect.packet_id);
  if (!packet) throw new Error(`No packet ${effect.packet_id}.`);
  const row = rowOf(mission, packet.task_id);
  if (row) await writeOutcome(mission, row, ports);
  const missionDir = ports.paths.missionFile(mission.mission_id, '').replace(/\/$/, '');
  const runDir = `${missionDir}/runs/${packet.run_dir}`;
  const names = [runFiles.prompt, runFiles.stdout, runFiles.stderr, runFiles.signals, runFiles.exit, runFiles.observed];
  const artifacts: string[] = [];
  for (const name of names) {
    if (await ports.evidence.exists(`${runDir}/${name}`)) artifacts.push(`${runDir}/${name}`);
  }
  const path = ports.paths.missionFile(
    mission.mission_id,
    `recovery-packets/${packetFileName(packet.issued_at, packet.run_dir)}`,
  );
  // The packet lists its own files, because a reader of one has to find the other.
  artifacts.push(`${path}.json`, `${path}.md`);
  const document = recoveryPacket(packetFacts(mission, packet, missionDir, artifacts));
  await clearWay(`${path}.md`, mission, ports, send);
  written(await ports.evidence.writeMarkdown(`${path}.md`, packetMarkdown(document)));
  const file = await put(`${path}.json`, documentText(document), mission, ports, send);
  const { packet_id, asked } = packet;
  return { type: 'PacketWasWritten', packet_id, path: file.path, sha256: file.sha256, asked };
}
