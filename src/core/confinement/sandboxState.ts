import type { SandboxState } from '../../contracts/vocabulary/confinement';
import type { Phase } from '../../contracts/vocabulary/execution';
import type { Attempt } from '../model/attempt';
import { rowOf, type Mission } from '../model/state';

interface ExitCondition {
  readonly name: string;
  readonly holds: (mission: Mission, attempt: Attempt) => boolean;
}

/**
 * What has to hold before a launch of the attempt may write the approved paths of its task. The sandbox is read-only
 * again with the next attempt, which starts without phases. The approval of the plan stands for "first execution in
 * the project". Source: seed 004.
 */
const exitConditions: readonly ExitCondition[] = [
  { name: 'the state is validated', holds: phasePassed(0) },
  { name: 'the intent is resolved', holds: phasePassed(1) },
  { name: 'the context is assembled', holds: phasePassed(2) },
  { name: 'the model is selected', holds: phasePassed(3) },
  {
    name: 'paths are approved',
    holds: (mission, { task_id }) => rowOf(mission, task_id).scope.paths.length > 0,
  },
  {
    name: 'no failure of the task is unresolved',
    holds: ({ packets }, { task_id }) =>
      !packets.some((packet) => packet.task_id === task_id && packet.state.kind === 'open'),
  },
];

/**
 * The state of the sandbox in which a launch of the attempt starts; a task whose intent only reads never leaves
 * `read_only`.
 *
 * @throws where a launch is prepared before every condition holds, which is a broken invariant: the owner halts
 */
export function sandboxState(mission: Mission, attempt: Attempt): SandboxState {
  const unmet = exitConditions.filter(({ holds }) => !holds(mission, attempt));
  if (unmet.length > 0)
    throw new Error(
      `Broken invariant: task ${attempt.task_id} is about to run, and not yet true is: ${unmet.map(({ name }) => name).join(', ')}.`,
    );
  return rowOf(mission, attempt.task_id).task.writes ? 'approved_paths' : 'read_only';
}

function phasePassed(phase: Phase): ExitCondition['holds'] {
  return (_, { phases }) => phases.some((done) => done.phase === phase && done.outcome === 'PASS');
}
