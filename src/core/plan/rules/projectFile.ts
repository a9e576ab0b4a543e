import { projectFile } from '../../../contracts/vocabulary/aiProject';
import { projectIntents } from '../../../contracts/vocabulary/intents';
import type { WorkerName } from '../../../contracts/vocabulary/workers';
import { asText, quoted, textsAt } from '../../../base/json';
import { readWrittenPath } from '../../paths/writtenPath';
import type { AddPlanFinding, JudgedTask } from './judgedTask';

/** What the workspace has of ai.project.json, as far as the caller looked before a run. */
export type ProjectFact =
  | { readonly kind: 'valid' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'invalid'; readonly why: string };

/** Returns whether a task of the plan declares an intent that needs the file. */
export function asksForProject(tasks: readonly JudgedTask[], defaultWorker: WorkerName): boolean {
  return declaredBy(tasks, defaultWorker).some(({ needs }) => needs);
}

/** The task that makes the file writes nothing else. The tasks that need the file only read it. */
export function judgeContextPaths(
  tasks: readonly JudgedTask[],
  defaultWorker: WorkerName,
  report: AddPlanFinding,
): void {
  for (const { task, pointer, intent, needs } of declaredBy(tasks, defaultWorker))
    for (const [text, index] of textsAt(task, 'paths')) {
      const reading = readWrittenPath(text);
      if (!reading.ok || (needs ? reading.path !== projectFile : reading.path === projectFile)) continue;
      const why = needs
        ? `works within ${projectFile} and cannot change it; take the path out`
        : `writes ${projectFile} alone; make ${quoted(text)} a task of its own`;
      report('CONTEXT_PATH_INVALID', `${pointer}/paths/${index}`, `A task of the intent ${intent} ${why}.`);
    }
}

/** A warning only: it is about the workspace, and the driver looks for itself, after it has resolved the intent. */
export function judgeProjectFile(
  tasks: readonly JudgedTask[],
  fact: ProjectFact,
  defaultWorker: WorkerName,
  report: AddPlanFinding,
): void {
  if (fact.kind === 'valid') return;
  for (const { pointer, intent, needs } of declaredBy(tasks, defaultWorker)) {
    if (!needs) continue;
    const at = `${pointer}/intent`;
    if (fact.kind === 'missing')
      report(
        'PROJECT_FILE_MISSING',
        at,
        `A task of the intent ${intent} needs ${projectFile} in the root of the workspace, and it is missing; write it with \`mission context new\`, or this task blocks when its turn comes.`,
        'warning',
      );
    else
      report(
        'PROJECT_FILE_INVALID',
        at,
        `A task of the intent ${intent} needs ${projectFile}, which is not valid (${fact.why}); mend it, or this task blocks when its turn comes.`,
        'warning',
      );
  }
}

/** Tasks of agents that declare an intent about the file: `needs` it, or else makes it. */
function declaredBy(tasks: readonly JudgedTask[], defaultWorker: WorkerName) {
  return tasks.flatMap(([task, , pointer]) => {
    const intent = asText(task['intent']);
    if ((task['worker'] ?? defaultWorker) === 'command' || intent === null) return [];
    const needs = projectIntents.some((one) => one === intent);
    return needs || intent === 'generate_context' ? [{ task, pointer, intent, needs }] : [];
  });
}
