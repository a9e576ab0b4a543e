import * as z from 'zod';
import { contextItemSchema } from './assignment';
import {
  contractCodeSchema,
  filledSchema,
  heartbeatIntervalSchema,
  ledgerStatusSchema,
  momentSchema,
  prioritySchema,
  runIdSchema,
  schemaLinkSchema,
  schemaVersionSchema,
  taskIdSchema,
  taskKindSchema,
  timeoutSecondsSchema,
  titleSchema,
} from './freshContext';
import type { ReadDocument } from './record/header';
import { fileSystemFactsShape, lockSchema } from './lock';
import { taskEventSchema } from './taskEvent';

/** One ledger row of a handoff bundle: everything a new process needs to judge the task. Source: seed 003. */
export const ledgerRowSchema = z.looseObject({
  task_id: taskIdSchema,
  title: titleSchema,
  status: ledgerStatusSchema,
  owner: z.string().meta({ description: 'Who works on it; empty or "unassigned" before it starts.' }),
  lock_scope: z.array(filledSchema),
  dependencies: z.array(taskIdSchema).optional(),
  timeout_seconds: timeoutSecondsSchema,
  heartbeat_interval_seconds: heartbeatIntervalSchema,
  priority: prioritySchema,
  last_heartbeat_at: momentSchema
    .nullable()
    .meta({ description: 'Last sign of life; null when the task has not started.' }),
  type: taskKindSchema.optional(),
  acceptance_criteria: z.array(filledSchema).optional(),
  context_package: z.array(contextItemSchema).optional(),
  version: z.int().min(0).optional(),
  retry_count: z.int().min(0).optional(),
});
export type LedgerRow = ReadDocument<z.infer<typeof ledgerRowSchema>>;

export const dependencySchema = z.looseObject({
  task_id: taskIdSchema,
  depends_on_task_id: taskIdSchema,
});
export type Dependency = ReadDocument<z.infer<typeof dependencySchema>>;

export const blockerSchema = z.looseObject({
  task_id: taskIdSchema,
  code: contractCodeSchema,
  reason: filledSchema,
  details: z.unknown().optional(),
});
export type Blocker = ReadDocument<z.infer<typeof blockerSchema>>;

/**
 * The input of `mission check ledger`. As in the contract's own reconciler, all but rows with id and status is
 * optional. What is absent is not judged, except the heartbeats of rows in progress when `now` is given.
 */
export const ledgerDocumentSchema = z.looseObject({
  $schema: schemaLinkSchema,
  schema_version: schemaVersionSchema.optional(),
  run_id: runIdSchema.optional(),
  ledger: z.array(ledgerRowSchema.partial().required({ task_id: true, status: true })),
  active_locks: z.array(lockSchema).optional(),
  dependencies: z.array(dependencySchema).optional(),
  open_blockers: z.array(blockerSchema).optional(),
  events: z.array(taskEventSchema.partial().required({ task_id: true })).optional(),
  now: momentSchema.optional().meta({ description: 'With it, heartbeats of tasks in progress are judged.' }),
  ...fileSystemFactsShape,
});
