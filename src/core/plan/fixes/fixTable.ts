import type { FindingCode } from '../../../contracts/vocabulary/codes/findings';
import { asksPerson, declareIntent, defaultCriteria, mendCommand, missingField, ownId, utcTime } from './values';
import { dropCommand, dropEntry, dropField, knownEntry, plainPath, unknownField } from './entries';
import { type FixRule, setsValue, type Mended, type PlanFix, type FixEdit } from './planFix';
import { parallelLimits, resourceLimits, timeLimits } from '../../../contracts/vocabulary/plan';
import { objectsAt, quoted, textAt, textsAt, type JsonObject } from '../../../base/json';
import { isId } from '../rules/identity';

/** What the light bulb offers for each finding of a plan. A new code does not compile without an answer. */
export const fixTable: Readonly<Record<FindingCode, FixRule>> = {
  // What was written is not known, so only who wrote it can mend it.
  FILE_NOT_FOUND: 'none',
  FILE_UNREADABLE: 'none',
  FILE_NOT_REGULAR: 'none',
  FILE_TOO_LARGE: 'none',
  TEXT_NOT_UTF8: 'none',
  JSON_SYNTAX: 'none',
  JSON_TOO_DEEP: 'none',
  JSON_TOO_MANY_VALUES: 'none',
  JSON_DUPLICATE_KEY: 'none',
  JSON_FORBIDDEN_KEY: 'none',
  JSON_STRING_INVALID: 'none',
  JSON_NUMBER_INVALID: 'none',
  FINDINGS_TRUNCATED: 'none',
  KIND_UNKNOWN: 'none',
  CONTRACT_FOREIGN: 'none',
  CHECK_FAILED: 'none',
  // A plan of another contract says something else by the same words.
  UNKNOWN_SCHEMA_VERSION: 'none',

  SCHEMA_INVALID: mendCommand,
  MISSING_REQUIRED_INPUT: missingField,
  FIELD_UNKNOWN: unknownField,
  ID_INVALID: plainId,
  TIME_INVALID: utcTime,
  PLAN_MISPLACED: ownId,
  SUPERSEDES_ITSELF: dropField,

  // Only people approve; the command shows what they approve.
  STATUS_NOT_APPROVED: { command: 'approvePlan' },
  RISK_TOO_HIGH: 'none',
  RISK_APPROVAL_MISSING: 'none',
  APPROVAL_INCOMPLETE: 'none',
  APPROVAL_BEFORE_CREATION: 'none',
  APPROVAL_IN_FUTURE: 'none',

  // No fix gives a plan more: a task gives up a requirement that is not allowed.
  SCOPE_EMPTY: 'none',
  SCOPE_CONTRADICTION: dropEntry,
  REQUIRES_NOT_ALLOWED: dropEntry,
  REQUIRES_FORBIDDEN: dropEntry,
  PATHS_EMPTY: 'none',
  PATH_INVALID: plainPath,
  PATH_RESERVED: dropEntry,
  PATH_BEHIND_LINK: 'none',
  PLACE_IS_LINK: 'none',
  PATH_OF_ANOTHER_TASK: 'none',
  PATH_FORBIDDEN: dropEntry,
  DELEGATION_NOT_ALLOWED: 'none',
  RECOVERY_INVALID: dropEntry,
  RECOVERY_DIRECTORY_INVALID: dropEntry,
  RECOVERY_DIRECTORY_UNUSED: dropField,
  ENV_NAME_INVALID: dropEntry,
  // Without them an agent would work by other rules than those that were meant.
  INSTRUCTIONS_MISSING: 'none',
  INSTRUCTIONS_UNUSABLE: 'none',
  SERVICE_INVALID: dropEntry,
  SCRATCH_NOT_IGNORED: dropEntry,
  SCRATCH_NOT_CHECKED: 'none',
  CONFINEMENT_TOO_COARSE: 'none',
  MODEL_REFUSED: 'none',
  POLICY_INVALID: 'none',
  POLICY_WIDENED: 'none',

  // Removing a budget would lift it.
  BUDGET_INVALID: 'none',
  BUDGET_NOT_COUNTED: 'none',

  TASKS_EMPTY: 'none',
  TASK_ID_DUPLICATE: freeTaskId,
  CONSTRAINT_UNKNOWN: knownEntry,
  COMMAND_MISSING: 'none',
  COMMAND_UNEXPECTED: dropCommand,
  // What a verify command was to check is unknown.
  ARGV_INVALID: 'none',
  ARGV_ONE_TEXT: mendCommand,
  ARGV_SHELL_SYNTAX: mendCommand,
  // What was to be checked, only its author knows.
  VERIFY_CANNOT_FAIL: 'none',
  VERIFY_HIDES_FAILURE: mendCommand,
  INTENT_AMBIGUOUS: declareIntent,
  CONTEXT_PATH_INVALID: 'none',
  PROJECT_FILE_MISSING: { command: 'newProjectContext' },
  PROJECT_FILE_INVALID: { command: 'openProjectContext' },
  DEPENDENCY_UNKNOWN: knownEntry,
  DEPENDENCY_CYCLE: dropEntry,
  CARRIED_REFUSED: dropField,
  LOCKED_OTHERWISE: 'none',
  APPROVED_OTHERWISE: 'none',
  CARRIED_NOT_CHECKED: 'none',
  TIME_LIMIT_INVALID: clampTime,
  TIME_LIMIT_UNREACHABLE: dropField,
  RESOURCE_LIMIT_INVALID: clampLimit,
  PARALLEL_LIMIT_INVALID: clampLanes,
  // Which secret it is, and where it goes instead, only its owner knows.
  SECRET_IN_PLAN: 'none',
  SECRET_IN_APPROVAL: 'none',

  MILESTONE_UNKNOWN: knownEntry,
  MILESTONE_DUPLICATE: freeMilestoneId,
  MILESTONE_EMPTY: 'none',
  MILESTONE_ORDER: 'none',
  MILESTONE_VALIDATES_NOTHING: dropField,
  MILESTONE_UNANSWERED: asksPerson,
  ASSERTION_DUPLICATE: dropEntry,
  CRITERIA_EMPTY: defaultCriteria,
  CRITERION_NOT_CHECKED: knownEntry,

  // Findings of ai.project.json, which no plan gets.
  PROJECT_FIELD_EMPTY: 'none',
  PROJECT_LIST_EMPTY: 'none',
  PROJECT_LOCK_EMPTY: 'none',
  PROJECT_LOCK_WITHOUT_ADR: 'none',
  SECRET_IN_PROJECT: 'none',
};

/** Within the range of the time limit, or its default. */
function clampTime(mended: Mended): readonly PlanFix[] {
  return [...clamped(mended, timeLimits), ...dropField(mended)];
}

/** Within the range of the limit. The default may let a launch use more, so it is not offered. */
function clampLimit(mended: Mended): readonly PlanFix[] {
  return clamped(mended, resourceLimits);
}

/** Within the range, or away where it has no effect. */
function clampLanes(mended: Mended): readonly PlanFix[] {
  return [...clamped(mended, { max_parallel: parallelLimits }), ...dropField(mended)];
}

type Limits = Readonly<Record<string, { readonly min: number; readonly max: number }>>;

function clamped({ path, value }: Mended, limits: Limits): readonly PlanFix[] {
  const limit = limits[String(path.at(-1))];
  if (typeof value !== 'number' || limit === undefined) return [];
  const near = Math.min(limit.max, Math.max(limit.min, Math.round(value)));
  return near === value ? [] : [setsValue(`Change to ${near}`, path, near)];
}

/** The same id in the grammar of ids; what refers to it follows. */
function plainId({ plan, path, value, fileId }: Mended): readonly PlanFix[] {
  if (typeof value !== 'string') return [];
  if (path.length === 1)
    return path[0] === 'plan_id' && fileId !== null ? [setsValue(`Change to ${quoted(fileId)}`, path, fileId)] : [];
  const plain = value
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 70);
  const own = path[0] === 'tasks' ? taskIds(plan) : milestoneIds(plan);
  const id = free(isId(plain) ? plain : path[0] === 'tasks' ? 'task' : 'milestone', own);
  const title = `Change to ${quoted(id)}`;
  // A reference to an id that two of them have is ambiguous, so it stays.
  if (own.filter((one) => one === value).length > 1) return [setsValue(title, path, id)];
  return [
    { title, edits: [{ kind: 'set', path, value: id }, ...references(plan, path[0], value).map((at) => sets(at, id))] },
  ];
}

/** Another id for the later of two tasks; what depends on the id means the first. */
function freeTaskId({ plan, path, value }: Mended): readonly PlanFix[] {
  return taken(path, value, taskIds(plan));
}

function freeMilestoneId({ plan, path, value }: Mended): readonly PlanFix[] {
  return taken(path, value, milestoneIds(plan));
}

function taken(path: Mended['path'], value: unknown, ids: readonly string[]): readonly PlanFix[] {
  if (typeof value !== 'string') return [];
  const id = free(value.slice(0, 70), ids);
  return isId(id) ? [setsValue(`Change to ${quoted(id)}`, path, id)] : [];
}

/** Letter case does not tell ids apart. */
function free(id: string, ids: readonly string[]): string {
  const used = new Set(ids.map((one) => one.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const one = number === 1 ? id : `${id}-${number}`;
    if (!used.has(one.toLowerCase())) return one;
  }
}

function references(plan: JsonObject, list: unknown, id: string): readonly Mended['path'][] {
  return objectsAt(plan, 'tasks').flatMap(([task, index]): readonly Mended['path'][] =>
    list === 'tasks'
      ? textsAt(task, 'depends_on').flatMap(([one, at]) => (one === id ? [['tasks', index, 'depends_on', at]] : []))
      : textAt(task, 'milestone') === id
        ? [['tasks', index, 'milestone']]
        : [],
  );
}

function sets(path: Mended['path'], value: string): FixEdit {
  return { kind: 'set', path, value };
}

function taskIds(plan: JsonObject): readonly string[] {
  return objectsAt(plan, 'tasks').flatMap(([task]) => textAt(task, 'task_id') ?? []);
}

function milestoneIds(plan: JsonObject): readonly string[] {
  return objectsAt(plan, 'milestones').flatMap(([milestone]) => textAt(milestone, 'id') ?? []);
}
