import { fewNamed, firstLines } from '../../base/text/firstNamed';
import type { Attempt } from '../model/attempt';
import type { AttemptFailure } from '../model/facts';
import { declaredIntent } from '../context/tier0';
import type { PlannedTask } from '../plan/approvedPlan';
import { fileOf } from './judgeChanges';

/**
 * What a task of an intent may not do although its paths are approved: write at all, or write anything but the project
 * file. What lies outside the approved paths is a matter of the scope. Source: facts C2.
 */
export function judgeIntent(task: PlannedTask, attempt: Attempt): AttemptFailure | null {
  // A command as well, where its plan declares that it only reads.
  const intent = task.writes ? declaredIntent(task) : task.intent;
  if (intent === null || (task.writes && intent !== 'generate_context')) return null;
  const made = (attempt.observed?.changes ?? []).filter(
    ({ attribution, scratch, in_scope, path }) =>
      attribution === 'worker' &&
      !scratch &&
      in_scope &&
      !(intent === 'generate_context' && path === 'ai.project.json'),
  );
  if (made.length === 0) return null;
  const may = intent === 'generate_context' ? 'writes ai.project.json alone' : 'writes nothing';
  return {
    kind: 'structural',
    code: 'NON_COMPLIANT',
    reason: `The intent of the task is ${intent}, which ${may}, and its worker changed ${fewNamed(made.map(({ path }) => path))}. Nothing was reverted.`,
    details: firstLines(
      made.map(({ kind, path }) => `${kind} ${path}`),
      fileOf(task.task_id),
    ),
  };
}
