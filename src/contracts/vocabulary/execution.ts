/** States of the execution envelope S2-B-06.v1; COMPLETED and FAILED are its sixth. Source: seed 001 section 5. */
export const executionStates = [
  'RECEIVED',
  'VALIDATED',
  'LOCKED',
  'EXECUTING',
  'EVIDENCED',
  'COMPLETED',
  'FAILED',
  'REPORTED',
] as const;
export type ExecutionState = (typeof executionStates)[number];

/** The status that a person sees, see `missionWords`. Source: decisions.md section 2. */
export const missionStatuses = ['planned', 'running', 'paused', 'blocked', 'completed', 'failed', 'cancelled'] as const;
export type MissionStatus = (typeof missionStatuses)[number];

/** Ledger row states. Source: seed 003, facts B7. */
export const ledgerStatuses = ['todo', 'in_progress', 'blocked', 'done', 'failed', 'canceled'] as const;
export type LedgerStatus = (typeof ledgerStatuses)[number];

/** Status in TASK_<task_id>.json. Source: facts A3. */
export const taskEvidenceStatuses = ['SUCCESS', 'FAILED', 'SKIPPED'] as const;
export type TaskEvidenceStatus = (typeof taskEvidenceStatuses)[number];

/** The only outcomes the runtime driver knows. Source: seed 004. */
export const driverOutcomes = ['PASS', 'HALT', 'ASK_USER', 'INTERVENTION_REQUIRED'] as const;
export type DriverOutcome = (typeof driverOutcomes)[number];
/** How a journal holds the outcome of a phase: those of version 0.1.0 have two words for a PASS with a note. */
export type RecordedOutcome = DriverOutcome | 'next' | 'not_applicable';

/** Phases of one attempt, in order; 7 is entered only from 6. Source: seed 004. */
export const phaseNames = {
  0: 'state_validation',
  1: 'intent_classification',
  2: 'context_assembly',
  3: 'model_selection',
  4: 'delegation',
  5: 'execution',
  6: 'verification',
  7: 'intervention',
  8: 'telemetry_finalization',
  9: 'memory_sync',
  10: 'task_termination',
} as const;
export type Phase = keyof typeof phaseNames;

export type TelemetryMode = 'ENFORCED' | 'DEGRADED';

export const approvalSources = ['journal', 'file'] as const;
export type ApprovalSource = (typeof approvalSources)[number];
