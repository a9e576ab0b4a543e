import * as z from 'zod';
import { digestSchema, documentIdSchema, isoTimeSchema } from './record/header';
import { taskEvidenceStatuses } from './vocabulary/execution';
import { milestoneModes } from './vocabulary/plan';

/**
 * docs/ops/executions/<plan_id>/MILESTONE_<id>.json: whether a milestone was accepted, for which files, and what was
 * asked. How it was validated stands in TASK_<task_id>.json of the unit that did.
 */
export const milestoneEvidenceSchema = z.looseObject({
  schema_version: z.literal('1.0.0'),
  plan_id: documentIdSchema,
  plan_sha256: digestSchema,
  mission_id: z.string(),
  run_id: z.string(),
  milestone_id: documentIdSchema,
  title: z.string(),
  /** The unit that validates the milestone. */
  task_id: documentIdSchema,
  mode: z.enum(milestoneModes),
  assertions: z.array(z.looseObject({ id: z.string(), text: z.string() })),
  /** The tasks of the milestone, and how each ended; null: it is open. */
  tasks: z.array(z.looseObject({ task_id: documentIdSchema, status: z.enum(taskEvidenceStatuses).nullable() })),
  validations: z.number().int().nonnegative(),
  failures: z.number().int().nonnegative(),
  failure_limit: z.number().int().positive(),
  /** The validation by which it was accepted; null: it was not accepted, and `reason` says why. */
  accepted: z
    .looseObject({
      attempt: z.number().int().positive(),
      at: isoTimeSchema,
      /** Digest of the content of the workspace, without plans, evidence and what git ignores. */
      tree_sha256: digestSchema,
      head: z.string().nullable(),
    })
    .nullable(),
  reason: z.string(),
});
export type MilestoneEvidence = z.infer<typeof milestoneEvidenceSchema>;
