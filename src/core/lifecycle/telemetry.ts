import { memoryIntents } from '../../contracts/vocabulary/intents';
import { tier0Of } from '../context/tier0';
import type { Attempt } from '../model/attempt';
import type { Mission, ReceivedPlan } from '../model/state';
import type { PlannedTask } from '../plan/approvedPlan';
import { telemetryBreach, type TelemetryFacts } from '../telemetry/mode';

/**
 * Returns what is known of a task before phase 0. The backend is the journal: an attempt begins with a record in it. No
 * policy allows a higher tier, because only a person can.
 */
export function declaredFacts({ plan }: Pick<Mission, 'plan'>, task: PlannedTask): TelemetryFacts {
  const { intent, tier, environment } = tier0Of(plan, task).declared;
  return { ...resolvedFacts({ plan }, task), intent, tier, environment };
}

function resolvedFacts({ plan }: Pick<Mission, 'plan'>, { intent, tier }: PlannedTask): TelemetryFacts {
  const memory = intent !== null && (memoryIntents as readonly string[]).includes(intent);
  return { intent, tier, environment: plan.environment, memory, escalation: false, backend: true };
}

/** @throws when the mode of the attempt does not allow what a phase resolved: a broken invariant, and the owner halts */
export function assertTelemetryAllows(mission: ReceivedPlan, attempt: Attempt, task: PlannedTask): void {
  const breach = telemetryBreach(attempt.telemetry_mode, resolvedFacts(mission, task));
  if (breach !== null) throw new Error(`Broken invariant: task ${task.task_id}: ${breach}.`);
}
