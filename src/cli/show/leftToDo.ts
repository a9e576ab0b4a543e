import type { MissionView } from '../../contracts/missionView';
import { fewNamed } from '../../base/text/firstNamed';
import { terminal, type TerminalText } from '../../base/text/terminal';

/**
 * Finds which tasks a paused mission has left, and the commands that go on with it or end it; empty for any other one.
 */
export function leftToDo({ status, ending, tasks, next = [] }: MissionView): readonly TerminalText[] {
  if (status !== 'paused' || ending !== null) return [];
  const left = tasks.filter((task) => task.status !== 'done' && task.status !== 'canceled');
  const names = fewNamed(left.map(({ task_id }) => task_id));
  return [
    ...(left.length === 0 ? [] : [terminal`Left      ${left.length} of ${tasks.length} tasks: ${names}`]),
    ...next.map((step, index) => terminal`${(index === 0 ? 'Next' : 'Or').padEnd(10)}${step}`),
  ];
}
