/** Words and limits of the Fresh Context documents. Source: seed 003. */
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
  /** How far a heartbeat may be ahead of the judging process's clock. */
  future_skew_seconds: 30,
} as const;
