import { checkedCriteria, knownConstraints, parallelLimits } from '../../../contracts/vocabulary/plan';
import type { WorkerName } from '../../../contracts/vocabulary/workers';
import { costUnreported } from '../../../workers/registry';
import { recoveryPermissions } from '../../../contracts/vocabulary/intents';
import { listAt, numberAt, objectAt, quoted, textsAt, valueAt, type JsonObject } from '../../../base/json';
import type { JudgedTask, AddPlanFinding } from './judgedTask';
import { judgeConfinement } from './confinement';
import { judgeInstructionPaths } from './instructions';

/** `execution` and success criteria. */
export function judgeExecution(
  plan: JsonObject,
  tasks: readonly JudgedTask[],
  defaultWorker: WorkerName,
  report: AddPlanFinding,
): void {
  const execution = objectAt(plan, 'execution');
  judgeMode(execution, report);
  judgeRecovery(objectAt(execution, 'recovery'), report);
  judgeBudget(objectAt(execution, 'budget'), report);
  judgeCost(objectAt(execution, 'budget'), tasks, defaultWorker, report);
  judgeConfinement(execution, report);
  judgeInstructionPaths(execution, report);
  for (const [name, index] of textsAt(execution, 'env')) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
    report(
      'ENV_NAME_INVALID',
      `/execution/env/${index}`,
      `${quoted(name)} is not the name of an environment variable; list names only, values are never in a plan.`,
    );
  }
  for (const [token, index] of textsAt(objectAt(execution, 'delegation'), 'constraints')) {
    if ((knownConstraints as readonly string[]).includes(token)) continue;
    report(
      'CONSTRAINT_UNKNOWN',
      `/execution/delegation/constraints/${index}`,
      `${quoted(token)} is given to the worker and recorded, but nothing here enforces it; check the result by hand.`,
      'warning',
    );
  }
  if (listAt(plan, 'success_criteria')?.length === 0)
    report(
      'CRITERIA_EMPTY',
      '/success_criteria',
      `success_criteria is empty, so the mission completes without anything being checked; name some, such as ${checkedCriteria.join(', ')}.`,
      'warning',
    );
  for (const [criterion, index] of textsAt(plan, 'success_criteria')) {
    if ((checkedCriteria as readonly string[]).includes(criterion)) continue;
    report(
      'CRITERION_NOT_CHECKED',
      `/success_criteria/${index}`,
      `${quoted(criterion)} will be reported as not machine-checked; look at it yourself when the mission is done.`,
      'info',
    );
  }
}

function judgeMode(execution: JsonObject | null, report: AddPlanFinding): void {
  const parallel = valueAt(execution, 'mode') === 'parallel';
  const lanes = numberAt(execution, 'max_parallel');
  const pointer = '/execution/max_parallel';
  if (lanes === null) return;
  if (!Number.isInteger(lanes) || lanes < parallelLimits.min || lanes > parallelLimits.max) {
    report(
      'PARALLEL_LIMIT_INVALID',
      pointer,
      `max_parallel must be a whole number from ${parallelLimits.min} to ${parallelLimits.max}, not ${lanes}.`,
    );
  } else if (!parallel && lanes > 1) {
    report(
      'PARALLEL_LIMIT_INVALID',
      pointer,
      'max_parallel has no effect without "mode": "parallel"; remove it.',
      'warning',
    );
  }
}

function judgeRecovery(recovery: JsonObject | null, report: AddPlanFinding): void {
  const allow = textsAt(recovery, 'allow');
  const seen = new Set<string>();
  for (const [permission, index] of allow) {
    const pointer = `/execution/recovery/allow/${index}`;
    if (!(recoveryPermissions as readonly string[]).includes(permission)) {
      report(
        'RECOVERY_INVALID',
        pointer,
        `${quoted(permission)} is no recovery permission; use ${recoveryPermissions.join(', ')}.`,
      );
    } else if (seen.has(permission)) {
      report('RECOVERY_INVALID', pointer, `${quoted(permission)} stands twice; remove one.`, 'warning');
    }
    seen.add(permission);
  }
  const directories = textsAt(recovery, 'directories');
  for (const [directory, index] of directories) {
    const problem = directoryProblem(directory);
    if (problem !== null) {
      report(
        'RECOVERY_DIRECTORY_INVALID',
        `/execution/recovery/directories/${index}`,
        `${quoted(directory)} ${problem}.`,
      );
    }
  }
  if (directories.length > 0 && !seen.has('add_directory')) {
    report(
      'RECOVERY_DIRECTORY_UNUSED',
      '/execution/recovery/directories',
      'These directories are never given to a worker unless execution.recovery.allow holds "add_directory".',
      'warning',
    );
  }
}

/** Directories are absolute, or relative to the workspace root; `..` is allowed, because they usually lie beside it. */
function directoryProblem(directory: string): string | null {
  if (directory.trim() === '') return 'is empty; name a directory';
  if (/^~/.test(directory)) return 'starts with ~, which is not expanded; write the whole path';
  if (/^([A-Za-z]:)?[/\\]*$/.test(directory)) return 'is a whole file system; name the directory that is needed';
  if (/[*?]/.test(directory)) return 'is a glob; name directories';
  return null;
}

function judgeBudget(budget: JsonObject | null, report: AddPlanFinding): void {
  const tokens = numberAt(budget, 'tokens');
  if (tokens !== null && (!Number.isSafeInteger(tokens) || tokens < 1)) {
    report(
      'BUDGET_INVALID',
      '/execution/budget/tokens',
      `tokens must be a whole number above 0, not ${tokens}; remove it for no limit.`,
    );
  }
  const usd = numberAt(budget, 'usd');
  if (usd !== null && !(usd > 0)) {
    report('BUDGET_INVALID', '/execution/budget/usd', `usd must be above 0, not ${usd}; remove it for no limit.`);
  }
  if (budget?.['on_exceed'] !== undefined && tokens === null && usd === null) {
    report('BUDGET_INVALID', '/execution/budget', 'on_exceed needs a budget: give tokens, usd or both.');
  }
}

/** Warns of agents whose cost is not counted, because a budget in dollars reads as one of the whole mission. */
function judgeCost(
  budget: JsonObject | null,
  tasks: readonly JudgedTask[],
  defaultWorker: WorkerName,
  report: AddPlanFinding,
): void {
  if (numberAt(budget, 'usd') === null || numberAt(budget, 'tokens') !== null) return;
  const workers = tasks.map(([task]) => task['worker'] ?? defaultWorker);
  for (const worker of costUnreported) {
    if (!workers.includes(worker)) continue;
    report(
      'BUDGET_NOT_COUNTED',
      '/execution/budget/usd',
      `${worker} tells no cost, so usd does not bound its tasks; give tokens as well.`,
      'warning',
    );
  }
}
