import type { FindingCode } from '../../../src/contracts/vocabulary/findings';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One change of the base plan and the finding it must cause. `set` is a JSON pointer, undefined removes. */
export interface Case {
  readonly name: string;
  readonly edits: readonly (readonly [pointer: string, value: Json | undefined])[];
  readonly code: FindingCode;
  readonly severity?: 'error' | 'warning' | 'info';
  readonly at: string;
  /** Part of the message: what a person is told to do. */
  readonly says?: RegExp;
}

/** A valid, approved plan with two command tasks; every case below spoils one thing of it. */
export const basePlan: Json = {
  contract_version: 'S2-B-05.v1',
  plan_id: 'base-1',
  goal_id: 'G-1',
  created_at: '2026-01-01T00:00:00Z',
  planner: 'tests',
  status: 'APPROVED',
  risk: { level: 1 },
  scope: { allowed: ['docs_update'], forbidden: ['self_heal'] },
  tasks: [
    { task_id: 'T1', description: 'First.', paths: ['docs/notes/'], worker: 'command', command: ['node', '-v'] },
    { task_id: 'T2', description: 'Second.', paths: ['out'], worker: 'command', command: ['node', '-v'], depends_on: ['T1'] },
  ],
  execution: { mode: 'sequential', delegation: { claude_code: false } },
  approval: { required: true, approved_by: 'Ada', approved_at: '2026-01-01T00:00:00Z' },
  success_criteria: ['validator_passes'],
};

const task = (fields: Record<string, Json | undefined>): readonly (readonly [string, Json | undefined])[] =>
  Object.entries(fields).map(([key, value]) => [`/tasks/0/${key}`, value] as const);
const agent = (worker: string): readonly (readonly [string, Json | undefined])[] => task({ worker, command: undefined });

export const cases: readonly Case[] = [
  // Shape
  { name: 'a list instead of an object', edits: [['', []]], code: 'SCHEMA_INVALID', at: '', says: /JSON object, not a list/ },
  { name: 'tasks is one object', edits: [['/tasks', {}]], code: 'SCHEMA_INVALID', at: '/tasks', says: /must be a list, not an object/ },
  { name: 'risk level as text', edits: [['/risk/level', '1']], code: 'SCHEMA_INVALID', at: '/risk/level', says: /whole number, not "1"/ },
  { name: 'risk level with a fraction', edits: [['/risk/level', 1.5]], code: 'SCHEMA_INVALID', at: '/risk/level', says: /whole number/ },
  { name: 'negative risk level', edits: [['/risk/level', -1]], code: 'SCHEMA_INVALID', at: '/risk/level', says: /at least 0/ },
  { name: 'unknown worker', edits: task({ worker: 'bard' }), code: 'SCHEMA_INVALID', at: '/tasks/0/worker', says: /one of "claude", "codex"/ },
  { name: 'empty description', edits: task({ description: '' }), code: 'SCHEMA_INVALID', at: '/tasks/0/description', says: /not be empty/ },
  { name: 'a task that is a text', edits: [['/tasks/0', 'T1']], code: 'SCHEMA_INVALID', at: '/tasks/0', says: /Entry 1 of "tasks" must be an object/ },
  { name: 'risk level null', edits: [['/risk/level', null]], code: 'SCHEMA_INVALID', at: '/risk/level', says: /not null/ },
  { name: 'no risk level', edits: [['/risk/level', undefined]], code: 'MISSING_REQUIRED_INPUT', at: '/risk', says: /lacks "level"; add it/ },
  { name: 'a task without paths', edits: task({ paths: undefined }), code: 'MISSING_REQUIRED_INPUT', at: '/tasks/0', says: /lacks "paths"/ },
  ...['contract_version', 'plan_id', 'goal_id', 'created_at', 'planner', 'status', 'risk', 'scope', 'tasks', 'execution', 'approval', 'success_criteria'].map(
    (field): Case => ({ name: `no ${field}`, edits: [[`/${field}`, undefined]], code: 'MISSING_REQUIRED_INPUT', at: '', says: new RegExp(`"${field}"`) }),
  ),
  { name: 'another contract version', edits: [['/contract_version', 'S2-B-06.v1']], code: 'UNKNOWN_SCHEMA_VERSION', at: '/contract_version' },
  // Identity
  { name: 'plan id that climbs', edits: [['/plan_id', '../../etc/passwd']], code: 'ID_INVALID', at: '/plan_id', says: /two dots/ },
  { name: 'plan id with a slash', edits: [['/plan_id', 'a/b']], code: 'ID_INVALID', at: '/plan_id' },
  { name: 'plan id with 81 characters', edits: [['/plan_id', 'a'.repeat(81)]], code: 'ID_INVALID', at: '/plan_id' },
  { name: 'task id that climbs', edits: task({ task_id: 'a..b' }), code: 'ID_INVALID', at: '/tasks/0/task_id' },
  { name: 'task id that is empty', edits: task({ task_id: '' }), code: 'ID_INVALID', at: '/tasks/0/task_id' },
  { name: 'supersedes itself', edits: [['/supersedes', 'base-1']], code: 'SUPERSEDES_ITSELF', at: '/supersedes' },
  { name: 'local time', edits: [['/created_at', '2026-01-01T00:00:00+01:00']], code: 'TIME_INVALID', at: '/created_at', says: /2026-01-31T09:30:00Z/ },
  { name: 'day that does not exist', edits: [['/approval/approved_at', '2026-02-30T00:00:00Z']], code: 'TIME_INVALID', at: '/approval/approved_at' },
  { name: 'another file name', edits: [['/plan_id', 'base-2']], code: 'PLAN_MISPLACED', severity: 'warning', at: '/plan_id', says: /docs\/plans\/PLAN_base-2\.json/ },
  // Approval and risk
  { name: 'draft', edits: [['/status', 'DRAFT']], code: 'STATUS_NOT_APPROVED', at: '/status', says: /exactly APPROVED; this plan is DRAFT/ },
  { name: 'approved in small letters', edits: [['/status', 'approved']], code: 'STATUS_NOT_APPROVED', at: '/status', says: /exactly APPROVED; this plan says "approved"/ },
  { name: 'empty status', edits: [['/status', '']], code: 'STATUS_NOT_APPROVED', at: '/status' },
  { name: 'risk 4, approved or not', edits: [['/risk/level', 4]], code: 'RISK_TOO_HIGH', at: '/risk/level' },
  { name: 'risk 9', edits: [['/risk/level', 9]], code: 'RISK_TOO_HIGH', at: '/risk/level' },
  { name: 'risk 3 without required', edits: [['/risk/level', 3], ['/approval/required', false]], code: 'RISK_APPROVAL_MISSING', at: '/approval', says: /required: true/ },
  { name: 'risk 3 without a name', edits: [['/risk/level', 3], ['/approval/approved_by', undefined]], code: 'RISK_APPROVAL_MISSING', at: '/approval', says: /approved_by/ },
  { name: 'required but nobody', edits: [['/approval/approved_by', undefined]], code: 'APPROVAL_INCOMPLETE', at: '/approval', says: /approved_by is missing/ },
  { name: 'approved before it was written', edits: [['/approval/approved_at', '2025-12-31T23:59:59Z']], code: 'APPROVAL_BEFORE_CREATION', severity: 'warning', at: '/approval/approved_at' },
  // Scope and paths
  { name: 'nothing allowed', edits: [['/scope/allowed', []]], code: 'SCOPE_EMPTY', at: '/scope/allowed' },
  { name: 'allowed and forbidden', edits: [['/scope/allowed', ['self_heal']]], code: 'SCOPE_CONTRADICTION', severity: 'warning', at: '/scope/allowed/0' },
  { name: 'requires what is not allowed', edits: task({ requires: ['network'] }), code: 'REQUIRES_NOT_ALLOWED', at: '/tasks/0/requires/0' },
  { name: 'requires what is forbidden', edits: task({ requires: ['self_heal'] }), code: 'REQUIRES_FORBIDDEN', at: '/tasks/0/requires/0' },
  { name: 'no paths', edits: task({ paths: [] }), code: 'PATHS_EMPTY', at: '/tasks/0/paths' },
  ...([
    ['../outside', /\.\./], ['a/../../b', /\.\./], ['/etc', /absolute/], ['C:/temp', /drive letter/], ['c:temp', /drive letter/],
    ['src\\main.ts', /backslash/], ['src/**/*.ts', /glob/], ['src/{a,b}.ts', /glob/], ['what?', /glob/], ['', /empty/], ['  ', /empty/],
    ['.', /whole workspace/], ['./', /whole workspace/], ['~/x', /~/], ['a\nb', /control/],
    ['.g\u200cit/hooks', /invisible/], ['GIT~1/hooks', /short name/], ['a'.repeat(1025), /1024/],
  ] as const).map(([path, says]): Case => ({ name: `path ${JSON.stringify(path.slice(0, 40))}`, edits: task({ paths: ['ok', path] }), code: 'PATH_INVALID', at: '/tasks/0/paths/1', says })),
  { name: 'forbidden path that is none', edits: task({ forbidden_paths: ['/x'] }), code: 'PATH_INVALID', at: '/tasks/0/forbidden_paths/0' },
  ...['docs/plans', 'docs/plans/PLAN_x.json', './docs//plans/', 'docs/ops/executions/base-1', '.mission-control', '.Mission-Control/state.db', 'DOCS/Plans', 'docs/plans.', '.git/hooks'].map(
    (path): Case => ({ name: `path ${path}`, edits: task({ paths: [path] }), code: 'PATH_RESERVED', at: '/tasks/0/paths/0' }),
  ),
  { name: 'approved inside forbidden', edits: task({ paths: ['src/a'], forbidden_paths: ['src'] }), code: 'PATH_FORBIDDEN', at: '/tasks/0/paths/0' },
  // Tasks
  { name: 'no tasks', edits: [['/tasks', []]], code: 'TASKS_EMPTY', at: '/tasks' },
  { name: 'same id twice', edits: [['/tasks/1/task_id', 'T1'], ['/tasks/1/depends_on', []]], code: 'TASK_ID_DUPLICATE', at: '/tasks/1/task_id', says: /task number 1/ },
  { name: 'same id on another file system', edits: [['/tasks/1/task_id', 't1']], code: 'TASK_ID_DUPLICATE', at: '/tasks/1/task_id' },
  { name: 'claude without delegation', edits: agent('claude'), code: 'DELEGATION_NOT_ALLOWED', at: '/execution/delegation/claude_code', says: /Task T1 would go to claude; set/ },
  { name: 'claude by default', edits: task({ worker: undefined, command: undefined }), code: 'DELEGATION_NOT_ALLOWED', at: '/execution/delegation/claude_code', says: /default worker/ },
  { name: 'claude without any delegation', edits: [...agent('claude'), ['/execution/delegation', undefined]], code: 'DELEGATION_NOT_ALLOWED', at: '/execution' },
  { name: 'unknown constraint', edits: [['/execution/delegation/constraints', ['be_nice']]], code: 'CONSTRAINT_UNKNOWN', severity: 'warning', at: '/execution/delegation/constraints/0' },
  { name: 'command task without command', edits: task({ command: undefined }), code: 'COMMAND_MISSING', at: '/tasks/0' },
  { name: 'agent with a command', edits: task({ worker: 'codex' }), code: 'COMMAND_UNEXPECTED', at: '/tasks/0/command' },
  { name: 'command without a worker', edits: task({ worker: undefined }), code: 'COMMAND_UNEXPECTED', at: '/tasks/0/command', says: /"worker": "command"/ },
  { name: 'command that is empty', edits: task({ command: [] }), code: 'ARGV_INVALID', at: '/tasks/0/command' },
  { name: 'command of a blank', edits: task({ command: [' '] }), code: 'ARGV_INVALID', at: '/tasks/0/command' },
  { name: 'verify with an empty list', edits: task({ verify: [['node'], []] }), code: 'ARGV_INVALID', at: '/tasks/0/verify/1' },
  { name: 'milestone verify with an empty list', edits: [['/milestones', [{ id: 'M1', title: 'M', validate: { verify: [[]] } }]], ['/tasks/0/milestone', 'M1']], code: 'ARGV_INVALID', at: '/milestones/0/validate/verify/0' },
  { name: 'unknown dependency', edits: task({ depends_on: ['T9'] }), code: 'DEPENDENCY_UNKNOWN', at: '/tasks/0/depends_on/0' },
  { name: 'depends on itself', edits: task({ depends_on: ['T1'] }), code: 'DEPENDENCY_CYCLE', at: '/tasks/0/depends_on/0', says: /itself/ },
  { name: 'two tasks wait for each other', edits: task({ depends_on: ['T2'] }), code: 'DEPENDENCY_CYCLE', at: '/tasks/0/depends_on/0', says: /T1 needs T2 needs T1/ },
  { name: 'timeout too short', edits: task({ timeout_seconds: 29 }), code: 'TIME_LIMIT_INVALID', at: '/tasks/0/timeout_seconds', says: /from 30 to/ },
  { name: 'heartbeat too short', edits: task({ heartbeat_interval_seconds: 4 }), code: 'TIME_LIMIT_INVALID', at: '/tasks/0/heartbeat_interval_seconds' },
  { name: 'heartbeat as long as the timeout', edits: task({ timeout_seconds: 60, heartbeat_interval_seconds: 60 }), code: 'TIME_LIMIT_INVALID', at: '/tasks/0/timeout_seconds', says: /greater/ },
  { name: 'timeout not above the default heartbeat', edits: task({ timeout_seconds: 30 }), code: 'TIME_LIMIT_INVALID', at: '/tasks/0/timeout_seconds' },
  { name: 'runtime of nothing', edits: task({ max_runtime_seconds: 0 }), code: 'TIME_LIMIT_INVALID', at: '/tasks/0/max_runtime_seconds' },
  { name: 'runtime below the timeout', edits: task({ max_runtime_seconds: 60, timeout_seconds: 90 }), code: 'TIME_LIMIT_UNREACHABLE', severity: 'warning', at: '/tasks/0/timeout_seconds' },
  // Milestones and execution
  { name: 'unknown milestone', edits: task({ milestone: 'M9' }), code: 'MILESTONE_UNKNOWN', at: '/tasks/0/milestone' },
  { name: 'milestone twice', edits: [['/milestones', [{ id: 'M1', title: 'a' }, { id: 'M1', title: 'b' }]], ['/tasks/0/milestone', 'M1']], code: 'MILESTONE_DUPLICATE', at: '/milestones/1/id' },
  { name: 'milestone of no task', edits: [['/milestones', [{ id: 'M1', title: 'a' }]]], code: 'MILESTONE_EMPTY', severity: 'warning', at: '/milestones/0/id' },
  { name: 'parallel', edits: [['/execution/mode', 'parallel']], code: 'MODE_SEQUENTIAL', severity: 'warning', at: '/execution/mode' },
  { name: 'lanes out of range', edits: [['/execution/mode', 'parallel'], ['/execution/max_parallel', 17]], code: 'PARALLEL_LIMIT_INVALID', at: '/execution/max_parallel' },
  { name: 'lanes without effect', edits: [['/execution/max_parallel', 2]], code: 'PARALLEL_LIMIT_INVALID', severity: 'warning', at: '/execution/max_parallel' },
  { name: 'a value among the names', edits: [['/execution/env', ['TOKEN=abc']]], code: 'ENV_NAME_INVALID', at: '/execution/env/0' },
  { name: 'tokens of nothing', edits: [['/execution/budget', { tokens: 0 }]], code: 'BUDGET_INVALID', at: '/execution/budget/tokens' },
  { name: 'negative dollars', edits: [['/execution/budget', { usd: -1 }]], code: 'BUDGET_INVALID', at: '/execution/budget/usd' },
  { name: 'unknown permission', edits: [['/execution/recovery', { allow: ['everything'] }]], code: 'RECOVERY_INVALID', at: '/execution/recovery/allow/0', says: /add_directory/ },
  { name: 'permission twice', edits: [['/execution/recovery', { allow: ['add_directory', 'add_directory'] }]], code: 'RECOVERY_INVALID', severity: 'warning', at: '/execution/recovery/allow/1' },
  { name: 'the whole file system', edits: [['/execution/recovery', { allow: ['add_directory'], directories: ['/'] }]], code: 'RECOVERY_DIRECTORY_INVALID', at: '/execution/recovery/directories/0' },
  { name: 'directories without permission', edits: [['/execution/recovery', { directories: ['../shared'] }]], code: 'RECOVERY_DIRECTORY_UNUSED', severity: 'warning', at: '/execution/recovery/directories' },
  { name: 'criterion of its own', edits: [['/success_criteria', ['people_are_happy']]], code: 'CRITERION_NOT_CHECKED', severity: 'info', at: '/success_criteria/0' },
  { name: 'unknown field', edits: [['/colour', 'red']], code: 'FIELD_UNKNOWN', severity: 'warning', at: '/colour' },
  { name: 'field with a slip', edits: task({ dependson: ['T2'] }), code: 'FIELD_UNKNOWN', severity: 'warning', at: '/tasks/0/dependson', says: /did you mean "depends_on"/ },
  { name: 'unknown field with awkward characters', edits: [['/execution/a~1b~0c', 1]], code: 'FIELD_UNKNOWN', severity: 'warning', at: '/execution/a~1b~0c' },
];

/** A copy of the document with the value at a pointer set, or removed when it is undefined. */
export function withEdits(document: Json, edits: Case['edits']): Json {
  let root = structuredClone(document);
  for (const [pointer, value] of edits) {
    const tokens = pointer.split('/').slice(1).map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = tokens.pop();
    if (last === undefined) {
      root = value ?? null;
      continue;
    }
    let at = root as Record<string, Json>;
    for (const token of tokens) at = at[token] as Record<string, Json>;
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return root;
}
