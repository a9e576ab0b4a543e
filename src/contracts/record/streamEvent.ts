import * as z from 'zod';
import { isoTimeSchema } from './header';
import { blockerEventSchema, recoveryEventSchema } from './recoveryEvent';

/** What an event that is neither a recovery nor a blocker is about, in the contract's words. */
export const progressEventTypes = ['status', 'progress', 'finding', 'task', 'milestone', 'review', 'error'] as const;

const progressEventSchema = z.looseObject({
  type: z.enum(progressEventTypes),
  id: z.string(),
  /** The worker of the task, or `runner`. */
  agent: z.string(),
  timestamp: isoTimeSchema,
  payload: z.looseObject({
    /** One sentence for a person, redacted. */
    text: z.string(),
    data: z.looseObject({
      /** Null, as `seq`: it is about the whole journal, and has no id to come back with. */
      mission_id: z.string().nullable(),
      seq: z.number().int().nullable(),
      /** The journal's name of it; null: what is stored cannot be read. */
      event: z.string().nullable(),
      actor: z.string().nullable(),
      task_id: z.string().nullable(),
      /** The code of an event that could not be read, or of an end that has one. */
      code: z.string().nullable(),
      /** The run that a new owner resumes; absent in every other event. */
      run_id: z.string().optional(),
    }),
  }),
});

/**
 * What `mission events serve` sends for each entry of a mission's journal: the event's name is its `type`, its id is
 * `<mission>:<seq>`. Recoveries and blockers are exactly seed 002's, with further fields.
 */
export const streamEventSchema = z.discriminatedUnion('type', [
  recoveryEventSchema,
  blockerEventSchema,
  progressEventSchema,
]);
export type StreamEvent = z.infer<typeof streamEventSchema>;
