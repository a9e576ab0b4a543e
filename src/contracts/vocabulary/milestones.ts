import type { Intent } from './intents';

/** What an agent that validates does, in the words of the model policy. */
export const validatorIntent = 'code_review' satisfies Intent;

/** Words of a validation report. Source: seed 000's source project. */
export const reportStatuses = ['pass', 'fail', 'inconclusive'] as const;
export type ReportStatus = (typeof reportStatuses)[number];
export const reportRecommendations = ['accept', 'fix', 'replan', 'ask-user'] as const;
export const defectSeverities = ['critical', 'major', 'minor'] as const;
