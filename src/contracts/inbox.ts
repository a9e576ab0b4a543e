import * as z from 'zod';
import { processIdentitySchema } from './launch';
import { isoTimeSchema, upperDigestSchema, uuidSchema } from './record/header';
import { actorKinds } from './vocabulary/actors';

/**
 * Commands from other processes to the owner of a workspace's missions, in `.mission-control/inbox/`:
 *
 * <id>.json           a command, moved there whole by its sender
 * taken/<id>.json     taken by an owner, not answered yet; after a crash the next owner answers it
 * <id>.answer.json    the owner's answer; the sender removes it
 * rejected/           files that hold no command (the newest 100)
 */
export const inboxFolders = { taken: 'taken', rejected: 'rejected' } as const;

/** Larger files are rejected. */
export const maxCommandBytes = 1024 * 1024;

export const inboxCommandSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  /** Also the file's name. The owner journals it and decides a repeated command once. */
  id: uuidSchema,
  mission_id: z.string(),
  /** One of contracts/commands/missionCommand; the owner validates it. */
  command: z.record(z.string(), z.unknown()),
  actor: z.strictObject({ kind: z.enum(actorKinds), name: z.string() }),
  reason: z.string(),
  /** Sequence number of the state the sender saw; null: any state. */
  expected_seq: z.number().int().nonnegative().nullable(),
  /** True when an ancestor process of the sender is a supervisor: the sender is then not a person. */
  from_worker: z.boolean(),
  /** The process that waits and holds this file open. The writer of a file that is not held could be a worker. */
  sender: processIdentitySchema.optional(),
  /** Upper-case SHA-256 of an orchestrator session's token; null from other senders. */
  token_sha256: upperDigestSchema.nullable(),
  sent_at: isoTimeSchema,
});
export type InboxCommandFile = z.infer<typeof inboxCommandSchema>;

export const inboxAnswerSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  id: uuidSchema,
  accepted: z.boolean(),
  code: z.string(),
  reason: z.string(),
  next: z.array(z.string()),
  answered_at: isoTimeSchema,
});
export type InboxAnswerFile = z.infer<typeof inboxAnswerSchema>;
