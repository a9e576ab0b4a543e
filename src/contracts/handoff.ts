import * as z from 'zod';
import {
  filledSchema,
  momentSchema,
  objectiveSchema,
  runIdSchema,
  schemaLinkSchema,
  schemaVersionSchema,
  taskIdSchema,
  blockerSchema,
  dependencySchema,
  ledgerRowSchema,
  fileSystemFactsShape,
  lockSchema,
} from './freshContext';
import { type ReadDocument, actorSchema, decisionSchema, digestSchema } from './record/header';
import { stateShape } from './record/changeEvidence';
import { answerSchema, askedAssertionSchema } from './taskEvidence';
import { contractCodes, reasonCategories } from './vocabulary/codes/codes';
import { ledgerStatuses, missionStatuses } from './vocabulary/execution';
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

/** What Mission Control adds for another clone. Its journal beside the bundle says how the run came to be so. */
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
  /** Files beside the bundle, each with its digest. Names without folders. */
  files: z.array(z.looseObject({ file: filledSchema, bytes: z.int().min(0), sha256: digestSchema })),
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

/** What the fold of a handoff's journal says of the run, beside the evidence. The journal may hold anything. */
export const journalFactsSchema = z.looseObject({
  /** Digests of the bundles that the run went on from, oldest first. */
  bundles: z.array(digestSchema),
  /** Launches so far: they number the run directories. */
  launches: z.int().min(0).max(1_000_000),
  /** The files of instructions that the source froze for its agents. Absent: its agents were given none. */
  instructions: z
    .array(z.looseObject({ path: filledSchema, sha256: digestSchema }))
    .max(instructionLimits.files)
    .optional(),
  /** A person's pause that holds the run, and a person's cancellation that is not carried out; null: none. */
  paused: decisionSchema.nullable(),
  canceled: decisionSchema.nullable(),
  /** A pause that the mission made itself, until a person decides; null: none, or one about the files there. */
  held: z.object({ reason: z.string(), code: z.enum(contractCodes).nullable() }).nullable(),
  /** A person's word that all blocks were seen; null: none, or something blocked since. */
  acknowledged: decisionSchema.nullable(),
  /** What agents have used so far, and how many budgets that was when a person was asked last. */
  used: z.object({ tokens: z.number(), usd: z.number(), budgets_asked: z.number() }),
  /** Every transition of the run, in order. */
  transitions: z.array(
    z.object({
      task_id: taskIdSchema,
      from: z.enum(ledgerStatuses),
      to: z.enum(ledgerStatuses),
      code: z.string().nullable(),
      reason: z.string(),
    }),
  ),
  tasks: z.array(
    z.looseObject({
      task_id: taskIdSchema,
      /** Why the task is blocked; null when it is not. */
      category: z.enum(reasonCategories).nullable(),
      /** The decision to retry this blocked task, until the new attempt begins. */
      retry: decisionSchema.nullable(),
      /** What it asks a person; absent: nothing, or its packet was answered. */
      question: questionSchema.optional(),
      answers: z.array(answerSchema),
    }),
  ),
});
export type JournalFacts = ReadDocument<z.infer<typeof journalFactsSchema>>;

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
