import * as z from 'zod';
import { type ReadDocument, decisionSchema, digestSchema, isoTimeSchema } from './header';

const text = z.string();

/** `verify`: it changed while a verify command of the task ran, after the worker had been judged. */
const attributions = ['worker', 'external_change', 'unattributed', 'verify'] as const;
const changeKinds = ['added', 'modified', 'deleted', 'type_changed', 'mode_changed', 'index_flag', 'git'] as const;

/** What lay at a path before and after a change, beside the digests. `detail` says it for people; nothing reads that. */
const sides = {
  /** The mode of the file before; absent: as `after_mode`, unknown, or no file. */
  before_mode: text.optional(),
  /** The text of the link before; absent: no link. */
  before_link: text.optional(),
  /** What git said of its fact or flag before; absent: nothing. */
  before_says: text.optional(),
  /** The mode of the file that was left: four digits are the whole, three what git stores of it; absent: no file. */
  after_mode: text.optional(),
  /** The text of the link that was left; absent: no link. */
  after_link: text.optional(),
  /** What git says of its fact or flag since; absent: nothing. */
  after_says: text.optional(),
};

/** What lies at a path. Without digest, link and mark: nothing. */
export const stateShape = {
  sha256: digestSchema.nullable(),
  /** Mode of the file, as git would store it; absent: unknown, or no file. */
  mode: text.optional(),
  link: text.optional(),
  /** Nothing says what the file held; absent: `sha256` or `link` says it, or it was removed. */
  unread: z.literal(true).optional(),
};

export const changeEvidenceSchema = z.looseObject({
  path: text,
  kind: z.enum(changeKinds),
  before_sha256: digestSchema.nullable(),
  after_sha256: digestSchema.nullable(),
  ...sides,
  resolved_path: text.nullable(),
  /**
   * `worker`: it changed while the worker ran, as others may change it too; `claim` holds what the result announces.
   * `external_change`: others made it, or, without `by_others`, it may only be named like an editor's own file.
   */
  attribution: z.enum(attributions),
  in_scope: z.boolean(),
  violation: text.nullable(),
  detail: text.nullable(),
  /** In a scratch path of the plan: recorded, and neither work nor a violation. Absent: it is not. */
  scratch: z.literal(true).optional(),
  /** The sandbox kept every process of the task from there, so others made the change. Absent: it did not. */
  by_others: z.literal(true).optional(),
  /** Why a change of others blocked; absent: it did not. */
  relied_on: text.optional(),
  /** Why it is out of scope, where it blocked: its origin is unknown, or it waited in a layer. Absent: no doubt. */
  doubt: text.optional(),
});

/** What a verify command changed since the worker was judged. */
export const verifyChangeSchema = z.looseObject({
  path: text,
  kind: z.enum(changeKinds),
  /** SHA-256 of the content that the worker left; null: no regular file. */
  left_sha256: digestSchema.nullable(),
  after_sha256: digestSchema.nullable(),
  attribution: z.enum(attributions).exclude(['worker']),
  in_scope: z.boolean(),
  /** Why the change blocked; null: it did not. */
  blocks: text.nullable(),
  /** The sandbox kept the verify commands from there, so others made it. Absent: it did not. */
  by_others: z.literal(true).optional(),
});

/** A change that blocked an attempt, compared with its first baseline; one of a check with what the worker left. */
export const outstandingEvidenceSchema = z.looseObject({
  path: text,
  kind: z.enum([...changeKinds, 'unread']),
  before_sha256: digestSchema.nullable(),
  found_sha256: digestSchema.nullable(),
  ...sides,
  resolved_path: text.nullable(),
  detail: text.nullable(),
  why: text,
  /** The person who accepted other bytes there before. Absent: no person did. */
  accepted_before_by: text.optional(),
  category: z.enum(['verify_changed_files', 'external_change']),
  attempt: z.number().int().positive(),
  /** A layer holds it alone, and a new attempt begins without it. Absent: it was in the workspace. */
  layered: z.literal(true).optional(),
  /** Null while it blocks; `gone`: the attempt found it as it was before; `undone`: a person undid the attempt. */
  settled: z
    .discriminatedUnion('how', [
      z.looseObject({ how: z.literal('gone'), attempt: z.number().int().positive(), at: isoTimeSchema }),
      z.looseObject({ how: z.literal('accepted'), decision: decisionSchema }),
      z.looseObject({ how: z.literal('undone'), decision: decisionSchema }),
    ])
    .nullable(),
});

export type ChangeEvidence = ReadDocument<z.infer<typeof changeEvidenceSchema>>;
export type VerifyChangeEvidence = ReadDocument<z.infer<typeof verifyChangeSchema>>;
export type Outstanding = ReadDocument<z.infer<typeof outstandingEvidenceSchema>>;
