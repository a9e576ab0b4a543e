import * as z from 'zod';
import { priorities } from '../vocabulary/intents';
import { metadataLimits, type MetadataField } from '../vocabulary/metadata';
import { timeLimits } from '../vocabulary/plan';
import { agentNames } from '../vocabulary/workers';

const seconds = (field: keyof typeof timeLimits, what: string) =>
  z
    .int()
    .optional()
    .meta({ description: `${what} Seconds, ${timeLimits[field].min} to ${timeLimits[field].max}.` });

/** What is revised of a task for its next attempts; at least one field. The core refuses what is out of bounds. */
export const metadataChangesSchema = z.strictObject({
  priority: z.enum(priorities).optional().meta({ description: 'Which of several tasks that could start goes first.' }),
  timeout_seconds: seconds('timeout_seconds', 'The time without progress after which an attempt is stopped.'),
  heartbeat_interval_seconds: seconds('heartbeat_interval_seconds', 'The time between signs of life.'),
  max_runtime_seconds: seconds('max_runtime_seconds', 'The time after which an attempt is stopped in any case.'),
  note: z
    .string()
    .max(65_536)
    .optional()
    .meta({ description: `A note for the next attempt, at most ${metadataLimits.note} characters; empty: nothing.` }),
  worker: z
    .enum(agentNames)
    .optional()
    .meta({ description: 'Who performs a task that has not run, where the plan names no worker.' }),
  model: z
    .string()
    .max(65_536)
    .optional()
    .meta({ description: 'The model of a task that has not run, where the plan names none.' }),
} satisfies Record<MetadataField, z.ZodType>);
export type MetadataChanges = Readonly<z.infer<typeof metadataChangesSchema>>;
