/** How one invocation ended. Source: seed 004. */
export const invocationResults = ['success', 'retry', 'ask_user', 'intervention', 'halt'] as const;

/** The fields of an invocation record, in their order. "Missing ANY field -> HALT." Source: seed 004. */
export const invocationFields = [
  'timestamp',
  'project_id',
  'session_id',
  'task_id',
  'telemetry_mode',
  'lifecycle_phase',
  'intent',
  'model_logical_id',
  'model_resolved_id',
  'model_tier',
  'capability_profile',
  'role',
  'call_index',
  'token_estimate',
  'result',
  'failure_reason',
  'escalation_attempted',
  'notes',
] as const;
