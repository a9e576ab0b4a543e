import type { WorkerName } from '../../../contracts/vocabulary/workers';
import { asText, quoted } from '../../../base/json';
import { resolveIntent } from './resolveIntent';
import type { AddPlanFinding, JudgedTask } from './judgedTask';

/** A task that an agent performs has one intent: phase 1 would ask a person, so the plan is asked first. */
export function judgeIntents(tasks: readonly JudgedTask[], defaultWorker: WorkerName, report: AddPlanFinding): void {
  for (const [task, , pointer] of tasks) {
    const description = asText(task['description']);
    if ((task['worker'] ?? defaultWorker) === 'command' || task['intent'] !== undefined || description === null)
      continue;
    const resolved = resolveIntent({ intent: null, type: asText(task['type']), description });
    if (resolved.kind === 'resolved') continue;
    const { first, second } = resolved;
    report(
      'INTENT_AMBIGUOUS',
      `${pointer}/description`,
      `This task reads as ${first.intent} (${quoted(first.reading)}) and as ${second.intent} (${quoted(second.reading)}), and a task has one intent; add "intent": "${first.intent}" or "intent": "${second.intent}", or make two tasks of it.`,
    );
  }
}
