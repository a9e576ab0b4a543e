/** The five allowed outcomes of a recovery packet. Source: seed 000. */
export const recoveryOutcomes = ['resume', 'ask-user', 'leave-blocked', 'retry-repair', 'rerun-validation'] as const;
export type RecoveryOutcome = (typeof recoveryOutcomes)[number];

/** How much a question on a packet and its answer hold, in characters. */
export const questionLimits = { text: 2000, choices: 10, choice: 200, answer: 4000, comments: 100 } as const;

/** What blocked. Source: seed 000. */
export const blockKinds = ['worker', 'validator'] as const;
export type BlockKind = (typeof blockKinds)[number];
