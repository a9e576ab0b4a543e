/** Words and limits of the Fresh Context documents. Source: seed 003, facts B1 to B9. */
export const freshContextVersion = '1.0.0';
/** Every 1.x is read here; another major version is refused. */
export const freshContextMajor = 1;

export const assignmentPacketType = 'assignment';
export const resultSchemaName = 'subagent_result_v1';
export const taskKinds = ['parallelizable', 'serial'] as const;
export const contextKinds = ['file', 'note', 'command', 'constraint'] as const;
export const resultStatuses = ['done', 'blocked', 'failed'] as const;
/** `created` has no states; every other event is a transition. */
export const taskEventTypes = ['created', 'state_transition'] as const;

export const freshContextLimits = {
  objective: 5000,
  title: 500,
  worklog_path: 1000,
  notes: 5,
  timeout_seconds: 30,
  heartbeat_interval_seconds: 5,
  /** A heartbeat may lie this far ahead of the clock of who judges it. */
  future_skew_seconds: 30,
} as const;

/** Failures that nothing is tried again after, until what caused them was corrected. Source: facts B7. */
export const structuralContractCodes = ['SCHEMA_INVALID', 'SCOPE_VIOLATION', 'NON_COMPLIANT'] as const;

/** Every field of the contract or of ours, per object; other fields warn unless they start with `x_`. */
export const freshContextFields = {
  handoff: [
    'schema_version',
    'run_id',
    'objective',
    'constraints',
    'ledger',
    'active_locks',
    'dependencies',
    'open_blockers',
    'acceptance_targets',
    'generated_at',
    '$schema',
  ],
  ledgerRow: [
    'task_id',
    'title',
    'status',
    'owner',
    'lock_scope',
    'dependencies',
    'timeout_seconds',
    'heartbeat_interval_seconds',
    'priority',
    'last_heartbeat_at',
    'type',
    'acceptance_criteria',
    'context_package',
    'version',
    'retry_count',
  ],
  lock: ['task_id', 'resource', 'active'],
  dependency: ['task_id', 'depends_on_task_id'],
  blocker: ['task_id', 'code', 'reason', 'details'],
  acceptanceTarget: ['task_id', 'criteria'],
  assignment: [
    'schema_version',
    'run_id',
    'packet_type',
    'global_objective',
    'task',
    'active_locks',
    'context_package',
    'required_output_schema',
    'generated_at',
    '$schema',
  ],
  assignmentTask: [
    'task_id',
    'title',
    'type',
    'dependencies',
    'lock_scope',
    'forbidden_scope',
    'acceptance_criteria',
    'worklog_path',
    'report_path',
    'timeout_seconds',
    'heartbeat_interval_seconds',
    'priority',
  ],
  contextItem: ['kind', 'value'],
  orchestratorOutput: [
    'schema_version',
    'run_id',
    'ledger_delta',
    'assignments',
    'active_locks',
    'blockers',
    'next_actions',
    'generated_at',
    '$schema',
  ],
  ledgerDelta: ['task_id', 'status', 'owner', 'reason', 'delta_id', 'last_heartbeat_at', 'timed_out', 'retry_after_ms'],
  taskEvent: ['id', 'task_id', 'event_type', 'from_state', 'to_state', 'actor', 'reason', 'payload', 'created_at'],
  locksDocument: ['schema_version', 'run_id', 'active_locks', 'requested', '$schema'],
  lockRequest: ['task_id', 'resources'],
  ledgerDocument: [
    'schema_version',
    'run_id',
    'ledger',
    'active_locks',
    'dependencies',
    'open_blockers',
    'events',
    'now',
    '$schema',
  ],
} as const;
export type FreshContextObject = keyof typeof freshContextFields;
