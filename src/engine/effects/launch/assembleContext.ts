import type { AttemptContext } from '../../../contracts/taskEvidence';
import { judgeReading, type ContextRefusal } from '../../../core/context/judgeContext';
import { needsOf, type LockedIntent } from '../../../core/context/tier0';
import { snapshotText, tier1Of } from '../../../core/context/tier1';
import { laneOf } from '../../../core/model/lanes';
import { rowOf } from '../../../core/model/state';
import type { PlannedTask } from '../../../core/plan/approvedPlan';
import { decisionStep } from '../../../base/text/steps';
import { done, type Outcome } from '../../../base/outcome';
import { sha256 } from '../../../base/sha256';
import { memoryLimits } from '../../../contracts/vocabulary/memory';
import { restoredFrom, type RestoredEntry } from '../../../core/memory/restore';
import { frozenInstructions } from './frozenInstructions';
import { remembered } from './readMemory';
import { judgedProject } from '../../plans/documentCheck';
import type { EffectRun } from '../run/effectRun';
import { put } from '../write/written';
import type { EnginePorts } from '../../ports/engine';

export type Assembled = Outcome<AttemptContext | null, ContextRefusal>;

/** Phase 2. A retry freezes what it finds then, because nothing is delegated yet. A command has no context. */
export async function assembleContext(run: EffectRun<'takeBaseline'>, task: PlannedTask): Promise<Assembled> {
  const { mission, ports } = run;
  const { intent, run_dir } = run.effect;
  if (intent.intent === null) return { ok: true, value: null };
  const needs = needsOf(intent);
  const reading = needs.project ? await judgedProject(await ports.project.read(intent), ports.project) : null;
  const refusal = reading && judgeReading(intent.intent, reading);
  if (refusal) return { ok: false, refusal };
  const restored = needs.restore ? await restore(intent, ports) : null;
  if (restored && !restored.ok) return restored;
  const project = reading?.kind === 'read' ? { sha256: reading.sha256, document: reading.document } : null;
  // A validator looks for itself, so it follows no file of the project.
  const frozen = task.validator ? done([]) : await frozenInstructions(intent, mission, ports);
  if (!frozen.ok) {
    const { reason, next } = frozen.refusal;
    return { ok: false, refusal: { code: 'NON_COMPLIANT', reason, details: next } };
  }
  const instructions = frozen.value;
  const { answers = [] } = laneOf(mission, task.task_id) ?? {};
  const { notes } = rowOf(mission, task.task_id);
  const entries = restored?.value ?? null;
  const loaded = { restore: entries, project, answers, notes, instructions };
  const tier1 = tier1Of(intent, mission.plan, task, loaded);
  const kept = ports.paths.missionFile(mission.mission_id, `contexts/${run_dir}.json`);
  const file = await put(kept, snapshotText(tier1), run);
  return {
    ok: true,
    value: {
      snapshot_sha256: file.sha256,
      kept,
      project_sha256: project?.sha256 ?? null,
      ...(entries && { memory: { entries: entries.length, sha256: sha256(JSON.stringify(entries)) } }),
      ...(instructions.length > 0 && {
        instructions: instructions.map((one) => ({ path: one.path, sha256: one.sha256 })),
      }),
    },
  };
}

/** RESTORE: returns all that is remembered, or nothing and a HALT. An empty memory is restored as it is. */
async function restore(
  intent: LockedIntent,
  ports: EnginePorts,
): Promise<Outcome<readonly RestoredEntry[], ContextRefusal>> {
  const needed = `A task of the intent ${intent.intent ?? ''} needs what was decided before`;
  const records = await remembered(intent, ports);
  if (!records.ok) {
    const { reason, next } = records.refusal;
    const sentence = `${needed}, and that is damaged, so nothing of it is used. ${reason}`;
    const refusal = { code: 'LEDGER_INCONSISTENT', reason: sentence, details: next } as const;
    return { ok: false, refusal };
  }
  const restored = restoredFrom(records.value);
  if (restored.ok) return { ok: true, value: restored.entries };
  const { restored_entries, restored_characters } = memoryLimits;
  return {
    ok: false,
    refusal: {
      code: 'NON_COMPLIANT',
      reason: `${needed}, and that is more than a task is given: ${restored.entries} entries with ${restored.characters} characters.`,
      details: [
        `At most ${restored_entries} entries and ${restored_characters} characters; nothing is left out of it.`,
        `begin a new memory, and retry the task: ${decisionStep('memory set-aside')}`,
      ],
    },
  };
}
