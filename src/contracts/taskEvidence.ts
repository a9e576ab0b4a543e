import * as z from 'zod';
import {
  type ReadDocument,
  actorSchema,
  decisionSchema,
  digestSchema,
  documentIdSchema,
  envelopeContractVersion,
  executors,
  isoTimeSchema,
  utcSecondsSchema,
} from './record/header';
import {
  changeEvidenceSchema,
  outstandingEvidenceSchema,
  stateShape,
  verifyChangeSchema,
} from './record/changeEvidence';
import { launchEvidenceSchema, verifyEvidenceSchema } from './launchEvidence';
import { recoveryEventSchema } from './record/recoveryEvent';
import { metadataChangesSchema } from './commands/metadataChanges';
import { subagentResultSchema } from './result';
import { validationReportSchema } from './validationReport';
import { checkPoints, driverOutcomes, taskEvidenceStatuses } from './vocabulary/execution';
import { metadataFields, type MetadataField } from './vocabulary/metadata';
import { reportStatuses } from './vocabulary/milestones';
import { recoveryOutcomes } from './vocabulary/recovery';
import { tiers, modelRoles } from './vocabulary/intents';
import { judgedReports } from './vocabulary/models';
import { workerNames } from './vocabulary/workers';

const text = z.string();
const texts = z.array(z.string());
const count = z.number().int().nonnegative();

const claimKinds = ['not_applicable', 'missing', 'invalid', 'valid', 'report'] as const;

const claimSchema = z.looseObject({
  kind: z.enum(claimKinds),
  problems: texts,
  packet: subagentResultSchema.nullable(),
});

/** The assertion that a question or an answer is about, and the files that it was asked for. */
export const askedAssertionSchema = z.looseObject({ assertion: text, tree_sha256: digestSchema });

/** What a person says to a line of a file that an attempt changed. */
const lineCommentSchema = z.looseObject({
  path: text,
  /** The line of the file as the attempt had left it, counted from 1. */
  line: z.number().int().positive(),
  /** The words of the person. */
  text,
});

/** A question of a blocked task, who asked it, and a person's answer. */
export const answerSchema = z.looseObject({
  question: text,
  asked_by: actorSchema,
  /** The id of the choice; null: the answer is in words. */
  choice: text.nullable(),
  /** The text of the choice, or the person's own words. */
  text,
  /** What the person says to lines of what the attempt changed; absent: nothing. */
  comments: z.array(lineCommentSchema).optional(),
  decision: decisionSchema,
  /** The assertion of a milestone that it answers, and the digest of the files then; absent: no assertion. */
  about: askedAssertionSchema.optional(),
});

const metadataValue = z
  .union([text, z.number(), z.null()])
  .exactOptional()
  .meta({ description: 'The value before; null: none was set. Absent: it was not revised.' });
/** No record: its keys would have no order of their own. */
const metadataBeforeSchema = z.strictObject(
  Object.fromEntries(metadataFields.map((field) => [field, metadataValue])) as Record<
    MetadataField,
    typeof metadataValue
  >,
);

/** Metadata of a task that were revised after the approval of its plan, and by whom. */
const revisionSchema = z.looseObject({
  before: metadataBeforeSchema,
  after: metadataChangesSchema,
  /** The first attempt for which the revised values count. */
  attempt: z.number().int().positive(),
  /** The packet that waited for a decision; null: none did. */
  packet_id: text.nullable(),
  decision: decisionSchema,
});

/** The assertions of a milestone as an agent or a person answered them. */
const validationSchema = z.looseObject({
  /** What the assertions came to; null: at least one of them has no answer. */
  status: z.enum(reportStatuses).nullable(),
  /** Whether it counts as a failed validation. */
  failed: z.boolean(),
  /** SHA-256 of the content of the workspace that it is about; null: it was not read. */
  tree_sha256: digestSchema.nullable(),
  assertions: z.array(
    z.looseObject({
      id: text,
      assertion: text,
      /** The answer; null: there was no answer. */
      status: z.enum(reportStatuses).nullable(),
      evidence: text,
      /** The person's answer; null: the report of an agent has it, or no answer came. */
      decision: decisionSchema.nullable(),
    }),
  ),
  /** The report of an agent as it was judged; null: no agent reported. */
  report: validationReportSchema.nullable(),
});

/** One run through the phase machine: what was claimed, observed and verified. */
const attemptEvidenceSchema = z.looseObject({
  attempt: z.number().int().positive(),
  started_at: isoTimeSchema.nullable(),
  ended_at: isoTimeSchema.nullable(),
  outcome: z.enum(driverOutcomes).nullable(),
  code: text.nullable(),
  reason: text.nullable(),
  /** Who ordered this attempt after an earlier one, and why; null for the first. */
  decided_by: z
    .looseObject({
      ...decisionSchema.shape,
      /** The recovery outcome that ordered it; null when a person retried without a packet. */
      outcome: z.enum(recoveryOutcomes).nullable(),
    })
    .nullable(),
  /** Why an accepted milestone was validated again; absent: it was not. */
  because: text.optional(),
  /** What the unit that validates a milestone found; absent: it is a task of the plan. */
  validation: validationSchema.optional(),
  /** What people had answered to questions of the task before it began; absent: nothing. */
  answers: z.array(answerSchema).optional(),
  /** What its worker wrote in its paths waits in a layer and is not in the workspace. Absent: it is. */
  not_landed: z.literal(true).optional(),
  /** Files that another task put into the workspace meanwhile, which Mission Control merged with its own. Absent: none. */
  merged: z.array(z.looseObject({ path: text, task_id: text })).optional(),
  /** The context that was frozen before the worker; absent for commands. */
  context: z
    .looseObject({
      /** SHA-256 of the bytes of the snapshot. */
      snapshot_sha256: digestSchema,
      /** Where the snapshot is kept; POSIX, relative to the workspace root. */
      kept: text,
      /** SHA-256 of the bytes of ai.project.json; null: the intent did not require it. */
      project_sha256: digestSchema.nullable(),
      /** How much was restored of the memory, and its digest; absent: the intent did not require it. */
      memory: z.looseObject({ entries: count, sha256: digestSchema }).optional(),
      /** Files of the project that the worker had to follow, as the snapshot holds them; absent: none. */
      instructions: z.array(z.looseObject({ path: text, sha256: digestSchema })).optional(),
    })
    .optional(),
  /** What phase 3 selected, and what the CLI reported; absent without a model. */
  model_selection: z
    .looseObject({
      logical_id: text,
      /** The name of the model that the CLI was given; null: the CLI chose. */
      resolved_id: text.nullable(),
      tier: z.enum(tiers),
      capability_profile: text,
      role: z.enum(modelRoles),
      policy_sha256: digestSchema,
      /** The model that the CLI reported, and how policy judges it; null: no launch has ended. */
      reported: z.looseObject({ model: text.nullable(), judged: z.enum(judgedReports) }).nullable(),
    })
    .optional(),
  launches: z.array(launchEvidenceSchema),
  changes: z.array(changeEvidenceSchema),
  /** SHA-256 of observed.json in the run directory; null: the changes were not read. */
  observed_sha256: digestSchema.nullable(),
  not_observed: texts,
  /** Paths that earlier attempts changed and this one did not, and that lay as they left them; absent: none. */
  earlier_work: texts.optional(),
  /**
   * By how many milliseconds the clock of the file system was ahead of this machine's; negative: behind. Absent: by nothing
   * that counts.
   */
  clock_ahead_ms: z.int().optional(),
  /** The worker's result packet (`subagent_result_v1`) as it was judged. */
  claim: claimSchema,
  /** Why the watchdog ended the attempt; null or absent when it did not. */
  timeout: z
    .looseObject({
      last_heartbeat_at: isoTimeSchema,
      timeout_seconds: count,
      age_seconds: count,
      found: text,
    })
    .nullable()
    .optional(),
  /** A result that came after the timeout: quarantined, not judged; null or absent when none came. */
  late_result: z.looseObject({ at: isoTimeSchema, after: text, claim: claimSchema }).nullable().optional(),
  /** Claim against observation, one sentence per difference; null without a valid claim. */
  comparison: z.looseObject({ agrees: z.boolean(), differences: texts }).nullable(),
  verify: z.array(verifyEvidenceSchema),
  /** What the verify commands changed since the worker was judged; absent when it was not compared. */
  verify_changes: z
    .looseObject({
      /** SHA-256 of observed.json in the run directory of the last verify command. */
      observed_sha256: digestSchema,
      changes: z.array(verifyChangeSchema),
    })
    .optional(),
  acceptance: z.array(
    z.looseObject({ criterion: text, result: z.enum(['pass', 'fail', 'not_checked']), evidence: text }),
  ),
  denials: z.array(z.looseObject({ tool: text.nullable(), path: text.nullable(), reason: text })),
  /** A result that a person completed, or was asked to (phase 7); absent: none was incomplete. */
  intervention: z
    .looseObject({
      requested_at: isoTimeSchema,
      missing: texts,
      /** The result packet as the worker had left it; `claim` is as it was completed. */
      packet: subagentResultSchema.nullable(),
      /** To complete the result; null: no person did. */
      decision: decisionSchema.nullable(),
    })
    .optional(),
  /** What its worker proposed to remember, and what became of it (phase 9); absent: nothing was proposed. */
  memory: z
    .looseObject({
      entries: z.array(
        z.looseObject({
          /** What the entry is about: `<domain>/<key>`. */
          name: text,
          decision: text,
          rationale: text,
          supersedes: count.nullable(),
          /** `known`: it was remembered before. `undecided`: no person decided before the attempt ended. */
          outcome: z.enum(['saved', 'discarded', 'known', 'undecided']),
          /** What it contradicts; null: nothing. */
          conflict: z.looseObject({ version: count.nullable(), decision: text.nullable() }).nullable(),
          version: count.nullable(),
          /** SHA-256 of the bytes of its file in the memory; null: it was not saved. */
          sha256: digestSchema.nullable(),
          path: text.nullable(),
        }),
      ),
      decision: decisionSchema.nullable(),
      /** Why nothing of it was considered; null: it was. */
      ignored: text.nullable(),
    })
    .optional(),
  /** The steps of verification, in order, up to the one that failed; absent: none was judged. */
  verification: z
    .array(
      z.looseObject({
        step: z.number().int().min(1).max(7),
        name: text,
        outcome: z.enum([...driverOutcomes, 'not_applicable']),
        /** Findings that are no failure: claims that the runner did not observe. */
        recorded: texts.optional(),
      }),
    )
    .optional(),
  /**
   * CHECKS at the four points of the driver; `not_machine_checked`: no machine can check it here, so it does not count
   * as passed.
   */
  checks: z
    .array(
      z.looseObject({
        point: z.enum(checkPoints),
        name: text,
        outcome: z.enum([...driverOutcomes, 'not_machine_checked']),
      }),
    )
    .optional(),
  /** How the audit log closed the attempt. */
  seal: z.looseObject({ records: count, sha256: digestSchema, closing_sha256: digestSchema }).optional(),
});

/**
 * docs/ops/executions/<plan_id>/TASK_<task_id>.json: superset of the task evidence of contract 001.
 * END keeps what START wrote. The first three fields are required; `started_at_utc` may be null, because the original
 * tool wrote END without START.
 */
export const taskEvidenceSchema = z.looseObject({
  contract_version: z.literal(envelopeContractVersion),
  plan_id: documentIdSchema,
  task_id: documentIdSchema,
  description: text.optional(),
  started_at_utc: utcSecondsSchema.nullable(),
  /** `start_notes`, then `end_notes`; null: neither. */
  notes: text.nullable().optional(),
  ended_at_utc: utcSecondsSchema.nullable().optional(),
  status: z.enum(taskEvidenceStatuses).nullable().optional(),
  /** HEAD when the task ended; null: unknown. The original tool also wrote ''. */
  commit_sha: text.nullable().optional(),

  start_notes: text.nullable().optional(),
  end_notes: text.nullable().optional(),
  executor: z.enum(executors).optional(),
  mission_id: text.nullable().optional(),
  run_id: text.nullable().optional(),
  code: text.nullable().optional(),
  reason: text.nullable().optional(),
  plan_sha256: digestSchema.optional(),
  plan_sha256_observed: digestSchema.nullable().optional(),
  worker: z.enum(workerNames).nullable().optional(),
  paths: texts.optional(),
  forbidden_paths: texts.optional(),
  attempts: z.array(attemptEvidenceSchema).optional(),
  outstanding: z.array(outstandingEvidenceSchema).optional(),
  /** The earlier mission that did the task of a revision, and whose evidence describes it. Absent: none did. */
  carried_from: z
    .looseObject({
      plan_id: documentIdSchema,
      mission_id: text,
      evidence_sha256: digestSchema,
      /** The files as the task left them, and when; without digest, link or `unread` it removed the file. */
      outputs: z.array(z.looseObject({ path: text, at: text, ...stateShape })),
    })
    .optional(),
  /** The decision to skip the task, or `chosen`, which it depends on; absent: it was not skipped. */
  skipped: z.looseObject({ decision: decisionSchema, chosen: documentIdSchema }).optional(),
  /** What people took back of its attempts, and took back again, oldest first; absent: nothing. */
  undone: z
    .array(
      z.looseObject({
        attempt: count,
        /** An undo before it was taken back: the files are as the attempt left them again. Absent: it is an undo. */
        redo: z.literal(true).optional(),
        /** The attempt that would come next. */
        before_attempt: count,
        /** The files that were put back. */
        paths: texts,
        /** The files that the attempt changed and that stayed as they were; `why` completes "<path> ...". */
        left: z.array(z.looseObject({ path: text, why: text })),
        decision: decisionSchema,
      }),
    )
    .optional(),
  /** What was revised of its metadata, oldest first; absent: nothing. */
  metadata_revised: z.array(revisionSchema).optional(),
  /** What permission recovery did, in order, and every further launch with the exact change of its arguments. */
  recovery: z.looseObject({ relaunches: z.array(recoveryEventSchema) }).optional(),
});
export type TaskEvidence = ReadDocument<z.infer<typeof taskEvidenceSchema>>;
/** Evidence that this product wrote: that of the original tool has no attempts. */
export type TaskWithAttempts = TaskEvidence & { readonly attempts: readonly AttemptEvidence[] };
export type AttemptEvidence = ReadDocument<z.infer<typeof attemptEvidenceSchema>>;
export type Skipped = NonNullable<TaskEvidence['skipped']>;
export type Undone = NonNullable<TaskEvidence['undone']>[number];
export type Revision = NonNullable<TaskEvidence['metadata_revised']>[number];
export type Answer = NonNullable<AttemptEvidence['answers']>[number];
/** The context that an attempt works with, frozen in phase 2. */
export type AttemptContext = NonNullable<AttemptEvidence['context']>;
/** What phase 3 selects for an attempt. */
export type ModelSelection = Omit<NonNullable<AttemptEvidence['model_selection']>, 'reported'>;
/** A path as a task left it. Without `link` and `unread`, no digest means that the task removed it. */
export type Output = NonNullable<TaskEvidence['carried_from']>['outputs'][number];
