import * as z from 'zod';
import { recoveryOutcomes } from './vocabulary/recovery';

const idSchema = z.string().min(1).max(200);

/** What a human (later: the runtime orchestrator) may ask of a mission; imperative. The inbox carries it as `command`. */
export const missionCommandSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('PauseMission') }),
  z.strictObject({ type: z.literal('ResumeMission') }),
  z.strictObject({ type: z.literal('StopTask'), task_id: idSchema }),
  z.strictObject({ type: z.literal('RetryTask'), task_id: idSchema }),
  /** What the last attempt left is judged once more: observed, verified. Its worker is not launched. */
  z.strictObject({ type: z.literal('RerunValidation'), task_id: idSchema }),
  /** What blocked the task may stay as it is; each by its name on the list. */
  z.strictObject({
    type: z.literal('AcceptChanges'),
    task_id: idSchema,
    names: z.array(z.string().min(1).max(4096)).min(1).max(10_000).readonly(),
  }),
  z.strictObject({ type: z.literal('CancelMission') }),
  z.strictObject({ type: z.literal('Acknowledge') }),
  z.strictObject({ type: z.literal('ResolvePacket'), packet_id: idSchema, outcome: z.enum(recoveryOutcomes) }),
  /** `move`: the run is given away with it and ends here. */
  z.strictObject({ type: z.literal('ExportHandoff'), move: z.boolean() }),
]);
export type MissionCommand = Readonly<z.infer<typeof missionCommandSchema>>;

/** The inbox carries the record of an approval, too. */
export const approvalCommandSchema = z.strictObject({
  type: z.literal('RecordApproval'),
  plan_id: idSchema,
  plan_path: z.string().max(4096),
  plan_sha256: z.string().regex(/^[0-9A-F]{64}$/),
});
/** What a person approved. `plan_path`: POSIX, relative to the workspace root, where it lies inside. */
export type ApprovedFile = Readonly<Omit<z.infer<typeof approvalCommandSchema>, 'type'>>;

/** A person saved a file in a window that does not own the missions; `path` is POSIX, relative to the workspace root. */
export const savedDocumentSchema = z.strictObject({
  type: z.literal('DocumentSaved'),
  path: z.string().min(1).max(4096),
  sha256: z.string().regex(/^[0-9A-F]{64}$/),
});
