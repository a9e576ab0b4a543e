import * as z from 'zod';
import { actorKinds } from '../vocabulary/actors';
import { confinementModes } from '../vocabulary/confinement';
import { approvalSources, executionStates, missionStatuses, taskEvidenceStatuses } from '../vocabulary/execution';
import { sessionResults } from '../vocabulary/orchestrator';
import { isBlank } from '../vocabulary/forms';
import { recoveryOutcomes } from '../vocabulary/recovery';

/** SHA-256 in hex; Mission Control writes upper case and compares without regard to case. */
export const digestSchema = z.string().regex(/^[0-9A-Fa-f]{64}$/);
/** The same in upper case, as files of processes and commands have it. */
export const upperDigestSchema = z.string().regex(/^[0-9A-F]{64}$/);
/** Ids of `randomUUID`, which name files of an inbox. */
export const uuidSchema = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
/** At least one visible character. */
export const visibleTextSchema = z
  .string()
  .min(1)
  .refine((value) => !isBlank(value));
/** Times of the original fields: `yyyy-MM-ddTHH:mm:ssZ`. */
export const utcSecondsSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
/** Times of this product's own fields: ISO-8601 with an offset, milliseconds allowed. */
export const isoTimeSchema = z.iso.datetime({ offset: true });
/** Plan and task ids; core/plan also refuses `..`. */
export const documentIdSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/);

export const actorSchema = z.looseObject({ kind: z.enum(actorKinds), name: z.string() });
/** A decision in every document as the journal has it: who decided, why and when. */
export const decisionSchema = z.looseObject({
  /** Who decided. */
  actor: actorSchema,
  reason: z.string(),
  at: isoTimeSchema,
});
export type HumanDecision = ReadDocument<z.infer<typeof decisionSchema>>;

export const envelopeContractVersion = 'S2-B-06.v1';

/** `mission`: run by Mission Control; `external`: recorded with `mission orch` for another executor. */
export const executors = ['mission', 'external'] as const;
/** `accepted`: it does not hold by itself; a person accepted what speaks against it. */
const criterionResults = ['met', 'accepted', 'unmet', 'not_machine_checked'] as const;

/**
 * docs/ops/executions/<plan_id>/EXECUTION_HEADER.json: superset of the header of contract 001. The first
 * seven fields are the original's and always present. `host` and `user` are opt-in. The rest is ours and absent in
 * evidence of other tools. Written last, so that its digests are those of the other files on disk. The order of the
 * fields is that of the file, by which a file with sorted keys is recognised; so it is in all evidence.
 */
export const executionHeaderSchema = z.looseObject({
  contract_version: z.literal(envelopeContractVersion),
  plan_id: documentIdSchema,
  goal_id: z.string(),
  /** The plan file; POSIX, relative to the workspace root. */
  plan_path: z.string().min(1),
  /** SHA-256 of the raw bytes that were approved, locked and parsed. */
  plan_sha256: digestSchema,
  started_at_utc: utcSecondsSchema,
  state: z.enum(executionStates),
  host: z.string().optional(),
  user: z.string().optional(),

  executor: z.enum(executors).optional(),
  mission_id: z.string().nullable().optional(),
  run_id: z.string().nullable().optional(),
  ended_at_utc: utcSecondsSchema.nullable().optional(),
  outcome: z.enum(['COMPLETED', 'FAILED']).nullable().optional(),
  status: z.enum(missionStatuses).optional(),
  cancelled: z.boolean().optional(),
  code: z.string().nullable().optional(),
  reason: z.string().nullable().optional(),
  /** Digest of the plan's canonical JSON, equal for every format of it. */
  plan_canonical_sha256: digestSchema.optional(),
  /** The hash found instead of `plan_sha256`, where the plan changed under the mission; null or absent: it did not. */
  plan_sha256_observed: digestSchema.nullable().optional(),
  /** The handoff that this execution continues; absent when it began here. */
  resumed_from: z
    .looseObject({
      mission_id: z.string(),
      handoff: z.number().int().positive(),
      bundle_sha256: digestSchema,
      moved: z.boolean(),
      decision: decisionSchema,
    })
    .optional(),
  /** The plan that this one is a revision of; absent: none. */
  supersedes: documentIdSchema.optional(),
  /** The revision whose approval ended this mission; absent: none did. */
  superseded_by: z
    .looseObject({ plan_id: documentIdSchema, plan_sha256: digestSchema, decision: decisionSchema })
    .optional(),
  /** The earlier execution whose evidence was archived for this one, and the digest of its header; absent: none. */
  archived: z.looseObject({ mission_id: z.string(), header_sha256: digestSchema.nullable() }).optional(),
  /** What stood in the place of evidence, and where it was moved; POSIX, relative to the workspace root. Absent: nothing. */
  moved_aside: z.array(z.looseObject({ path: z.string(), moved_to: z.string() })).optional(),
  approval_source: z.enum(approvalSources).nullable().optional(),
  approved_by: z.string().nullable().optional(),
  approved_at: z.string().nullable().optional(),
  /** The person who approved these bytes on the executing machine, and when; null: no approval record was there. */
  approved_here: z.looseObject({ by: z.string(), at: isoTimeSchema }).nullable().optional(),
  /** The strictest of what setting, command line and plan asked for. */
  confinement: z.enum(confinementModes).optional(),
  /** Digest of the model policy that was fixed before the first task. */
  policy_sha256: digestSchema.optional(),
  state_history: z.array(z.looseObject({ state: z.enum(executionStates), at: isoTimeSchema })).optional(),
  locked_plan: z.looseObject({ file: z.string(), sha256: digestSchema }).optional(),
  summary: z.looseObject({ file: z.string(), sha256: digestSchema }).nullable().optional(),
  tasks: z
    .array(
      z.looseObject({
        task_id: documentIdSchema,
        /** How the task ended; null while it is open. */
        status: z.enum(taskEvidenceStatuses).nullable(),
        code: z.string().nullable(),
        attempts: z.number().int().nonnegative(),
        /** Digest of TASK_<task_id>.json on disk; null while the file does not exist. */
        evidence_sha256: digestSchema.nullable(),
      }),
    )
    .optional(),
  /** The milestones that the plan has validated; absent: the plan has none. */
  milestones: z
    .array(
      z.looseObject({
        milestone_id: documentIdSchema,
        /** The unit that validates the milestone. */
        task_id: documentIdSchema,
        accepted: z.boolean(),
        /** Digest of MILESTONE_<milestone_id>.json on disk; null while the file does not exist. */
        evidence_sha256: digestSchema.nullable(),
      }),
    )
    .optional(),
  /** The agent that was asked about blocks, and what became of each of its sessions; absent: only people decided. */
  orchestrator: z
    .looseObject({
      worker: z.string(),
      sessions: z.array(
        z.looseObject({
          launch_id: z.string(),
          packet_id: z.string(),
          task_id: documentIdSchema,
          /** The model that its CLI reported; null: it reported none, or nothing was started. */
          model: z.string().nullable(),
          /**
           * `applied`: its decision counted. `discarded`: it did not count. `undecided`: it ended without one.
           * `unavailable`: there was no session.
           */
          result: z.enum(sessionResults),
          /** The outcome that it chose, whether it counted or not; null: none. */
          chose: z.enum(recoveryOutcomes).nullable(),
          /** Why its decision did not count, or there was none; null where it did. */
          code: z.string().nullable(),
          reason: z.string().nullable(),
        }),
      ),
    })
    .optional(),
  success_criteria: z
    .array(
      z.looseObject({
        criterion: z.string(),
        result: z.enum(criterionResults),
        detail: z.string(),
        /** The people who accepted what speaks against it; with `accepted` alone. */
        accepted_by: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  /** Length and last hash of the mission's journal when this header was written. */
  journal: z.looseObject({ events: z.number().int().nonnegative(), last_hash: digestSchema }).nullable().optional(),
  tool: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  not_observed: z.array(z.string()).optional(),
  /**
   * Seal: SHA-256, upper-case hex, over the bytes of this file with the 64 digits of this value replaced by zeros.
   * It shows accidents and careless edits; only the journal or git shows an edit that renewed the seal.
   */
  header_sha256: upperDigestSchema.optional(),
});
export type ExecutionHeader = ReadDocument<z.infer<typeof executionHeaderSchema>>;
export type Criterion = NonNullable<ExecutionHeader['success_criteria']>[number];

/** Every member of a document, also those that may be absent: the compiler names one that its maker leaves out. */
export type EachMember<T> = { readonly [K in keyof T]-?: T[K] | undefined };
/** A document that is only read, with the members that the contract names. */
export type ReadDocument<T> = T extends readonly (infer E)[]
  ? readonly ReadDocument<E>[]
  : T extends object
    ? { readonly [K in keyof T as string extends K ? never : K]: ReadDocument<T[K]> }
    : T;
