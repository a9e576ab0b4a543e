/** The five allowed outcomes of a recovery packet. Source: seed 000. */
export const recoveryOutcomes = ['resume', 'ask-user', 'leave-blocked', 'retry-repair', 'rerun-validation'] as const;
export type RecoveryOutcome = (typeof recoveryOutcomes)[number];

/** What blocked. Source: facts A.2. */
export const blockKinds = ['worker', 'validator'] as const;
export type BlockKind = (typeof blockKinds)[number];
