import * as z from 'zod';
import { isoTimeSchema } from './header';
import { permissionFixes, permissionIssues } from '../vocabulary/permission';
import { workerNames } from '../vocabulary/workers';

const text = z.string();
const texts = z.array(text);

/** `pending` is no status of the contract: the runner writes the event once it knows how the recovery went. */
const recoveryStatuses = ['success', 'failed', 'escalated'] as const;
/** `NONE`: there was nothing that the runner could do. */
const recoveryActionsTaken = [...permissionFixes, 'NONE'] as const;

/** Command lines before and after, and what is different; redacted. */
const argumentChangeSchema = z.looseObject({ before: texts, after: texts, removed: texts, added: texts });
export type ArgumentChange = z.infer<typeof argumentChangeSchema>;

/**
 * Why a launch line is not the least-privileged one, and its difference to that one. After a denial, the difference is
 * to the line of the denied launch. Null: not prepared yet, or by a version that recorded less.
 */
export const launchChangeSchema = z.looseObject({ reasons: texts, arguments: argumentChangeSchema.nullable() });
export type LaunchChange = z.infer<typeof launchChangeSchema>;

/**
 * One reaction to a denial. The first five fields of `payload` are those of the contract, the others ours.
 * Source: seed 002 section 3.
 */
export const recoveryEventSchema = z.looseObject({
  type: z.literal('recovery'),
  id: text,
  timestamp: isoTimeSchema,
  payload: z.looseObject({
    worker: z.enum(workerNames),
    issue_detected: text,
    action_taken: z.enum(recoveryActionsTaken),
    status: z.enum(recoveryStatuses),
    retry_count: z.number().int(),
    issue_type: z.enum(permissionIssues),
    /** What was denied; null: the CLI did not name it. */
    path: text.nullable(),
    task_id: text,
    /** The run of the mission; in the event stream alone. */
    run_id: text.optional(),
    attempt: z.number().int(),
    /** The launch that was denied. */
    denied_launch_id: text,
    launch_id: text.nullable(),
    /** The clause of the approved plan, or who granted it; null when nothing was launched. */
    allowed_by: text.nullable(),
    /** How the argument list differs from that of the denied launch; null when no further launch was prepared. */
    arguments: argumentChangeSchema.nullable(),
    /** Modes that were changed, as octal digits; empty: none. */
    modes: z.array(z.looseObject({ path: text, before: text, after: text })),
    /** Why it failed or was escalated; null: it did not. */
    why: text.nullable(),
  }),
});
export type RecoveryEvent = z.infer<typeof recoveryEventSchema>;

/** Only a person can mend it. `text` and `details` are the contract's. Source: seed 002 section 4. */
export const blockerEventSchema = z.looseObject({
  type: z.literal('blocker'),
  id: text,
  timestamp: isoTimeSchema,
  payload: z.looseObject({
    text,
    details: text,
    worker: z.enum(workerNames),
    issue_type: z.enum(permissionIssues).nullable(),
    path: text.nullable(),
    task_id: text,
    attempt: z.number().int(),
  }),
});
export type BlockerEvent = z.infer<typeof blockerEventSchema>;
