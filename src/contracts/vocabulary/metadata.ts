/** What of a task may be revised without another approval, with its name for people. Source: seed 000, decision 70. */
export const metadata = {
  priority: { title: 'Priority', means: 'Which of several tasks that could start goes first.' },
  timeout_seconds: { title: 'Timeout', means: 'Seconds without progress after which an attempt is stopped.' },
  heartbeat_interval_seconds: { title: 'Heartbeat interval', means: 'Seconds between signs of life.' },
  max_runtime_seconds: { title: 'Longest runtime', means: 'Seconds after which an attempt is stopped in any case.' },
  note: { title: 'Note', means: 'A note for the next attempt, in addition to the plan.' },
  worker: { title: 'Worker', means: 'Who performs it, where the plan names no worker and it has not run.' },
  model: { title: 'Model', means: 'Of its agent, where the plan names none and it has not run.' },
} as const;
export type MetadataField = keyof typeof metadata;
export const metadataFields = Object.keys(metadata) as MetadataField[];

/** In characters; `orchestrator_times`: how many times a time limit of the plan an orchestrator may set. */
export const metadataLimits = { note: 4000, model: 200, orchestrator_times: 4 } as const;
