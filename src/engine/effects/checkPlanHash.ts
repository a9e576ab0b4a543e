import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/model/inputs';
import { rowOf, type Mission } from '../../core/model/state';
import type { EnginePorts } from '../ports/engine';
import { explainPlanMismatch, readPlanHash } from './planHash';
import { writeOutcome } from './writeOutcome';

/** Reads the plan file's hash before a task is dispatched; an earlier worker's terminal is told of the new attempt. */
export async function checkPlanHash(
  effect: Extract<Effect, { kind: 'checkPlanHash' }>,
  mission: Mission,
  ports: EnginePorts,
): Promise<Report> {
  const row = rowOf(mission, effect.task_id);
  if (row) await writeOutcome(mission, row, ports);
  const observed = await readPlanHash(mission, ports);
  return {
    type: 'PlanHashWasRead',
    task_id: effect.task_id,
    attempt: effect.attempt,
    observed: observed.sha256,
    explanation: await explainPlanMismatch(mission, ports, observed),
  };
}
