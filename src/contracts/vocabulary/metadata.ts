/** What of a task may be revised without another approval. Source: seed 000, decision 70. */
export const metadataFields = [
  'priority',
  'timeout_seconds',
  'heartbeat_interval_seconds',
  'max_runtime_seconds',
  'note',
  'worker',
  'model',
] as const;
export type MetadataField = (typeof metadataFields)[number];

/** In characters; `orchestrator_times`: how many times a time limit of the plan an orchestrator may set. */
export const metadataLimits = { note: 4000, model: 200, orchestrator_times: 4 } as const;
