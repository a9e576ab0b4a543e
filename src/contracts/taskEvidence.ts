import * as z from 'zod';
import {
  digestSchema,
  documentIdSchema,
  envelopeContractVersion,
  executors,
  isoTimeSchema,
  utcSecondsSchema,
} from './header';
import { exitReasons } from './launch';
import { subagentResultSchema } from './result';
import { actorKinds } from './vocabulary/actors';
import { driverOutcomes, taskEvidenceStatuses } from './vocabulary/execution';
import { recoveryOutcomes } from './vocabulary/recovery';
import { confinements, workerNames } from './vocabulary/workers';

const text = z.string();
const texts = z.array(z.string());
const count = z.number().int().nonnegative();

const claimKinds = ['not_applicable', 'missing', 'invalid', 'valid'] as const;

const outputSchema = z.looseObject({ bytes: count, sha256: digestSchema });

/** One process: what was started, under which confinement, and how it ended. */
const launchEvidenceSchema = z.looseObject({
  launch_id: text,
  worker: z.enum(workerNames),
  cli_version: text.nullable(),
  /** Whether the version is inside the range this product was run against; null when there is no range or version. */
  tested_range_ok: z.boolean().nullable(),
  /** Redacted; absolute places of the machine are named, not spelled out. */
  argv: texts,
  confinement: z.enum(confinements),
  confinement_detail: text,
  /** Names only, never values. */
  env_names: texts,
  session_id: text.nullable(),
  model: text.nullable(),
  usage: z
    .looseObject({
      input_tokens: z.number().nullable(),
      cached_input_tokens: z.number().nullable(),
      output_tokens: z.number().nullable(),
      cost_usd: z.number().nullable(),
    })
    .nullable(),
  exit_code: z.number().int().nullable(),
  signal: text.nullable(),
  /** Null while it runs. */
  reason: z.enum(exitReasons).nullable(),
  run_dir: text,
  started_at: isoTimeSchema.nullable(),
  ended_at: isoTimeSchema.nullable(),
  stdout: outputSchema.nullable(),
  stderr: outputSchema.nullable(),
  /** In words, what the exit code does not tell; null when there is nothing to tell, or nothing ended. */
  error: text.nullable().optional(),
  /** Whether no process of the launch was alive at its end; null when nothing ended. False: see the journal for later looks. */
  tree_gone: z.boolean().nullable().optional(),
});

/** `verify`: a verify command of the task changed it after the worker had been judged. */
const attributions = ['worker', 'external_change', 'unattributed', 'verify'] as const;
const changeKinds = ['added', 'modified', 'deleted', 'type_changed', 'mode_changed', 'index_flag', 'git'] as const;

const changeEvidenceSchema = z.looseObject({
  path: text,
  kind: z.enum(changeKinds),
  before_sha256: digestSchema.nullable(),
  after_sha256: digestSchema.nullable(),
  resolved_path: text.nullable(),
  attribution: z.enum(attributions),
  in_scope: z.boolean(),
  violation: text.nullable(),
  detail: text.nullable(),
});

const claimSchema = z.looseObject({
  kind: z.enum(claimKinds),
  problems: texts,
  packet: subagentResultSchema.nullable(),
});

/** Claimed, observed, verified: one run through the phase machine. */
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
      kind: z.enum(actorKinds),
      name: text,
      /** The recovery outcome that ordered it; null when a person retried without a packet. */
      outcome: z.enum(recoveryOutcomes).nullable(),
      reason: text,
      at: isoTimeSchema,
    })
    .nullable(),
  launches: z.array(launchEvidenceSchema),
  changes: z.array(changeEvidenceSchema),
  /** Of the run directory's observed.json. */
  observed_sha256: digestSchema.nullable(),
  not_observed: texts,
  /** The worker's result packet (`subagent_result_v1`) as it was judged. */
  claim: claimSchema,
  /** Why the watchdog gave it up; null or absent when it did not. */
  timeout: z
    .looseObject({
      last_heartbeat_at: isoTimeSchema,
      timeout_seconds: count,
      age_seconds: count,
      found: text,
    })
    .nullable()
    .optional(),
  /** A result that came after the attempt had been given up: quarantined, not judged; null or absent when none came. */
  late_result: z.looseObject({ at: isoTimeSchema, after: text, claim: claimSchema }).nullable().optional(),
  /** Claim against observation, one sentence per difference; null without a valid claim. */
  comparison: z.looseObject({ agrees: z.boolean(), differences: texts }).nullable(),
  verify: z.array(
    z.looseObject({
      argv: texts,
      exit_code: z.number().int().nullable(),
      signal: text.nullable(),
      passed: z.boolean(),
      output_sha256: digestSchema.nullable(),
      tail: text,
    }),
  ),
  /** What differed after the verify commands from what the worker was judged by; absent when nobody looked. */
  verify_changes: z
    .looseObject({
      /** Of observed.json in the run directory of the last verify command. */
      observed_sha256: digestSchema,
      changes: z.array(
        z.looseObject({
          path: text,
          kind: z.enum(changeKinds),
          /** As the worker left it, and as it is. */
          left_sha256: digestSchema.nullable(),
          after_sha256: digestSchema.nullable(),
          attribution: z.enum(attributions),
          in_scope: z.boolean(),
          /** Why it blocked; null: it is only told. */
          blocks: text.nullable(),
        }),
      ),
    })
    .optional(),
  acceptance: z.array(
    z.looseObject({ criterion: text, result: z.enum(['pass', 'fail', 'not_checked']), evidence: text }),
  ),
  denials: z.array(z.looseObject({ tool: text.nullable(), path: text.nullable(), reason: text })),
});

/** What blocked an attempt stays on this list, against the baseline it was first seen from. */
const outstandingEvidenceSchema = z.looseObject({
  /** What a person calls it; `attempt:<n>` stands for changes that could not be read. */
  name: text,
  path: text,
  kind: z.enum([...changeKinds, 'unread']),
  attempt: z.number().int().positive(),
  before_sha256: digestSchema.nullable(),
  found_sha256: digestSchema.nullable(),
  resolved_path: text.nullable(),
  detail: text.nullable(),
  why: text,
  category: z.enum(['verify_changed_files', 'external_change']),
  state: z.enum(['open', 'gone', 'accepted']),
  gone_in_attempt: z.number().int().positive().nullable(),
  accepted_by: z.looseObject({ kind: z.enum(actorKinds), name: text, reason: text, at: isoTimeSchema }).nullable(),
});

/**
 * docs/ops/executions/<plan_id>/TASK_<task_id>.json: superset of the task evidence of contract 001 (facts A3).
 * START and END values stand together: END never loses what START wrote. The first three fields are required;
 * `started_at_utc` may be null because the original tool wrote END without START.
 */
export const taskEvidenceSchema = z.looseObject({
  contract_version: z.literal(envelopeContractVersion),
  plan_id: documentIdSchema,
  task_id: documentIdSchema,
  description: text.optional(),
  started_at_utc: utcSecondsSchema.nullable(),
  /** START notes, then END notes. */
  notes: text.nullable().optional(),
  ended_at_utc: utcSecondsSchema.nullable().optional(),
  status: z.enum(taskEvidenceStatuses).nullable().optional(),
  /** HEAD when the task ended; the original tool also wrote ''. */
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
  recovery: z.looseObject({ relaunches: z.array(z.looseObject({})) }).optional(),
});
export type TaskEvidence = z.infer<typeof taskEvidenceSchema>;
