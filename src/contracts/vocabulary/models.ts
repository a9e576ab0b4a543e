import type { Intent } from './intents';

/** What a model is to one invocation; exactly one. Source: seed 004. */
export const modelRoles = ['router', 'assistant', 'reviewer', 'architect', 'executor'] as const;
export type Role = (typeof modelRoles)[number];

/** The role of the model that performs a task. */
export const roleOfIntent: Readonly<Record<Intent, Role>> = {
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
};

/**
 * What a CLI reported, held against what was selected. `as_selected`: the same entry of the policy, whatever its name
 * there; `allowed`: another one that the selection allows; `unlisted`: the CLI chose, and policy does not know it.
 */
export const judgedReports = ['not_reported', 'as_selected', 'allowed', 'unlisted', 'refused'] as const;
export type JudgedReport = (typeof judgedReports)[number];

/** Where a repository keeps its policy: in a folder that no worker may write. */
export const repositoryPolicyPath = 'docs/plans/model-policy.json';
/** The name of this machine's, beside the key that approvals are sealed with. */
export const machinePolicyName = 'model-policy.json';
