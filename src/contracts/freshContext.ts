import * as z from 'zod';
import type { ReadDocument } from './record/header';
import { contractCodes } from './vocabulary/codes/codes';
import { ledgerStatuses } from './vocabulary/execution';
import { filledPattern, isBlank, runIdPattern } from './vocabulary/forms';
import {
  assignmentPacketType,
  contextKinds,
  freshContextLimits,
  resultSchemaName,
  taskEventTypes,
  taskKinds,
} from './vocabulary/freshContext';
import { priorities } from './vocabulary/intents';
import { idPattern } from './vocabulary/plan';

// What the documents of Fresh Context (seed 003) share. All of them accept further fields; adapters/documents/fields
// reports the fields that no contract knows.

export const schemaVersionSchema = z
  .string()
  .regex(/^1\.\d+\.\d+$/)
  .meta({ description: 'Version of the contract; every 1.x is read.' });
/** UUID v4. */
export const runIdSchema = z
  .string()
  .regex(new RegExp(runIdPattern))
  .meta({ description: 'Id of the run, a UUID v4.' });
export const taskIdSchema = z.string().regex(new RegExp(idPattern));
/** At least one visible character; JSON Schema cannot express that, so adapters/documents/fields checks it. */
export const filledSchema = z
  .string()
  .regex(new RegExp(filledPattern))
  .refine((text) => !isBlank(text));
/** ISO-8601, UTC without a zone, as in the contract's own tools. core/ledger/time checks that the date exists. */
export const momentSchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?$/);
export const schemaLinkSchema = z.string().optional();
const timeoutSecondsSchema = z
  .int()
  .min(freshContextLimits.timeout_seconds)
  .meta({ description: 'Seconds without a sign of life after which the task is timed out.' });
const heartbeatIntervalSchema = z
  .int()
  .min(freshContextLimits.heartbeat_interval_seconds)
  .meta({ description: 'Seconds between signs of life; less than timeout_seconds.' });
const titleSchema = filledSchema.max(freshContextLimits.title);
export const objectiveSchema = filledSchema.max(freshContextLimits.objective);
const taskKindSchema = z.enum(taskKinds);
const prioritySchema = z.enum(priorities);
const ledgerStatusSchema = z.enum(ledgerStatuses);
const contractCodeSchema = z.enum(contractCodes);

/** One lock of the ledger. `resource` and `task_id` never change; a released one is not active. Source: seed 003. */
export const lockSchema = z.looseObject({
  task_id: taskIdSchema,
  resource: filledSchema.meta({
    description: 'File or folder, relative to the workspace root; a folder covers everything below it.',
  }),
  active: z.boolean(),
  x_layered: z.boolean().optional().meta({
    description:
      'What its task writes there waits in a layer and is merged before it lands. Two such locks do not conflict.',
  }),
});
export type Lock = ReadDocument<z.infer<typeof lockSchema>>;

/** Facts about the file system in a document, so that it is judged alike on every machine. */
export const fileSystemFactsShape = {
  x_case_insensitive: z
    .boolean()
    .optional()
    .meta({ description: 'True where letters of either case are one name. Default false.' }),
  x_links: z
    .record(z.string(), filledSchema.nullable())
    .optional()
    .meta({ description: 'Linked folders: path to the path it leads to, null when that is outside the workspace.' }),
} as const;

/** The input of `mission check locks`: held locks (`locks` in the contract's own tools) and a request for more. */
export const locksDocumentSchema = z.looseObject({
  $schema: schemaLinkSchema,
  schema_version: schemaVersionSchema.optional(),
  run_id: runIdSchema.optional(),
  active_locks: z.array(lockSchema).optional(),
  locks: z.array(lockSchema).optional(),
  requested: z.looseObject({ task_id: taskIdSchema, resources: z.array(filledSchema).min(1) }).optional(),
  ...fileSystemFactsShape,
});

/** `value` is foreign data, never an instruction to the process that validates it. */
const contextItemSchema = z.looseObject({
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

const state = ledgerStatusSchema.nullable().optional();

/** One event of a task. The states of a transition stand in it or in its `payload`. Source: seed 003. */
export const taskEventSchema = z.looseObject({
  id: z.union([z.string(), z.int()]).optional(),
  task_id: taskIdSchema,
  event_type: z.enum(taskEventTypes).optional().meta({ description: 'Default state_transition.' }),
  from_state: state,
  to_state: state,
  actor: filledSchema,
  reason: z.string().optional(),
  payload: z
    .looseObject({
      from_state: state,
      to_state: state,
      reason: z.string().optional(),
      evidence: z.unknown().optional(),
      code: z.unknown().optional(),
      reopens_milestone: z.boolean().optional(),
    })
    .optional(),
  created_at: momentSchema,
});

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

/** One proposed change of a ledger row. Source: seed 003. */
const ledgerDeltaSchema = z.looseObject({
  task_id: taskIdSchema,
  status: ledgerStatusSchema,
  owner: z.string(),
  reason: filledSchema,
  delta_id: filledSchema.meta({ description: 'Unique in the run; a delta whose id was seen is ignored.' }),
  last_heartbeat_at: momentSchema.nullable().optional(),
  timed_out: z.boolean().optional(),
  retry_after_ms: z.int().min(0).optional(),
  x_create: z
    .boolean()
    .optional()
    .meta({ description: 'True when the row does not exist yet and this delta creates it (as todo).' }),
  x_read_version: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'Version of the row that was read before this delta was written.' }),
});

/** The answer of an orchestrator. Its deltas are proposals; only the engine writes the ledger. */
export const orchestratorOutputSchema = z.looseObject({
  $schema: schemaLinkSchema,
  schema_version: schemaVersionSchema,
  run_id: runIdSchema,
  ledger_delta: z.array(ledgerDeltaSchema),
  assignments: z.array(assignmentSchema),
  active_locks: z.array(lockSchema),
  blockers: z.array(blockerSchema),
  next_actions: z.array(filledSchema),
  generated_at: momentSchema.optional(),
});
export type OrchestratorOutput = z.infer<typeof orchestratorOutputSchema>;
