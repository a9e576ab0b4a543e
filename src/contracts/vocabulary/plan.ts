/** Words of the plan contract S2-B-05.v1 and of our fields. Source: seed 001. */
export const planContractVersion = 'S2-B-05.v1';

/** Grammar of plan, task and milestone ids; core/plan also refuses `..`. */
export const idPattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$';

/** Folders no task may ever write, and git's own. Compared without regard to case. */
export const reservedPaths = ['docs/plans', 'docs/ops/executions', '.mission-control', '.git'] as const;

/** Delegation constraints that the runner enforces; others are passed on and recorded as not enforced. */
export const knownConstraints = [
  'file_level_only',
  'no_new_tasks',
  'no_plan_mutation',
  'no_validation_bypass',
] as const;

/** Success criteria the runner computes. */
export const checkedCriteria = ['validator_passes', 'no_scope_violation', 'deterministic_execution'] as const;

/** How a task goes on by itself after a limit. `times`: since a person last decided about it. */
export const afterLimit = { times: 3, longest_hours: 24, margin_seconds: 10 } as const;
export const milestoneModes = ['scrutiny', 'user-testing'] as const;
export type MilestoneMode = (typeof milestoneModes)[number];

/** After this many failed validations a milestone cannot be validated again. */
export const failureLimits = { default: 5, min: 1, max: 100 } as const;

/** Defaults and limits of the time limits of a task, in seconds. */
export const timeLimits = {
  timeout_seconds: { default: 1200, min: 30, max: 604_800 },
  heartbeat_interval_seconds: { default: 30, min: 5, max: 3600 },
  max_runtime_seconds: { default: 3600, min: 1, max: 604_800 },
} as const;
export const parallelLimits = { default: 2, min: 1, max: 16 } as const;

/** How many files hold the project's instructions for agents, and the bytes of each. */
export const instructionLimits = { files: 8, bytes: 32 * 1024 } as const;

/** What the processes of one launch may use together; the defaults only end what has run away. */
export const resourceLimits = {
  processes: { default: 2048, min: 1, max: 100_000 },
  memory_mb: { default: 16_384, min: 16, max: 4_194_304 },
  file_mb: { default: 16_384, min: 1, max: 4_194_304 },
} as const;
export type ResourceLimit = keyof typeof resourceLimits;

/** How long an approval is valid from risk level 2 on, unless configured otherwise. */
export const defaultApprovalHours = 24;
