import * as z from 'zod';
import { momentSchema } from './freshContext';
import { proposedMemorySchema } from './memory';
import { freshContextLimits, resultStatuses } from './vocabulary/freshContext';
import { memoryLimits } from './vocabulary/memory';

/**
 * `subagent_result_v1`: what a worker claims at the end of its attempt; the runner compares it with what it observed.
 * Workers are asked for this strict form, because the CLIs' structured outputs require closed objects; answers are read
 * with `claimedResultSchema`. Source: seed 003.
 */
export const subagentResultSchema = resultSchema(z.strictObject);
export type SubagentResult = z.infer<typeof subagentResultSchema>;

/** The form that a worker is asked for whose task may propose decisions to remember. */
export const rememberingResultSchema = subagentResultSchema.extend({
  x_memory: z.array(proposedMemorySchema).max(memoryLimits.entries).nullable().optional(),
});

/** The same form; further fields are dropped, and adapters/documents/fields reports them. */
export const claimedResultSchema: z.ZodType<SubagentResult> = resultSchema(z.object);

/** Ids and paths are judged in core/freshContext/result, not here: evidence keeps earlier claims. */
function resultSchema(object: typeof z.strictObject) {
  const text = z.string().min(1);
  return object({
    schema_version: z.string().regex(/^1\.\d+\.\d+$/),
    run_id: text,
    task_id: text,
    status: z.enum(resultStatuses),
    changes: z.array(object({ resource: text, action: text, evidence: z.string().nullable().optional() })),
    acceptance_check: z.array(object({ criterion: text, status: z.enum(['pass', 'fail']), evidence: z.string() })),
    worklog_path: z.string(),
    notes_for_orchestrator: z.array(text).max(freshContextLimits.notes),
    generated_at: momentSchema.nullable().optional(),
  });
}
