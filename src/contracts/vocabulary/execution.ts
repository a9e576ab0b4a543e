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

/** The status that a person sees, see `missionWords`. */
export const missionStatuses = ['planned', 'running', 'paused', 'blocked', 'completed', 'failed', 'cancelled'] as const;
export type MissionStatus = (typeof missionStatuses)[number];

/** Ledger row states. Source: seed 003. */
export const ledgerStatuses = ['todo', 'in_progress', 'blocked', 'done', 'failed', 'canceled'] as const;
export type LedgerStatus = (typeof ledgerStatuses)[number];

/** Status in TASK_<task_id>.json. Source: seed 001. */
export const taskEvidenceStatuses = ['SUCCESS', 'FAILED', 'SKIPPED'] as const;
export type TaskEvidenceStatus = (typeof taskEvidenceStatuses)[number];

/** The only outcomes the runtime driver knows. Source: seed 004. */
export const driverOutcomes = ['PASS', 'HALT', 'ASK_USER', 'INTERVENTION_REQUIRED'] as const;
export type DriverOutcome = (typeof driverOutcomes)[number];

/** Phases of one attempt, in order; 2a is only for the intent generate_context, 7 is entered only from 6. Source: seed 004. */
export const phaseNames = {
  0: 'state_validation',
  1: 'intent_classification',
  2: 'context_assembly',
  '2a': 'context_bootstrap',
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
/** Names for people, made once, because a view shows ten phases of every task. */
export const phaseTitles = Object.fromEntries(
  Object.entries(phaseNames).map(([phase, name]) => [phase, name.replaceAll('_', ' ')]),
) as Readonly<Record<Phase, string>>;

export type TelemetryMode = 'ENFORCED' | 'DEGRADED';

export const approvalSources = ['journal', 'file'] as const;
export type ApprovalSource = (typeof approvalSources)[number];

/** The steps of phase 6, in order. Source: seed 004. */
export const verificationSteps = {
  1: 'intent',
  2: 'authority',
  3: 'context',
  4: 'scope and mutation',
  5: 'structure',
  6: 'claims against observations',
  7: 'acceptance',
} as const;
export type VerificationStep = keyof typeof verificationSteps;

/** Where the driver runs CHECKS. Source: seed 004. */
export const checkPoints = ['before_execution', 'after_execution', 'before_save', 'before_sandbox_exit'] as const;
export type CheckPoint = (typeof checkPoints)[number];

/** CHECKS whose facts no machine has here: evidence names them as not checked. Source: seed 004. */
export const notMachineChecked: readonly { readonly point: CheckPoint; readonly name: string }[] = [
  { point: 'before_execution', name: 'prompt_hardened' },
  { point: 'before_execution', name: 'no_cross_project_context' },
  { point: 'after_execution', name: 'no_injected_instructions' },
  { point: 'after_execution', name: 'no_implicit_memory_mutation' },
  { point: 'after_execution', name: 'nothing_unsolicited' },
  { point: 'after_execution', name: 'allowed_tools_only' },
  { point: 'after_execution', name: 'no_contradiction_with_project' },
  { point: 'after_execution', name: 'exact_places_in_reviews' },
  { point: 'after_execution', name: 'nothing_invented_in_words' },
  { point: 'after_execution', name: 'no_architecture_decision_outside_adr' },
];
