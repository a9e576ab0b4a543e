import * as z from 'zod';
import { digestSchema, isoTimeSchema } from './record/header';
import { intents, tiers, modelRoles } from './vocabulary/intents';

const text = z.string().min(1);

/** How one invocation ended. Source: seed 004. */
const invocationResults = ['success', 'retry', 'ask_user', 'intervention', 'halt'] as const;

/**
 * One launch of an agent, for a task or as orchestrator, in 18 fields of which none may be missing. Null: the model
 * and its tier were not declared and no policy selected them; the CLI reported no usage; nothing failed; nothing to
 * note. Source: seed 004.
 */
const invocationRecordSchema = z.strictObject({
  timestamp: isoTimeSchema,
  /** The plan: what a mission knows of a project on every machine. */
  project_id: text,
  /** The run, which keeps its id when it goes on elsewhere. */
  session_id: text,
  task_id: text,
  telemetry_mode: z.enum(['ENFORCED', 'DEGRADED']),
  lifecycle_phase: z.literal(5),
  intent: z.enum(intents),
  model_logical_id: text,
  /** Null: the CLI chose the model and did not report it. */
  model_resolved_id: text.nullable(),
  model_tier: z.enum(tiers).nullable(),
  capability_profile: text.nullable(),
  role: z.enum(modelRoles),
  /** 1, 2, 3 ... within the task, over all its attempts; sessions of the orchestrator are counted apart. */
  call_index: z.number().int().positive(),
  /** In and out, cached ones among them, as the CLI reported them. */
  token_estimate: z.number().nonnegative().nullable(),
  result: z.enum(invocationResults),
  /** Null for a success, and only then. */
  failure_reason: text.nullable(),
  /** Always false: nothing raises the tier of a model by itself. */
  escalation_attempted: z.boolean(),
  notes: text.nullable(),
});
export type InvocationRecord = Readonly<z.infer<typeof invocationRecordSchema>>;

/** What phase 8 writes: the digests of the records of an attempt in their order, and one over them and `previous`. */
const auditSealSchema = z.strictObject({
  /** `closing.sha256` of the attempt that was closed before in this mission; 64 zeros for the first. */
  previous_sha256: digestSchema,
  records_sha256: z.array(digestSchema),
  sha256: digestSchema,
});
export type AuditSeal = Readonly<z.infer<typeof auditSealSchema>>;

/** What phase 10 writes: the digests of phases 8 to 10, and one over them and the seal. */
const auditClosingSchema = z.strictObject({ records_sha256: z.array(digestSchema), sha256: digestSchema });
export type AuditClosing = Readonly<z.infer<typeof auditClosingSchema>>;

/** The first line of an export. */
export const auditHeadSchema = z.strictObject({
  kind: z.literal('audit_log'),
  mission_id: text,
  run_id: text,
  plan_id: text,
  plan_sha256: digestSchema,
  /** The hash of the mission's last event at the export; the evidence of an ended mission names it, too. */
  journal: z.strictObject({ events: z.number().int().positive(), last_hash: digestSchema }),
  /** What the first seal follows: 64 zeros, or the last closing before a handoff. */
  previous_sha256: digestSchema,
});
export type AuditHead = z.infer<typeof auditHeadSchema>;

const unit = { task_id: z.string(), attempt: z.number().int().positive() };
/** The events of the audit log, as far as a reader of an export relies on them. */
const eventSchema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('AttemptStarted'), ...unit }),
  z.looseObject({
    type: z.literal('PhaseCompleted'),
    ...unit,
    phase: z.literal([0, 1, 2, '2a', 3, 4, 5, 6, 7, 8, 9, 10]),
    seal: auditSealSchema.optional(),
    closing: auditClosingSchema.optional(),
  }),
  z.looseObject({
    type: z.literal('InvocationRecorded'),
    ...unit,
    launch_id: z.string(),
    record: invocationRecordSchema,
  }),
  z.looseObject({
    type: z.literal('SessionRecorded'),
    ...unit,
    launch_id: z.string(),
    record: invocationRecordSchema,
    seal: auditSealSchema,
  }),
]);
/** One line between the first and the last of an export. */
export const auditRecordSchema = z.strictObject({ at: z.string(), event: eventSchema });

/** The last line of an export: how many records stand between, and the digest of all lines before. */
export const auditEndSchema = z.strictObject({
  kind: z.literal('end'),
  records: z.number().int().nonnegative(),
  sha256: digestSchema,
});

/** An export as it was read. */
export interface AuditFile {
  /** Null: the first line is not a head. */
  readonly head: AuditHead | null;
  /** `place`: the line, counted from 1. `event` has the shape of an event of the audit log. */
  readonly records: readonly { readonly place: number; readonly at: string; readonly event: unknown }[];
  readonly invalid_lines: readonly number[];
  /** What the last line says of those before. */
  readonly end: 'holds' | 'differs' | 'gone';
}
