/**
 * What a CLI reported, held against what was selected. `as_selected`: the same entry of the policy, whatever its name
 * there; `allowed`: another one that the selection allows; `unlisted`: the CLI chose, and policy does not know it.
 */
export const judgedReports = ['not_reported', 'as_selected', 'allowed', 'unlisted', 'refused'] as const;
export type JudgedReport = (typeof judgedReports)[number];

/** Where a repository keeps its policy: in a folder that no worker may write. */
export const repositoryPolicyPath = 'docs/plans/model-policy.json';
/** The name of this machine's, beside the key that seals approvals and journals. */
export const machinePolicyName = 'model-policy.json';
