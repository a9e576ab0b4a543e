import { agentNames, type WorkerName } from '../../../contracts/vocabulary/workers';
import { delegatedAgents } from '../../../workers/registry';
import {
  asText,
  asTexts,
  listAt,
  objectAt,
  objectsAt,
  quoted,
  textAt,
  valueAt,
  type JsonObject,
} from '../../../base/json';
import type { JudgedTask, AddPlanFinding } from './judgedTask';
import { judgeCommand, judgeVerify } from './commands';
import { judgeId } from './identity';

export function judgeTasks(
  plan: JsonObject,
  tasks: readonly JudgedTask[],
  defaultWorker: WorkerName,
  report: AddPlanFinding,
): void {
  if (listAt(plan, 'tasks')?.length === 0) {
    report('TASKS_EMPTY', '/tasks', 'tasks is empty; a plan needs at least one task.');
  }
  const seen = new Map<string, number>();
  for (const [task, index, pointer] of tasks) {
    const id = asText(task['task_id']);
    if (id !== null) {
      judgeId(id, `${pointer}/task_id`, 'The task id', report);
      const key = id.toLowerCase();
      const first = seen.get(key);
      if (first === undefined) {
        seen.set(key, index);
      } else {
        const message = `Task id ${quoted(id)} is taken by task number ${first + 1} (upper and lower case do not tell ids apart); choose another.`;
        report('TASK_ID_DUPLICATE', `${pointer}/task_id`, message);
      }
    }
    judgeWorker(task, pointer, defaultWorker, report);
    judgeVerify(task, pointer, report);
  }
  judgeDelegation(plan, tasks, defaultWorker, report);
}

function judgeWorker(task: JsonObject, pointer: string, defaultWorker: WorkerName, report: AddPlanFinding): void {
  const { worker: declared, command } = task;
  const worker = declared ?? defaultWorker;
  if (worker === 'command') {
    if (command === undefined) {
      report('COMMAND_MISSING', pointer, 'The worker command needs command, such as ["node", "scripts/build.mjs"].');
    }
  } else if (command !== undefined && (agentNames as readonly unknown[]).includes(worker)) {
    report(
      'COMMAND_UNEXPECTED',
      `${pointer}/command`,
      declared === undefined
        ? `This task has a command but no worker, so it goes to ${defaultWorker}; add "worker": "command" or remove the command.`
        : `The worker ${quoted(declared)} takes no command; put what it should do into description or prompt.`,
    );
  }
  if (Array.isArray(command)) judgeCommand(command, `${pointer}/command`, report);
}

/** One finding for all tasks, at the place of the permission. */
function judgeDelegation(
  plan: JsonObject,
  all: readonly JudgedTask[],
  defaultWorker: WorkerName,
  report: AddPlanFinding,
): void {
  const execution = objectAt(plan, 'execution');
  const delegation = objectAt(execution, 'delegation');
  if (valueAt(delegation, 'claude_code') === true || execution === null) return;
  const isDelegated = (worker: unknown): boolean => (delegatedAgents as readonly unknown[]).includes(worker);
  const tasks = all.filter(([task]) => isDelegated(task['worker'] ?? defaultWorker));
  const milestones = objectsAt(plan, 'milestones').filter(([milestone]) =>
    isDelegated(valueAt(objectAt(milestone, 'validate'), 'worker')),
  );
  if (tasks.length + milestones.length === 0) return;
  const named = tasks.length === 0 ? milestones : tasks;
  const names = named
    .slice(0, 5)
    .map(([one, index]) => textAt(one, 'task_id') ?? textAt(one, 'id') ?? `number ${index + 1}`);
  const more = named.length > names.length ? ` and ${named.length - names.length} more` : '';
  const what = tasks.length === 0 ? 'The validation of milestone' : tasks.length === 1 ? 'Task' : 'Tasks';
  const byDefault =
    tasks.length > 0 && tasks.every(([task]) => valueAt(task, 'worker') === undefined) ? ', the default worker' : '';
  const pointer =
    valueAt(delegation, 'claude_code') !== undefined
      ? '/execution/delegation/claude_code'
      : delegation !== null
        ? '/execution/delegation'
        : '/execution';
  const message = `${what} ${names.join(', ')}${more} would go to ${delegatedAgents.join(' or ')}${byDefault}; set execution.delegation.claude_code to true or name another worker.`;
  report('DELEGATION_NOT_ALLOWED', pointer, message);
}

/** The index of each task; of equal ids the first. */
export function tasksById(tasks: readonly JudgedTask[]): ReadonlyMap<string, number> {
  const byId = new Map<string, number>();
  for (const [task, index] of tasks) {
    const id = asText(task['task_id']);
    if (id !== null && !byId.has(id)) byId.set(id, index);
  }
  return byId;
}

export function dependenciesOf(task: JsonObject): readonly (readonly [string, number])[] {
  return asTexts(task['depends_on']);
}
