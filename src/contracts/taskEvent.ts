import * as z from 'zod';
import { filledSchema, ledgerStatusSchema, momentSchema, taskIdSchema } from './freshContext';
import type { ReadDocument } from './record/header';
import { taskEventTypes } from './vocabulary/freshContext';

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
export type TaskEvent = ReadDocument<z.infer<typeof taskEventSchema>>;
