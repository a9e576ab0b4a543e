import * as z from 'zod';
import { metadataChangesSchema } from './metadataChanges';
import { upperDigestSchema } from '../record/header';
import { instructionLimits } from '../vocabulary/plan';
import { recoveryOutcomes } from '../vocabulary/recovery';

const idSchema = z.string().min(1).max(200);
/** The core refuses what is too long for a question, and says so. */
const wordsSchema = z.string().max(65_536);

const namesSchema = z.array(idSchema).max(100).readonly();

/** What a person may ask of a mission. An inbox file carries it as `command`. */
export const missionCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('PauseMission') }),
  z.strictObject({ type: z.literal('ResumeMission') }),
  z.strictObject({ type: z.literal('StopTask'), task_id: idSchema }),
  z.strictObject({ type: z.literal('RetryTask'), task_id: idSchema }),
  /** Observes and verifies again what the last attempt left, without launching its worker. */
  z.strictObject({ type: z.literal('RerunValidation'), task_id: idSchema }),
  /** Accepts changes that blocked the task, each by its name on the task's list. */
  z.strictObject({
    type: z.literal('AcceptChanges'),
    task_id: idSchema,
    names: z.array(z.string().min(1).max(4096)).min(1).max(10_000).readonly(),
  }),
  /**
   * Puts files back as they were before an attempt of a blocked task; `redo`: as the attempt had left them, after such
   * an undo. `attempt` and `leaves`, the paths that stay as they are: as the person was shown them.
   */
  z.strictObject({
    type: z.literal('UndoAttempt'),
    task_id: idSchema,
    attempt: z.number().int().positive(),
    redo: z.literal(true).optional(),
    leaves: z.array(z.string().min(1).max(4096)).max(10_000).readonly(),
  }),
  /** Skips the task and its open dependants; `dependants`: those that the person was shown. */
  z.strictObject({
    type: z.literal('SkipTask'),
    task_id: idSchema,
    dependants: z.array(idSchema).max(10_000).readonly(),
  }),
  /**
   * Grants one attempt of a blocked task what it was denied. `directory` and `file` are absolute. `file`: nothing else of
   * the directory. `task_id`: null where only one waits.
   */
  z.strictObject({
    type: z.literal('GrantDirectory'),
    task_id: idSchema.nullable(),
    directory: z.string().min(1).max(4096),
    file: z.string().min(1).max(4096).optional(),
  }),
  /** The person has completed the result of the task, or the files in its approved paths (phase 7). */
  z.strictObject({ type: z.literal('CompleteIntervention'), task_id: idSchema }),
  /**
   * Answers what a blocked task asks, by one of the choices or in words. Without task and packet: the only question.
   * `asked`: the question as the person was shown it; null: the one that stands there. `comments`: of the answer in words,
   * to lines of files that the attempt changed.
   */
  z.strictObject({
    type: z.literal('AnswerQuestion'),
    task_id: idSchema.nullable(),
    packet_id: idSchema.nullable(),
    asked: wordsSchema.nullable(),
    choice: z.string().max(200).nullable(),
    text: wordsSchema.nullable(),
    comments: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(4096),
          line: z.int().min(1).max(10_000_000),
          text: wordsSchema,
        }),
      )
      .max(1000)
      .readonly()
      .optional(),
  }),
  /** What of a verified task is remembered, each entry by its name (`DOMAIN/KEY`) in one list (phase 9). */
  z.strictObject({
    type: z.literal('ConfirmMemory'),
    task_id: idSchema,
    keep: namesSchema,
    /** Saved although it contradicts what is remembered. */
    replace: namesSchema,
    /** Not saved; what it contradicts stays. */
    discard: namesSchema,
  }),
  /** Revises metadata of a task that does not run: the one of the packet, where no task is named. */
  z.strictObject({
    type: z.literal('ReviseMetadata'),
    task_id: idSchema.nullable(),
    packet_id: idSchema.nullable(),
    changes: metadataChangesSchema,
  }),
  z.strictObject({ type: z.literal('CancelMission') }),
  z.strictObject({ type: z.literal('Acknowledge') }),
  /** A revision of the plan was approved here: what is open of the mission ends, and its failure has been seen. */
  z.strictObject({
    type: z.literal('SupersedeMission'),
    plan_id: idSchema,
    plan_sha256: upperDigestSchema,
  }),
  /** `question` and `choices`: of the outcome ask-user. */
  z.strictObject({
    type: z.literal('ResolvePacket'),
    packet_id: idSchema,
    outcome: z.enum(recoveryOutcomes),
    question: wordsSchema.optional(),
    choices: z.array(wordsSchema).max(100).readonly().optional(),
  }),
  /** `move`: the run continues elsewhere and ends here. */
  z.strictObject({ type: z.literal('ExportHandoff'), move: z.boolean() }),
]);
export type MissionCommand = Readonly<z.infer<typeof missionCommandSchema>>;

/** Commands about one task, and about a whole mission. */
export type TaskCommandName = Extract<MissionCommand, { readonly task_id: unknown }>['type'];
export type MissionCommandName = Exclude<MissionCommand['type'], TaskCommandName | 'ResolvePacket'>;

/** An inbox command: record an approval. */
export const approvalCommandSchema = z.strictObject({
  type: z.literal('RecordApproval'),
  plan_id: idSchema,
  plan_path: z.string().max(4096),
  plan_sha256: upperDigestSchema,
  /** The hosts that the person was shown, `AGENT=HOST:PORT` each. */
  speaks_to: z.array(z.string().max(400)).max(200).readonly().optional(),
  /** The files of instructions that the person was shown, `PATH=SHA-256` each. */
  instructions: z.array(z.string().max(1200)).max(instructionLimits.files).readonly().optional(),
});
/** What a person approved. `plan_path`: POSIX, relative to the workspace root, where it lies inside. */
export type ApprovedFile = Readonly<Omit<z.infer<typeof approvalCommandSchema>, 'type'>>;

/** An inbox command: a person saved a file in another window. `path` is POSIX, relative to the workspace root. */
export const savedDocumentSchema = z.strictObject({
  type: z.literal('DocumentSaved'),
  path: z.string().min(1).max(4096),
  sha256: upperDigestSchema,
});
