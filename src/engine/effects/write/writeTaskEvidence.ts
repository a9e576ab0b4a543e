import { milestonePath, taskEvidencePath } from '../../../core/evidence/places';
import { documentText } from '../../../base/json';
import { taskEvidence } from '../../../core/mission/evidence/taskEvidence';
import { milestoneDocument } from '../../../core/mission/milestones/document';
import type { Report } from '../../../core/model/inputs';
import { rowOf } from '../../../core/model/state';
import { keptHandoffFile } from './handoffFolder';
import { writeOutcome } from './writeOutcome';
import { put } from './written';
import type { EffectRun } from '../run/effectRun';

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
  const carried = row.carried?.evidence;
  if (carried) {
    // The task was done before the handoff, so its evidence is copied from there.
    const kept = await keptHandoffFile(mission, carried.file, ports);
    const file = await put(path, kept.bytes, mission, ports, send);
    if (kept.sha256 !== carried.sha256.toUpperCase() || file.sha256 !== kept.sha256)
      throw new Error(`${carried.file} of the handoff this mission goes on from is not what was handed over.`);
    return { type: 'TaskEvidenceWasWritten', task_id: effect.task_id, path: file.path, sha256: file.sha256, ...of };
  }
  const file = await put(path, documentText(taskEvidence(mission, row, ports.paths.places)), mission, ports, send);
  return { type: 'TaskEvidenceWasWritten', task_id: effect.task_id, path: file.path, sha256: file.sha256, ...of };
}
