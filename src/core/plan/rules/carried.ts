import { objectAt, quoted, textAt, type JsonObject } from '../../../base/json';
import type { AddPlanFinding, JudgedTask } from './judgedTask';
import { dependenciesOf } from './tasks';

/** The end of every sentence about a task that is not carried over. */
export const notCarried = 'Remove carried_from to have the task done again.';

/** Judges the text: one mission of the superseded plan, and no dependency done anew. The engine asks the journal. */
export function judgeCarried(plan: JsonObject, tasks: readonly JudgedTask[], report: AddPlanFinding): void {
  const carried = tasks.flatMap(([task, , pointer]) => {
    const from = objectAt(task, 'carried_from');
    return from === null ? [] : [{ task, from, pointer: `${pointer}/carried_from` }];
  });
  if (carried.length === 0) return;
  const supersedes = textAt(plan, 'supersedes');
  const mission = textAt(carried[0]?.from, 'mission_id');
  const names = new Set(carried.map(({ task }) => textAt(task, 'task_id')));
  for (const { task, from, pointer } of carried) {
    const refuse = (reason: string): void => {
      const message = `Task ${quoted(textAt(task, 'task_id'))} cannot be carried over: ${reason} ${notCarried}`;
      report('CARRIED_REFUSED', pointer, message);
    };
    const waits = dependenciesOf(task).find(([id]) => !names.has(id))?.[0];
    if (supersedes === null) refuse('the plan does not say which plan it supersedes.');
    else if (textAt(from, 'plan_id') !== supersedes)
      refuse(`it comes from ${quoted(textAt(from, 'plan_id'))}, and this plan supersedes ${quoted(supersedes)}.`);
    else if (textAt(from, 'mission_id') !== mission)
      refuse('tasks are carried over from one mission, and not from two.');
    else if (waits !== undefined) refuse(`it depends on ${quoted(waits)}, which is not carried over.`);
  }
}
