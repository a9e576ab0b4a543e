import { headerDocument } from '../../evidence/headerDocument';
import {
  archivedHeaderPath,
  headerPath,
  lockedPlanPath,
  summaryPath,
  milestonePath,
  taskEvidencePath,
} from '../../../core/evidence/places';
import { executionHeader, summaryFacts, packetFacts } from '../../../core/mission/documents';
import type { Report } from '../../../core/model/inputs';
import { lookAtFileSystem } from '../observe/fileSystem';
import { lockedBytes, readLockedPlan } from '../launch/planHash';
import { clearWay, put, written, type SendReport } from './written';
import type { EffectRun } from '../run/effectRun';
import type { ExecutionHeader } from '../../../contracts/record/header';
import { summaryMarkdown } from '../../../core/evidence/summary';
import type { MovedObstacle, Claim } from '../../../core/model/facts';
import type { EnginePorts } from '../../ports/engine';
import { type ReceivedPlan, rowOf, type Mission } from '../../../core/model/state';
import { documentText } from '../../../base/json';
import { taskEvidence } from '../../../core/mission/evidence/taskEvidence';
import { milestoneDocument } from '../../../core/mission/milestones/document';
import { keptHandoffFile } from './handoffFolder';
import { writeOutcome } from './writeOutcome';
import { runFiles } from '../../../contracts/launch';
import { recoveryPacket } from '../../../core/packets/packet';
import { packetFileName } from '../../../core/packets/names';
import { packetMarkdown } from '../../../core/packets/markdown';
import { laneOf } from '../../../core/model/lanes';
import { memoryMember } from '../../../core/memory/proposed';

/** Archives an earlier execution once the journal names it, then writes the locked bytes and the header. */
export async function writeHeader({ mission, ports, options, send }: EffectRun<'writeHeader'>): Promise<Report> {
  const planId = mission.plan.plan_id;
  const existing = await ports.evidence.existing(planId);
  const earlier =
    existing.kind === 'present' && existing.mission_id !== mission.mission_id ? existing.mission_id : null;
  if (earlier !== null && earlier !== mission.archived?.mission_id) {
    const header_sha256 = written(await ports.evidence.read(headerPath(planId)))?.sha256 ?? null;
    return { type: 'EarlierEvidenceWasFound', mission_id: earlier, header_sha256 };
  }
  if (earlier !== null) {
    await clearWay(archivedHeaderPath(planId, earlier), mission, ports, send);
    written(await ports.evidence.archive(planId, earlier));
  }
  await put(lockedPlanPath(planId), await lockedBytes(mission, ports), mission, ports, send);
  const header = executionHeader(mission, { summary_sha256: null, identity: options.identity, at: ports.clock.now() });
  await put(headerPath(planId), headerDocument(header), mission, ports, send);
  return { type: 'HeaderWasWritten', file_system: await lookAtFileSystem(mission, ports) };
}

/** Writes the summary, then the final header with all digests. */
export async function writeReport({ mission, ports, options, send }: EffectRun<'writeReport'>): Promise<Report> {
  const planId = mission.plan.plan_id;
  const at = ports.clock.now();
  const moved = [
    ...(await keepLockedPlan(mission, ports, send)),
    ...(await clearWay(summaryPath(planId), mission, ports, send)),
    ...(await clearWay(headerPath(planId), mission, ports, send)),
  ];
  const complete = { ...mission, moved_aside: [...mission.moved_aside, ...moved] };
  const headerWith = (summary_sha256: string | null): ExecutionHeader =>
    executionHeader(complete, { summary_sha256, identity: options.identity, at });
  const facts = summaryFacts(mission, headerWith(null), ports.paths.places);
  const summary = written(await ports.evidence.writeMarkdown(summaryPath(planId), summaryMarkdown(facts)));
  const header = written(await ports.evidence.write(headerPath(planId), headerDocument(headerWith(summary.sha256))));
  return { type: 'ReportWasWritten', header_sha256: header.sha256, summary_sha256: summary.sha256 };
}

/** Restores the approved bytes in the evidence when they were removed or changed, and reports that. */
async function keepLockedPlan(
  mission: ReceivedPlan,
  ports: EnginePorts,
  send: SendReport,
): Promise<readonly MovedObstacle[]> {
  const path = lockedPlanPath(mission.plan.plan_id);
  const there = await ports.evidence.read(path);
  if (there.ok && there.value?.sha256 === mission.plan_sha256) return [];
  const locked = await readLockedPlan(mission, ports);
  if (!locked) return []; // gone everywhere: verification reports it
  const moved = await clearWay(path, mission, ports, send);
  written(await ports.evidence.write(path, locked));
  return moved;
}

export async function writeTaskEvidence({
  effect,
  mission,
  ports,
  send,
}: EffectRun<'writeTaskEvidence'>): Promise<Report> {
  const row = rowOf(mission, effect.task_id);
  if (!row) throw new Error(`No row for task ${effect.task_id}.`);
  await writeOutcome(mission, row, ports);
  const path = taskEvidencePath(mission.plan.plan_id, effect.task_id);
  const document = milestoneDocument(mission, row);
  const milestone =
    document === null
      ? null
      : await put(milestonePath(mission.plan.plan_id, row.task.milestone ?? ''), document, mission, ports, send);
  const of = milestone ? { milestone_sha256: milestone.sha256 } : {};
  const carried = row.carried?.sha256;
  if (carried) {
    // The task was done before the handoff, so its evidence is copied from there.
    const name = `TASK_${effect.task_id}.json`;
    const kept = await keptHandoffFile(mission, name, ports);
    const file = await put(path, kept.bytes, mission, ports, send);
    if (kept.sha256 !== carried.toUpperCase() || file.sha256 !== kept.sha256)
      throw new Error(`${name} of the handoff this mission goes on from is not what was handed over.`);
    return { type: 'TaskEvidenceWasWritten', task_id: effect.task_id, path: file.path, sha256: file.sha256, ...of };
  }
  const file = await put(path, documentText(taskEvidence(mission, row, ports.paths.places)), mission, ports, send);
  return { type: 'TaskEvidenceWasWritten', task_id: effect.task_id, path: file.path, sha256: file.sha256, ...of };
}

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

/** Name of the packet that a person completes, in a run directory of its own. */
const resultFile = 'result.json';

/**
 * Writes the worker's result packet where a person completes it. Writes it anew after a crash, because only the journal
 * makes its place known.
 */
export async function writeIntervention({
  effect: { task_id, attempt, run_dir },
  mission,
  ports,
  send,
}: EffectRun<'writeIntervention'>): Promise<Report> {
  const lane = laneOf(mission, task_id);
  const row = rowOf(mission, task_id);
  const claim = lane?.claim;
  if (claim?.kind !== 'valid') throw new Error('Broken invariant: a person completes a result that is not valid.');
  const path = ports.paths.missionFile(mission.mission_id, `runs/${run_dir}/${resultFile}`);
  const file = await put(path, packetToComplete(claim), mission, ports, send);
  if (row) await writeOutcome(offered(mission, task_id, file.path), row, ports);
  return { type: 'InterventionWasOffered', task_id, attempt, path: file.path, sha256: file.sha256 };
}

/** The mission as it will be once the journal names the place. */
function offered(mission: Mission, taskId: string, path: string): Mission {
  const lanes = mission.lanes.map((lane) =>
    lane.task_id === taskId && lane.intervention ? { ...lane, intervention: { ...lane.intervention, path } } : lane,
  );
  return { ...mission, lanes };
}

/** A worker's result packet as a person completes it, with what it proposes to remember. */
export function packetToComplete({ result, memory }: Extract<Claim, { kind: 'valid' }>): string {
  return documentText({ ...result, ...(memory?.kind === 'proposed' && { [memoryMember]: memory.entries }) });
}
