import { contractMeanings } from './errorCodes';
import type { FindingCode } from './findings';
import type { refusalMeanings } from './refusals';

/** The closed catalogue of Fresh Context error codes. Source: seed 003. */
export const contractCodes = Object.keys(contractMeanings) as [ContractCode, ...ContractCode[]];
export type ContractCode = keyof typeof contractMeanings;

/**
 * Why an attempt blocked, each with one contract code, except `categoriesWithCodesOfTheirOwn`. The first seven are the
 * seed's, the others ours.
 */
export const codeOfCategory = {
  child_exit_nonzero: 'ACCEPTANCE_FAILED',
  missing_handoff: 'MISSING_REQUIRED_INPUT',
  dirty_worktree: 'NON_COMPLIANT',
  worker_reported_blocked: 'DEPENDENCY_NOT_MET',
  validator_report_failed: 'ACCEPTANCE_FAILED',
  missing_validation_report: 'MISSING_VALIDATOR',
  no_runnable_pending_work: 'DEPENDENCY_NOT_MET',
  invalid_handoff: 'SCHEMA_INVALID',
  task_timeout: 'TASK_TIMEOUT',
  verification_failed: 'ACCEPTANCE_FAILED',
  external_change: 'CONCURRENCY_CONFLICT',
  permission_recovery_exhausted: 'NON_COMPLIANT',
  awaiting_user: 'MISSING_REQUIRED_INPUT',
  budget_exceeded: 'NON_COMPLIANT',
  assignment_refused: 'NON_COMPLIANT',
  untrusted_context: 'UNTRUSTED_CONTEXT_BLOCK',
  verify_changed_files: 'NON_COMPLIANT',
  run_not_recorded: 'MISSING_REQUIRED_INPUT',
  launch_failed: 'MISSING_REQUIRED_INPUT',
  rate_limited: 'NON_COMPLIANT',
  resource_limit: 'NON_COMPLIANT',
  project_context: 'MISSING_REQUIRED_INPUT',
  model_refused: 'NON_COMPLIANT',
  profile_limit: 'NON_COMPLIANT',
  stray_write: 'SCOPE_VIOLATION',
  write_stopped: 'SCOPE_VIOLATION',
  layer_unread: 'NON_COMPLIANT',
} as const satisfies Readonly<Record<string, ContractCode>>;
export type ReasonCategory = keyof typeof codeOfCategory;
export const reasonCategories = Object.keys(codeOfCategory) as [ReasonCategory, ...ReasonCategory[]];

/** Blocks with the code that a validator gave, instead of the category's. */
export const categoriesWithCodesOfTheirOwn: readonly ReasonCategory[] = [
  'assignment_refused',
  'invalid_handoff',
  'project_context',
];

/** Codes that are shown instead of a category's. Ledger and handoff of the contract, which know 14, carry that one. */
export const shownCodes = {
  launch_failed: 'LAUNCH_FAILED',
  rate_limited: 'RATE_LIMITED',
  resource_limit: 'RESOURCE_LIMIT',
  model_refused: 'MODEL_REFUSED',
  profile_limit: 'PROFILE_LIMIT',
  layer_unread: 'LAYER_UNREAD',
} as const satisfies { readonly [C in ReasonCategory]?: string };
export type ShownCode = (typeof shownCodes)[keyof typeof shownCodes];

export type RefusalCode = keyof typeof refusalMeanings;

/** Structural reasons: the mission fails, nothing is retried. */
export type StructuralCode = 'SCOPE_VIOLATION' | 'NON_COMPLIANT' | 'PLAN_HASH_MISMATCH' | 'INVARIANT_BROKEN';

type ReadingCode = Extract<FindingCode, `FILE_${string}` | `JSON_${string}` | 'TEXT_NOT_UTF8'>;
type ShapeCode = 'FIELD_UNKNOWN' | 'FINDINGS_TRUNCATED' | 'KIND_UNKNOWN' | 'CONTRACT_FOREIGN' | 'CHECK_FAILED';

/** Our codes for which a document of the contract carries another one, whose step is the same. */
export const carriedAs: {
  readonly [C in Exclude<StructuralCode | ShownCode | ReadingCode | ShapeCode, ContractCode>]: ContractCode;
} = {
  PLAN_HASH_MISMATCH: 'NON_COMPLIANT',
  INVARIANT_BROKEN: 'NON_COMPLIANT',
  LAUNCH_FAILED: codeOfCategory.launch_failed,
  RATE_LIMITED: codeOfCategory.rate_limited,
  RESOURCE_LIMIT: codeOfCategory.resource_limit,
  MODEL_REFUSED: codeOfCategory.model_refused,
  PROFILE_LIMIT: codeOfCategory.profile_limit,
  LAYER_UNREAD: codeOfCategory.layer_unread,
  FILE_NOT_FOUND: 'MISSING_REQUIRED_INPUT',
  FILE_UNREADABLE: 'MISSING_REQUIRED_INPUT',
  FILE_NOT_REGULAR: 'MISSING_REQUIRED_INPUT',
  FILE_TOO_LARGE: 'SCHEMA_INVALID',
  TEXT_NOT_UTF8: 'SCHEMA_INVALID',
  JSON_SYNTAX: 'SCHEMA_INVALID',
  JSON_TOO_DEEP: 'SCHEMA_INVALID',
  JSON_TOO_MANY_VALUES: 'SCHEMA_INVALID',
  JSON_DUPLICATE_KEY: 'SCHEMA_INVALID',
  JSON_FORBIDDEN_KEY: 'SCHEMA_INVALID',
  JSON_STRING_INVALID: 'SCHEMA_INVALID',
  JSON_NUMBER_INVALID: 'SCHEMA_INVALID',
  FIELD_UNKNOWN: 'SCHEMA_INVALID',
  FINDINGS_TRUNCATED: 'SCHEMA_INVALID',
  KIND_UNKNOWN: 'SCHEMA_INVALID',
  CONTRACT_FOREIGN: 'UNKNOWN_SCHEMA_VERSION',
  CHECK_FAILED: 'MISSING_VALIDATOR',
};

/** Why a mission paused itself. */
export type PauseCode = ContractCode | 'PLAN_HASH_MISMATCH';
