import type { Assignment, Lock } from '../../contracts/freshContext';
import {
  assignmentPacketType,
  freshContextLimits,
  freshContextVersion,
  resultSchemaName,
} from '../../contracts/vocabulary/freshContext';
import { lockConflict, minimalScope } from '../locks/conflicts';
import { plainSurroundings, type LockSurroundings } from '../locks/lockPath';
import type { Mission, Tasks } from '../model/state';
import type { PlannedTask } from '../plan/approvedPlan';
import { constraintsOn } from '../plan/delegation';
import type { AssignmentContext } from '../freshContext/assignment';
import { criteriaOf, objectiveOf } from './bundle';

interface AssignmentFacts {
  /** Where the worker may keep notes, relative to the workspace root. */
  readonly worklog: string;
  /** ISO-8601. */
  readonly at: string;
  readonly locks: readonly Lock[];
  readonly surroundings?: LockSurroundings;
}

/**
 * The assignment packet of a task, `assignment.json` in the run directory. Paths that are forbidden inside the lock
 * scope become constraints, because the contract requires disjoint scopes.
 */
export function taskAssignment(
  { run_id, plan }: Pick<Mission, 'run_id' | 'plan'>,
  task: PlannedTask,
  { worklog, at, locks, surroundings = plainSurroundings }: AssignmentFacts,
): Assignment {
  const lock_scope = [...minimalScope(task.paths, surroundings)];
  const inside = (path: string): boolean => lock_scope.some((resource) => lockConflict(path, resource, surroundings));
  const title = task.description.trim() === '' ? task.task_id : task.description;
  return {
    schema_version: freshContextVersion,
    run_id,
    packet_type: assignmentPacketType,
    global_objective: objectiveOf({ plan }, longestObjective),
    task: {
      task_id: task.task_id,
      title: title.slice(0, freshContextLimits.title),
      type: plan.mode === 'parallel' ? 'parallelizable' : 'serial',
      dependencies: [...task.depends_on],
      lock_scope,
      forbidden_scope: [
        ...minimalScope(
          task.forbidden_paths.filter((path) => !inside(path)),
          surroundings,
        ),
      ],
      acceptance_criteria: criteriaOf(task),
      worklog_path: worklog,
      timeout_seconds: task.timeout_seconds,
      heartbeat_interval_seconds: task.heartbeat_interval_seconds,
      priority: task.priority,
    },
    active_locks: locks.filter(({ task_id }) => task_id !== task.task_id),
    context_package: [
      ...(task.prompt === null || task.prompt.trim() === '' ? [] : [{ kind: 'note' as const, value: task.prompt }]),
      ...task.forbidden_paths.filter(inside).map((path) => ({
        kind: 'constraint' as const,
        value: `Never touch ${path}, although it lies in the lock scope.`,
      })),
      ...constraintsOn(task.worker, plan).map((value) => ({ kind: 'constraint' as const, value })),
      ...plan.scope_forbidden.map((token) => ({
        kind: 'constraint' as const,
        value: `The plan forbids the capability ${token}.`,
      })),
    ],
    required_output_schema: resultSchemaName,
    generated_at: at,
  };
}

/** Each attempt has its own copy: in a plan with thousands of tasks, thousands of files would hold the whole plan. */
const longestObjective = 1000;

export function assignmentContext(
  mission: Tasks,
  surroundings: LockSurroundings = plainSurroundings,
): AssignmentContext {
  return {
    run_id: mission.run_id,
    statuses: Object.fromEntries(mission.rows.map((row) => [row.task.task_id, row.status])),
    surroundings,
  };
}
