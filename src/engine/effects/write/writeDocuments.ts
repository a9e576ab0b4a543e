import { executionHeaderSchema, type ExecutionHeader } from '../../../contracts/record/header';
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
import { lookAtFileSystem } from '../observe/readTree';
import { lockedBytes, readLockedPlan } from '../launch/planHash';
import { clearWay, put, written, type Writing, writeOutcome } from './written';
import type { EffectRun } from '../run/effectRun';
import { summaryMarkdown } from '../../../core/evidence/summary';
import type { MovedObstacle, Claim } from '../../../core/model/facts';
import { packetOf, rowOf, type Mission } from '../../../core/model/state';
import { documentText } from '../../../base/json';
import { taskFile, unsealed } from '../../../contracts/vocabulary/files/evidenceFiles';
import { taskEvidence } from '../../../core/mission/evidence/taskEvidence';
import { milestoneDocument } from '../../../core/mission/milestones/document';
import { keptHandoffFile } from './handoffFolder';
import { runFiles } from '../../../contracts/launch';
import { recoveryPacket } from '../../../core/packets/packet';
import { packetFileName } from '../../../core/packets/names';
import { packetMarkdown } from '../../../core/packets/markdown';
import { laneOf } from '../../../core/model/lanes';
import { memoryMember } from '../../../core/memory/proposed';

/** Archives an earlier execution once the journal names it, then writes the locked bytes and the header. */
export async function writeHeader(run: EffectRun<'writeHeader'>): Promise<Report> {
  const { mission, ports, options } = run;
  const { identity } = options;
  const planId = mission.plan.plan_id;
  const existing = await ports.evidence.existing(planId);
  const earlier =
    existing.kind === 'present' && existing.mission_id !== mission.mission_id ? existing.mission_id : null;
  if (earlier !== null && earlier !== mission.archived?.mission_id) {
    const header_sha256 = written(await ports.evidence.read(headerPath(planId)))?.sha256 ?? null;
    return { type: 'EarlierEvidenceWasFound', mission_id: earlier, header_sha256 };
  }
  if (earlier !== null) {
    await clearWay(archivedHeaderPath(planId, earlier), run);
    written(await ports.evidence.archive(planId, earlier));
  }
  await put(lockedPlanPath(planId), await lockedBytes(mission, ports), run);
  const header = executionHeader(mission, { summary_sha256: null, identity, at: ports.clock.now() });
  await put(headerPath(planId), headerDocument(header), run);
  return { type: 'HeaderWasWritten', file_system: await lookAtFileSystem(mission, ports) };
}

/** Writes the summary, then the final header with all digests. */
export async function writeReport(run: EffectRun<'writeReport'>): Promise<Report> {
  const { mission, ports, options } = run;
  const { identity } = options;
  const planId = mission.plan.plan_id;
  const at = ports.clock.now();
  const moved = [
    ...(await keepLockedPlan(run)),
    ...(await clearWay(summaryPath(planId), run)),
    ...(await clearWay(headerPath(planId), run)),
  ];
  const complete = { ...mission, moved_aside: [...mission.moved_aside, ...moved] };
  const headerWith = (summary_sha256: string | null): ExecutionHeader =>
    executionHeader(complete, { summary_sha256, identity, at });
  const facts = summaryFacts(mission, headerWith(null), ports.paths.places);
  const summary = written(await ports.evidence.writeMarkdown(summaryPath(planId), summaryMarkdown(facts)));
  const header = written(await ports.evidence.write(headerPath(planId), headerDocument(headerWith(summary.sha256))));
  return { type: 'ReportWasWritten', header_sha256: header.sha256, summary_sha256: summary.sha256 };
}

/** Restores the approved bytes in the evidence when they were removed or changed, and reports that. */
async function keepLockedPlan(run: Writing): Promise<readonly MovedObstacle[]> {
  const { mission, ports } = run;
  const path = lockedPlanPath(mission.plan.plan_id);
  const there = await ports.evidence.read(path);
  if (there.ok && there.value?.sha256 === mission.plan_sha256) return [];
  const locked = await readLockedPlan(mission, ports);
  if (!locked) return []; // gone everywhere: verification reports it
  const moved = await clearWay(path, run);
  written(await ports.evidence.write(path, locked));
  return moved;
}

export async function writeTaskEvidence(run: EffectRun<'writeTaskEvidence'>): Promise<Report> {
  const { mission, ports } = run;
  const { task_id } = run.effect;
  const row = rowOf(mission, task_id);
  await writeOutcome(mission, row, ports);
  const { plan_id } = mission.plan;
  const document = milestoneDocument(mission, row);
  const milestone = document && (await put(milestonePath(plan_id, row.task.milestone ?? ''), document, run));
  const carried = row.carried?.sha256;
  // The task was done before the handoff, so its evidence is copied from there.
  const kept = carried ? await keptHandoffFile(mission, taskFile(task_id), ports) : null;
  const content = kept ? kept.bytes : documentText(taskEvidence(mission, row, ports.paths.places));
  const { path, sha256 } = await put(taskEvidencePath(plan_id, task_id), content, run);
  if (kept && (kept.sha256 !== carried?.toUpperCase() || sha256 !== kept.sha256))
    throw new Error(`${taskFile(task_id)} of the handoff this mission goes on from is not what was handed over.`);
  const of = milestone && { milestone_sha256: milestone.sha256 };
  return { type: 'TaskEvidenceWasWritten', task_id, path, sha256, ...of };
}

/** Writes the recovery packet and its Markdown twin into the mission folder. */
export async function writePacket(run: EffectRun<'writePacket'>): Promise<Report> {
  const { effect, mission, ports } = run;
  const packet = packetOf(mission, effect.packet_id);
  await writeOutcome(mission, rowOf(mission, packet.task_id), ports);
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
  await clearWay(`${path}.md`, run);
  written(await ports.evidence.writeMarkdown(`${path}.md`, packetMarkdown(document)));
  const file = await put(`${path}.json`, documentText(document), run);
  const { packet_id, asked } = packet;
  return { type: 'PacketWasWritten', packet_id, path: file.path, sha256: file.sha256, asked };
}

/** Name of the packet that a person completes, in a run directory of its own. */
const resultFile = 'result.json';

/** Writes the packet anew after a crash, because only the journal makes its place known. */
export async function writeIntervention(run: EffectRun<'writeIntervention'>): Promise<Report> {
  const { mission, ports } = run;
  const { task_id, attempt, run_dir } = run.effect;
  const lane = laneOf(mission, task_id);
  const claim = lane?.claim;
  if (claim?.kind !== 'valid') throw new Error('Broken invariant: a person completes a result that is not valid.');
  const path = ports.paths.missionFile(mission.mission_id, `runs/${run_dir}/${resultFile}`);
  const file = await put(path, packetToComplete(claim), run);
  await writeOutcome(offered(mission, task_id, file.path), rowOf(mission, task_id), ports);
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

/** Text of EXECUTION_HEADER.json without its seal, with the members of the contract in its order. */
export function headerDocument(header: ExecutionHeader): string {
  const members = new Map<string, unknown>(Object.entries(header));
  const inOrder = Object.keys(executionHeaderSchema.shape).map((key) => [key, members.get(key)]);
  return documentText({ ...Object.fromEntries(inOrder), header_sha256: unsealed });
}
