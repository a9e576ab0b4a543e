import type { Situation } from '../scenarios/scenario';
import { journalOf } from './journals';
import type { Entries } from '../support/panelOf';

const words =
  'Look at what the review of the third quarter found, write down whether it was mended since, and by whom; ';

/**
 * A mission in the middle: some of its tasks are done, four under way, the others wait. Every description has 200
 * characters.
 */
export function manyTasks(count: number, done: number): Entries {
  const width = String(count).length;
  const tasks = Array.from({ length: count }, (_, index) => ({
    task_id: `T${String(index + 1).padStart(width, '0')}-${['tidy', 'what-the-second-look-has-shown', 'measure'][index % 3] ?? ''}`,
    description: `${words}${words}`.slice(0, 200),
    worker: (['claude', 'codex', 'gemini', 'command'] as const)[index % 4] ?? 'command',
    paths: [`reports/part-${index + 1}`],
  }));
  const situation: Situation = {
    max_parallel: 4,
    slow: tasks.map(({ task_id }) => task_id),
    tasks: tasks.map((task, index) => ({ ...task, depends_on: index < 4 ? [] : [tasks[index - 4]?.task_id ?? ''] })),
    world: Object.fromEntries(
      tasks.map(({ task_id, paths }) => [`${task_id}#1`, { changes: [`${paths[0] ?? ''}/result.md`] }]),
    ),
  };
  return journalOf(
    situation,
    'quarterly-review',
    ({ rows, lanes }) =>
      rows.filter(({ status }) => status === 'done').length >= done &&
      lanes.length === 4 &&
      lanes.every(({ stage }) => stage.at === 'running'),
  );
}
