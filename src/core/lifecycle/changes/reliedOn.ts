import type { Attempt } from '../../model/attempt';
import { rowOf, type Tasks } from '../../model/state';
import type { RawChange } from '../../observation/change';
import { inScope, within, type PathComparison } from '../../paths/compare';
import { isLeftover } from '../../../base/leftovers';
import { ranBeside } from '../../model/lanes';

/**
 * Says why the mission relies on a file that others changed: it lies in approved paths, or a command of the plan names
 * it or a folder around it. Nothing relies on facts of git, on scratch, on what editors leave by themselves, nor on the
 * whole workspace (`eslint .`). What a command reads without naming it is not known.
 */
export function reliedOnIn(
  mission: Tasks,
  { task_id }: Pick<Attempt, 'task_id'>,
  comparison: PathComparison,
): (change: RawChange) => string | null {
  const own = rowOf(mission, task_id).scope.paths;
  // Most attempts have no change of others, and the commands of all tasks are many.
  let commands: ReturnType<typeof commandsOf> | null = null;
  return ({ path, kind }) => {
    if (kind === 'git' || kind === 'index_flag' || isLeftover(path)) return null;
    if (inScope(path, own, comparison)) return 'lies in the approved paths of the task';
    const holder = mission.rows.find(
      ({ task, scope }) => task.task_id !== task_id && inScope(path, scope.paths, comparison),
    );
    if (holder) return `lies in the approved paths of task ${holder.task.task_id}`;
    if (within(path, mission.plan.scratch, comparison)) return null;
    commands ??= commandsOf(mission);
    const command = commands.find(({ named }) => within(path, named, comparison));
    return command ? `is named by a command of task ${command.task_id}: ${command.argv.join(' ')}` : null;
  };
}

function commandsOf({ rows }: Tasks) {
  return rows.flatMap(({ task }) =>
    [...(task.worker === 'command' ? [task.command] : []), ...task.verify].map((argv) => ({
      task_id: task.task_id,
      argv,
      named: argv.flatMap(namedBy),
    })),
  );
}

/** The path that a word of a command line may name, also behind `=`; none where it is no path in the workspace. */
function namedBy(word: string): readonly string[] {
  const [, value = word] = /^-[^=]*=(.*)$/s.exec(word) ?? [];
  const path = value.replace(/^(\.\/+)+/, '').replace(/\/+$/, '');
  return path === '' || path === '.' || path.startsWith('-') || path.startsWith('/') ? [] : [path];
}

/** Finds the scratch paths that no other task owns. An agent may not write there; a command beside it may have. */
export function scratchOf(mission: Tasks, attempt: Attempt, comparison: PathComparison): (path: string) => boolean {
  const scratch = mission.plan.scratch;
  if (scratch.length === 0) return () => false;
  const { task } = rowOf(mission, attempt.task_id);
  const mayWrite = task.worker === 'command' || attempt.launches.some(({ purpose }) => purpose.kind === 'verify');
  if (!mayWrite && ranBeside(mission, attempt).length === 0) return () => false;
  const others = mission.rows.filter(({ task: { task_id } }) => task_id !== attempt.task_id);
  const taken = others.flatMap(({ scope }) => scope.paths);
  return (path) => within(path, scratch, comparison) && !within(path, taken, comparison);
}
