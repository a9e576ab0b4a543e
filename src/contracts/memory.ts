import * as z from 'zod';
import { digestSchema, isoTimeSchema } from './record/header';
import { memoryDomains, memoryKeyPattern, memoryLimits } from './vocabulary/memory';

const text = z.string().min(1);
const version = z.number().int().positive();

const named = {
  domain: z.enum(memoryDomains),
  key: z.string().max(memoryLimits.key).regex(new RegExp(memoryKeyPattern)),
};

/** `x_memory` of a result packet: what a worker proposes to remember. core/memory/proposed judges it. */
export const proposedMemorySchema = z.strictObject({
  ...named,
  decision: text.max(memoryLimits.decision),
  rationale: text.max(memoryLimits.rationale),
  /** The version that it replaces on purpose. */
  supersedes: version.nullable().optional(),
});
export type ProposedMemory = Readonly<z.infer<typeof proposedMemorySchema>>;

/** A file of the memory: one decision that a person confirmed. */
export const memoryRecordSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  /** 1, 2, 3 ... over all domains; the name of the file. */
  number: version,
  ...named,
  /** 1, 2, 3 ... of this domain and key. */
  version,
  decision: text,
  rationale: text,
  /** The version before; null: the first. */
  supersedes: version.nullable(),
  plan_id: text,
  mission_id: text,
  task_id: text,
  attempt: version,
  /** Digest of the seal that phase 8 wrote before. */
  seal_sha256: digestSchema,
  confirmed_by: text,
  confirmed_at: isoTimeSchema,
  reason: text,
  /** Digest of the bytes of the record before; 64 zeros for the first. */
  previous_sha256: digestSchema,
});
export type MemoryRecord = Readonly<z.infer<typeof memoryRecordSchema>>;
