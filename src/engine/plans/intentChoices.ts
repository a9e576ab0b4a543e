import type { Intent } from '../../contracts/vocabulary/intents';
import { textAt, valueAt } from '../../base/json';
import { resolveIntent } from '../../core/plan/rules/resolveIntent';

/** The intents that a task of a plan reads as; none where it has one intent, or declares it. */
export function intentChoices(plan: unknown, index: number): readonly Intent[] {
  const tasks = valueAt(plan, 'tasks');
  const task: unknown = Array.isArray(tasks) ? tasks[index] : undefined;
  if (valueAt(task, 'intent') !== undefined) return [];
  const description = textAt(task, 'description') ?? '';
  const resolved = resolveIntent({ intent: null, type: textAt(task, 'type'), description });
  return resolved.kind === 'ambiguous' ? [resolved.first.intent, resolved.second.intent] : [];
}
