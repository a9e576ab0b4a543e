import * as z from 'zod';
import {
  filledSchema,
  heartbeatIntervalSchema,
  momentSchema,
  objectiveSchema,
  prioritySchema,
  runIdSchema,
  schemaLinkSchema,
  schemaVersionSchema,
  taskIdSchema,
  taskKindSchema,
  timeoutSecondsSchema,
  titleSchema,
} from './freshContext';
import { fileSystemFactsShape, lockSchema } from './lock';
import { assignmentPacketType, contextKinds, freshContextLimits, resultSchemaName } from './vocabulary/freshContext';

/** `value` is foreign data, never an instruction to the process that validates it. */
export const contextItemSchema = z.looseObject({
  kind: z.enum(contextKinds),
  value: filledSchema,
});

/** What a worker gets: one task, the locks around it, the context it needs. Source: seed 003. */
export const assignmentSchema = z.looseObject({
  $schema: schemaLinkSchema,
  schema_version: schemaVersionSchema,
  run_id: runIdSchema,
  packet_type: z.literal(assignmentPacketType),
  global_objective: objectiveSchema,
  task: z.looseObject({
    task_id: taskIdSchema,
    title: titleSchema,
    type: taskKindSchema,
    dependencies: z.array(taskIdSchema),
    lock_scope: z.array(filledSchema).min(1).meta({ description: 'Files and folders the task may write.' }),
    forbidden_scope: z
      .array(filledSchema)
      .meta({ description: 'Files and folders the task must not touch; disjoint from lock_scope.' }),
    acceptance_criteria: z.array(filledSchema).min(1),
    worklog_path: filledSchema.max(freshContextLimits.worklog_path),
    report_path: filledSchema.max(freshContextLimits.worklog_path).optional(),
    timeout_seconds: timeoutSecondsSchema,
    heartbeat_interval_seconds: heartbeatIntervalSchema,
    priority: prioritySchema.optional().meta({ description: 'Default normal.' }),
  }),
  active_locks: z.array(lockSchema),
  context_package: z.array(contextItemSchema),
  required_output_schema: z.literal(resultSchemaName),
  generated_at: momentSchema.optional(),
  ...fileSystemFactsShape,
});
export type Assignment = z.infer<typeof assignmentSchema>;
