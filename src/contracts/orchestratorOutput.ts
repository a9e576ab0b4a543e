import * as z from 'zod';
import { assignmentSchema } from './assignment';
import {
  filledSchema,
  ledgerStatusSchema,
  momentSchema,
  runIdSchema,
  schemaLinkSchema,
  schemaVersionSchema,
  taskIdSchema,
} from './freshContext';
import { blockerSchema } from './ledger';
import { lockSchema } from './lock';

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
export type LedgerDelta = z.infer<typeof ledgerDeltaSchema>;

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
