import * as z from 'zod';
import {
  filledSchema,
  momentSchema,
  objectiveSchema,
  runIdSchema,
  schemaLinkSchema,
  schemaVersionSchema,
  taskIdSchema,
} from './freshContext';
import { type ReadDocument, actorSchema, decisionSchema, digestSchema } from './record/header';
import { stateShape } from './record/changeEvidence';
import { blockerSchema, dependencySchema, ledgerRowSchema } from './ledger';
import { fileSystemFactsShape, lockSchema } from './lock';
import { answerSchema, askedAssertionSchema } from './taskEvidence';
import { taskEventSchema } from './taskEvent';
import { reasonCategories } from './vocabulary/codes/codes';
import { missionStatuses } from './vocabulary/execution';
import { handoffCauses } from './vocabulary/handoff';
import { instructionLimits } from './vocabulary/plan';

const questionSchema = z.looseObject({
  text: filledSchema,
  choices: z.array(
    z.looseObject({ id: filledSchema, text: filledSchema, outcome: z.literal('rerun-validation').optional() }),
  ),
  asked_by: actorSchema,
  /** Absent: it is not about an assertion of a milestone. */
  about: askedAssertionSchema.optional(),
});

/** What Mission Control adds, so that another clone can continue from the bundle and the repository alone. */
const missionHandoffSchema = z.looseObject({
  /** The grammar of a folder name, because the id names folders. */
  mission_id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
  /** Number of the handoff within its mission. */
  handoff: z.int().min(1).max(1_000_000),
  why: z.enum(handoffCauses),
  status: z.enum(missionStatuses),
  plan_id: taskIdSchema,
  plan_path: filledSchema,
  plan_sha256: digestSchema,
  /** True when the source ended its run with `--move`; otherwise a person must confirm the takeover. */
  moved: z.boolean(),
  /** The commit that the observed changes are relative to; null outside git. */
  base_commit: z
    .string()
    .regex(/^[0-9a-fA-F]{1,64}$/)
    .nullable(),
  role: filledSchema.meta({ description: 'Whose role prompt lies beside the bundle.' }),
  tool_version: z.string(),
  /** Launches so far: they number the run directories. */
  launches: z.int().min(0).max(1_000_000),
  /** Files beside the bundle, each with its digest. Names without folders. */
  files: z.array(z.looseObject({ file: filledSchema, bytes: z.int().min(0), sha256: digestSchema })),
  /** The files of instructions that the source froze for its agents. Absent: its agents were given none. */
  instructions: z
    .array(z.looseObject({ path: filledSchema, sha256: digestSchema }))
    .max(instructionLimits.files)
    .optional(),
  /** One entry per ledger row, with what neither that nor TASK_<task_id>.json beside the bundle has a field for. */
  tasks: z.array(
    z.looseObject({
      task_id: taskIdSchema,
      /** Why the task is blocked; null when it is not. */
      category: z.enum(reasonCategories).nullable(),
      /** The decision to retry this blocked task, until the new attempt begins. */
      retry: decisionSchema.nullable(),
      /** What it asks a person; absent: nothing, or its packet was answered. */
      question: questionSchema.optional(),
      /** What people answered to its questions; absent: nothing. */
      answers: z.array(answerSchema).optional(),
    }),
  ),
  /** Every transition of the run, in order. */
  events: z.array(taskEventSchema),
  /** Every decision of a person, an orchestrator or the runner, in order. */
  decisions: z.array(
    z.looseObject({
      decision: filledSchema,
      task_id: z.string().nullable(),
      packet_id: z.string().nullable(),
      ...decisionSchema.shape,
    }),
  ),
  /** What done tasks left in the workspace. */
  outputs: z.array(z.looseObject({ task_id: taskIdSchema, path: filledSchema, ...stateShape })),
  /**
   * Every observed change at the time of writing. `before_sha256` is of the file as the run found it; null: no file.
   * `why` explains what is not in the diff.
   */
  changes: z.array(
    z.looseObject({
      task_id: taskIdSchema,
      path: filledSchema,
      before_sha256: digestSchema.nullable(),
      ...stateShape,
      in_diff: z.boolean(),
      why: z.string().nullable(),
    }),
  ),
});
export type MissionHandoff = ReadDocument<z.infer<typeof missionHandoffSchema>>;
/** What a blocked task asks a person. What a worker asks is its text, and only shown. */
export type Question = ReadDocument<z.infer<typeof questionSchema>>;

/** The handoff bundle: all a new process needs to continue a run. The nine MUST fields of seed 003. */
export const handoffSchema = z.looseObject({
  $schema: schemaLinkSchema,
  schema_version: schemaVersionSchema,
  run_id: runIdSchema,
  objective: objectiveSchema,
  constraints: z
    .looseObject({})
    .meta({ description: 'Whatever bounds the run: time_budget, quality_bar, tool_limits and others.' }),
  ledger: z.array(ledgerRowSchema),
  active_locks: z.array(lockSchema),
  dependencies: z.array(dependencySchema),
  open_blockers: z.array(blockerSchema),
  acceptance_targets: z.array(z.looseObject({ task_id: taskIdSchema, criteria: z.array(filledSchema) })),
  generated_at: momentSchema.optional(),
  x_mission: missionHandoffSchema.optional(),
  ...fileSystemFactsShape,
});
export type HandoffBundle = ReadDocument<z.infer<typeof handoffSchema>>;
