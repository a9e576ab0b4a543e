import * as z from 'zod/mini';
import { askedCommands, copiedThings, eventsAtOnce, walkthroughSteps, type PageMessage } from './panelMessages';

/** An entry has the folder's URI in it: a path of 4096 bytes, of which each may need three characters. */
export const longestEntry = 16_384;

const id = z.string().check(z.minLength(1), z.maxLength(300));
const entry = z.string().check(z.minLength(1), z.maxLength(longestEntry));
const count = (most: number) => z.int().check(z.minimum(0), z.maximum(most));

const target = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('plan'), task_id: z.exactOptional(id) }),
  z.strictObject({ kind: z.literal('evidence'), task_id: z.exactOptional(id) }),
  z.strictObject({ kind: z.literal('packet'), packet_id: id }),
  z.strictObject({ kind: z.literal('output'), packet_id: id }),
  z.strictObject({ kind: z.literal('diff'), task_id: z.exactOptional(id) }),
  z.strictObject({ kind: z.literal('terminal'), task_id: id }),
  z.strictObject({ kind: z.literal('file'), task_id: id, index: count(100_000) }),
]);

const pageMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready'), entry: z.exactOptional(entry) }),
  z.strictObject({ type: z.literal('select'), entry }),
  z.strictObject({ type: z.literal('open'), entry, target }),
  z.strictObject({ type: z.literal('range'), entry, from: count(1e9), count: count(eventsAtOnce) }),
  z.strictObject({ type: z.literal('copy'), entry, what: z.enum(copiedThings) }),
  z.strictObject({
    ...{ type: z.literal('ask'), entry, command: z.enum(askedCommands) },
    ...{ task_id: z.exactOptional(id), choice: z.exactOptional(id) },
  }),
  z.strictObject({ type: z.literal('walkthrough'), step: z.enum(walkthroughSteps) }),
]);

/** Reads what the page said; null: it is not a message of the page, and the host ignores it. */
export function pageMessageOf(message: unknown): PageMessage | null {
  const read = pageMessageSchema.safeParse(message);
  return read.success ? read.data : null;
}
