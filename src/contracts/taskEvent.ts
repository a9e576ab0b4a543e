import * as z from 'zod';
import { filledSchema, ledgerStatusSchema, momentSchema, taskIdSchema } from './freshContext';
import type { ReadDocument } from './record/header';
import { taskEventTypes } from './vocabulary/freshContext';

const state = ledgerStatusSchema.nullable().optional();

/**
 * One append-only event of a task. The contract puts the states of a transition into the event, its own store into
 * `payload`; both are read. Source: seed 003.
 */
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
export type TaskEvent = ReadDocument<z.infer<typeof taskEventSchema>>;
