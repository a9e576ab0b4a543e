/**
 * The closed list of codes a finding in a document may carry, each with its meaning in one line. A finding's own
 * message says what to do; this line says what the code stands for.
 */
export const findingMeanings = {
  // Reading the file
  FILE_NOT_FOUND: 'There is no file at this path.',
  FILE_UNREADABLE: 'The file exists but could not be read.',
  FILE_NOT_REGULAR: 'The path names a folder, a pipe or a device, not a file.',
  FILE_TOO_LARGE: 'The file is larger than 10 MB.',
  TEXT_NOT_UTF8: 'The bytes are not valid UTF-8.',
  JSON_SYNTAX: 'The text is not JSON.',
  JSON_TOO_DEEP: 'Objects and arrays are nested more than 64 levels deep.',
  JSON_TOO_MANY_VALUES: 'The document holds more than 250,000 values.',
  JSON_DUPLICATE_KEY: 'A key stands twice in the same object.',
  JSON_FORBIDDEN_KEY: 'A key would reach the prototype of an object.',
  JSON_STRING_INVALID: 'A string holds a NUL character or half a surrogate pair.',
  JSON_NUMBER_INVALID: 'A number is too large to be represented.',
  // Shape
  SCHEMA_INVALID: 'A value has the wrong type or form.',
  MISSING_REQUIRED_INPUT: 'A required field is missing.',
  UNKNOWN_SCHEMA_VERSION: 'The document follows a version of the contract that is not known here.',
  FIELD_UNKNOWN: 'A field is in no contract; it is ignored.',
  FINDINGS_TRUNCATED: 'There are more findings than are listed.',
  KIND_UNKNOWN: 'What kind of document this is cannot be told.',
  CONTRACT_FOREIGN: 'The document follows a contract that Mission Control does not execute.',
  CHECK_FAILED: 'The check itself failed on this document; it counts as not valid.',
  // Plan: identity, approval, risk
  ID_INVALID: 'An id does not follow the grammar of ids.',
  TIME_INVALID: 'A time is not ISO-8601 in UTC.',
  PLAN_MISPLACED: 'The file is not docs/plans/PLAN_<plan_id>.json.',
  STATUS_NOT_APPROVED: 'The plan is not approved.',
  RISK_TOO_HIGH: 'The risk level is above 3.',
  RISK_APPROVAL_MISSING: 'Risk level 3 lacks its explicit approval.',
  APPROVAL_INCOMPLETE: 'The approval does not say who or when.',
  APPROVAL_BEFORE_CREATION: 'The approval is older than the plan.',
  APPROVAL_IN_FUTURE: 'The approval lies in the future.',
  SUPERSEDES_ITSELF: 'The plan names itself as the plan it replaces.',
  // Plan: scope and paths
  SCOPE_EMPTY: 'scope.allowed allows nothing.',
  SCOPE_CONTRADICTION: 'A capability token is both allowed and forbidden.',
  REQUIRES_NOT_ALLOWED: 'A task requires a token that scope.allowed does not hold.',
  REQUIRES_FORBIDDEN: 'A task requires a token that scope.forbidden holds.',
  PATHS_EMPTY: 'A task has no approved paths.',
  PATH_INVALID: 'A path is not a plain path relative to the workspace root.',
  PATH_RESERVED: 'A path is reserved for plans, evidence, state or git.',
  PATH_FORBIDDEN: 'An approved path lies inside a forbidden path of the same task.',
  // Plan: tasks
  TASKS_EMPTY: 'The plan has no tasks.',
  TASK_ID_DUPLICATE: 'Two tasks have the same id.',
  DELEGATION_NOT_ALLOWED: 'The worker claude is used without execution.delegation.claude_code.',
  CONSTRAINT_UNKNOWN: 'A delegation constraint is passed on but not enforced by the runner.',
  COMMAND_MISSING: 'A command task has no command.',
  COMMAND_UNEXPECTED: 'A task of an agent has a command.',
  ARGV_INVALID: 'An argument list is empty or has an empty program name.',
  ARGV_ONE_TEXT: 'A command line stands in one text instead of a list of arguments.',
  DEPENDENCY_UNKNOWN: 'A task depends on a task that is not in the plan.',
  DEPENDENCY_CYCLE: 'Tasks wait for each other.',
  TIME_LIMIT_INVALID: 'A time limit is outside its range.',
  TIME_LIMIT_UNREACHABLE: 'A time limit can never take effect.',
  SECRET_IN_PLAN: 'A text of the plan looks like a secret.',
  SECRET_IN_APPROVAL: 'The name or the note of an approval looks like a secret.',
  // Plan: milestones, execution
  MILESTONE_UNKNOWN: 'A task names a milestone that is not in the plan.',
  MILESTONE_DUPLICATE: 'Two milestones have the same id.',
  MILESTONE_EMPTY: 'No task belongs to the milestone.',
  PARALLEL_LIMIT_INVALID: 'max_parallel is outside its range or without effect.',
  ENV_NAME_INVALID: 'A name is not the name of an environment variable.',
  BUDGET_INVALID: 'A budget is not a positive number.',
  RECOVERY_INVALID: 'A recovery permission is unknown or stands twice.',
  RECOVERY_DIRECTORY_INVALID: 'A recovery directory is no usable directory path.',
  RECOVERY_DIRECTORY_UNUSED: 'Recovery directories are listed but adding directories is not allowed.',
  CRITERIA_EMPTY: 'The plan has no success criteria.',
  CRITERION_NOT_CHECKED: 'A success criterion is not checked by the runner.',
} as const;
export type FindingCode = keyof typeof findingMeanings;

/** The file could not be read at all: a caller's mistake rather than an invalid document. */
export const unreadableCodes = [
  'FILE_NOT_FOUND',
  'FILE_UNREADABLE',
  'FILE_NOT_REGULAR',
] as const satisfies readonly FindingCode[];
