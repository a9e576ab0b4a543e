import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import { asksPerson, declareIntent, mendCommand, missingField, ownId, utcTime } from './fixes/values';
import { dropCommand, dropEntry, dropField, meant, plainPath } from './fixes/entries';
import {
  objectIn,
  removesValue,
  setsValue,
  type FixPath,
  type FixRule,
  type Mended,
  type PlanFix,
} from './fixes/planFix';
import { executionFixes } from './fields/execution';
import { limitFixes } from './fields/limits';
import type { FieldTable } from './fields/field';
import { allFields, criteriaFixes, planFields } from './fields/planFields';
import { reachFixes } from './fields/reach';
import { nearest } from '../../base/text/nearest';
import { objectsAt, quoted, textAt, textsAt, type JsonObject } from '../../base/json';
import { isId } from './rules/identity';

/** What the light bulb offers for each finding of a plan; that of a field stands beside its rule. */
export const fixTable: Readonly<Record<FindingCode, FixRule>> = {
  ...reachFixes,
  ...limitFixes,
  ...executionFixes,
  ...criteriaFixes,

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
  MODEL_REFUSED: 'none',
  POLICY_INVALID: 'none',
  POLICY_WIDENED: 'none',

  TASKS_EMPTY: 'none',
  // What depends on the id means the first of the two.
  TASK_ID_DUPLICATE: ({ plan, path, value }) => taken(path, value, taskIds(plan)),
  COMMAND_MISSING: 'none',
  COMMAND_UNEXPECTED: dropCommand,
  // What a verify command was to check is unknown.
  ARGV_INVALID: 'none',
  ARGV_ONE_TEXT: mendCommand,
  ARGV_SHELL_SYNTAX: mendCommand,
  // What was to be checked, only its author knows.
  VERIFY_CANNOT_FAIL: 'none',
  VERIFY_RUNS_NOTHING: mendCommand,
  VERIFY_HIDES_FAILURE: mendCommand,
  INTENT_AMBIGUOUS: declareIntent,
  CONTEXT_PATH_INVALID: 'none',
  PROJECT_FILE_MISSING: { command: 'newProjectContext' },
  PROJECT_FILE_INVALID: { command: 'openProjectContext' },
  DEPENDENCY_UNKNOWN: meant(otherTasks, true),
  DEPENDENCY_CYCLE: dropEntry,
  CARRIED_REFUSED: dropField,
  LOCKED_OTHERWISE: 'none',
  APPROVED_OTHERWISE: 'none',
  CARRIED_NOT_CHECKED: 'none',
  // Which secret it is, and where it goes instead, only its owner knows.
  SECRET_IN_PLAN: 'none',
  SECRET_IN_APPROVAL: 'none',

  MILESTONE_UNKNOWN: meant(({ plan }) => milestoneIds(plan), true),
  MILESTONE_DUPLICATE: ({ plan, path, value }) => taken(path, value, milestoneIds(plan)),
  MILESTONE_EMPTY: 'none',
  MILESTONE_ORDER: 'none',
  MILESTONE_VALIDATES_NOTHING: dropField,
  MILESTONE_UNANSWERED: asksPerson,
  ASSERTION_DUPLICATE: dropEntry,

  // Findings of ai.project.json, which no plan gets.
  PROJECT_FIELD_EMPTY: 'none',
  PROJECT_LIST_EMPTY: 'none',
  PROJECT_LOCK_EMPTY: 'none',
  PROJECT_LOCK_WITHOUT_ADR: 'none',
  SECRET_IN_PROJECT: 'none',
};

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
    {
      title,
      edits: [
        { kind: 'set', path, value: id },
        ...references(plan, path[0], value).map((at) => ({ kind: 'set', path: at, value: id }) as const),
      ],
    },
  ];
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

function taskIds(plan: JsonObject): readonly string[] {
  return objectsAt(plan, 'tasks').flatMap(([task]) => textAt(task, 'task_id') ?? []);
}

function otherTasks({ plan, path }: Mended): readonly string[] {
  const own = taskIds(plan)[Number(path[1])];
  return taskIds(plan).filter((id) => id !== own);
}

function milestoneIds(plan: JsonObject): readonly string[] {
  return objectsAt(plan, 'milestones').flatMap(([milestone]) => textAt(milestone, 'id') ?? []);
}

/** A slip of a field's name, where the right name lets the plan do nothing more; else it goes, or is kept as an own field. */
function unknownField({ plan, path }: Mended): readonly PlanFix[] {
  const key = path.at(-1);
  if (typeof key !== 'string') return [];
  const place = path.slice(0, -1);
  const near = nearest(key, narrowing);
  const rename = (to: string, title: string): PlanFix => ({ title, edits: [{ kind: 'rename', path, key: to }] });
  const taken = new Set(Object.keys(objectIn(plan, place)));
  const isMeant = near !== null && Object.hasOwn(fieldsAt(place), near) && !taken.has(near);
  return [
    ...(isMeant ? [rename(near, `Rename to ${near}`)] : []),
    removesValue(`Remove ${quoted(key)}`, path),
    ...(taken.has(`x_${key}`) ? [] : [rename(`x_${key}`, `Keep it as ${quoted(`x_${key}`)}, which is ignored`)]),
  ];
}

/** Fields that describe, order or hold back. */
const narrowing = allFields
  .flatMap(([place, { narrows }]) => (narrows ? [place.slice(place.lastIndexOf('.') + 1)] : []))
  .toSorted();

/** The fields of the object at a place of a plan; empty: none is known there. */
function fieldsAt(place: FixPath): FieldTable {
  const names = place.filter((key) => typeof key === 'string');
  return names.reduce<FieldTable>((table, name) => table[name]?.parts ?? table[name]?.each ?? {}, planFields);
}
