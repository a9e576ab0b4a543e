/** What a model is to one invocation; exactly one. Source: seed 004. */
export const modelRoles = ['router', 'assistant', 'reviewer', 'architect', 'executor'] as const;
export type Role = (typeof modelRoles)[number];

/** The closed set of intents, each with the role of the model that performs such a task. Source: seed 004. */
export const roleOfIntent = {
  generate_context: 'executor',
  refactor: 'executor',
  architecture: 'architect',
  domain: 'architect',
  code_generation: 'executor',
  code_review: 'reviewer',
  debugging: 'assistant',
  planning: 'assistant',
  research: 'assistant',
  summarize: 'assistant',
  classify: 'router',
  chat: 'assistant',
} as const satisfies Readonly<Record<string, Role>>;
export type Intent = keyof typeof roleOfIntent;
export const intents = Object.keys(roleOfIntent) as [Intent, ...Intent[]];

/** What says which intent a task has. */
export type IntentSource = 'declared' | 'type' | 'description' | 'default';

/** Intents whose task does not write. */
export const readOnlyIntents = [
  'chat',
  'summarize',
  'classify',
  'research',
  'planning',
  'code_review',
  'debugging',
] as const satisfies readonly Intent[];

/** Intents that read what was decided before (RESTORE) and may add to it (SAVE). */
export const memoryIntents = ['architecture', 'domain', 'refactor'] as const satisfies readonly Intent[];

/** Intents whose tasks do not succeed with a claim that the runner did not observe. Source: seed 004. */
export const criticalIntents = [
  'architecture',
  'domain',
  'refactor',
  'code_generation',
] as const satisfies readonly Intent[];

/** Intents whose task is judged by ai.project.json, where a plan declares them. */
export const projectIntents = ['architecture', 'domain', 'refactor'] as const satisfies readonly Intent[];

export const tiers = ['A', 'B', 'C', 'D'] as const;
export type Tier = (typeof tiers)[number];

/** Execution environments of the telemetry rules. Source: seed 004. */
export const environments = ['local', 'dev', 'ci', 'production'] as const;
export type ExecutionEnvironment = (typeof environments)[number];

export const priorities = ['low', 'normal', 'high', 'critical'] as const;
export type Priority = (typeof priorities)[number];

/** Corrective actions a plan may allow. */
export const recoveryPermissions = [
  'add_directory',
  'skip_git_repo_check',
  'trust_workspace',
  'fix_permissions',
] as const;
export type RecoveryPermission = (typeof recoveryPermissions)[number];

/** What a used up budget does to agents that run; before another attempt it asks anyway. */
export const budgetReactions = ['pause', 'stop'] as const;
export type BudgetReaction = (typeof budgetReactions)[number];
