import { judgeReading, type ContextRefusal } from '../../core/context/judgeContext';
import { needsOf } from '../../core/context/needs';
import type { LockedIntent } from '../../core/context/tier0';
import { snapshotText, tier1Of } from '../../core/context/tier1';
import type { AttemptContext } from '../../core/model/facts';
import { laneOf } from '../../core/model/lanes';
import type { Mission } from '../../core/model/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import { judgedProject } from '../plans/projectReading';
import { put, type SendReport } from './written';
import type { EnginePorts } from '../ports/engine';

export type Assembled =
  | { readonly ok: true; readonly context: AttemptContext | null }
  | { readonly ok: false; readonly refusal: ContextRefusal };

/**
 * Phase 2: reads what the intent asks for, and keeps the frozen snapshot for the mission. What a retry of the effect
 * finds changed is frozen as it is then, because nothing is delegated yet. A command has no context.
 */
export async function assembleContext(
  { intent, run_dir }: { readonly intent: LockedIntent; readonly run_dir: string },
  mission: Mission,
  task: PlannedTask,
  ports: EnginePorts,
  send: SendReport,
): Promise<Assembled> {
  if (intent.intent === null) return { ok: true, context: null };
  const needs = needsOf(intent);
  const reading = needs.project ? await judgedProject(await ports.project.read(intent), ports.project) : null;
  const refusal = reading && judgeReading(intent.intent, reading);
  if (refusal) return { ok: false, refusal };
  const project = reading?.kind === 'read' ? { sha256: reading.sha256, document: reading.document } : null;
  const { answers = [] } = laneOf(mission, task.task_id) ?? {};
  const tier1 = tier1Of(intent, mission.plan, task, { restore: needs.restore ? [] : null, project, answers });
  const kept = ports.paths.missionFile(mission.mission_id, `contexts/${run_dir}.json`);
  const file = await put(kept, snapshotText(tier1), mission, ports, send);
  return { ok: true, context: { snapshot_sha256: file.sha256, kept, project_sha256: project?.sha256 ?? null } };
}
