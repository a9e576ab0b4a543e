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

const eventsQuerySchema = z.strictObject({
  mission: z.exactOptional(id),
  /** Where a client begins that names no event. */
  from: z.exactOptional(z.enum(['now', 'start'])),
});
const panelQuerySchema = z.strictObject({ entry: z.exactOptional(entry) });

/** Parameters of a stream of events; null: they cannot be followed. */
export function eventsQueryOf(query: unknown): z.infer<typeof eventsQuerySchema> | null {
  const read = eventsQuerySchema.safeParse(query);
  return read.success ? read.data : null;
}

export function panelQueryOf(query: unknown): z.infer<typeof panelQuerySchema> | null {
  const read = panelQuerySchema.safeParse(query);
  return read.success ? read.data : null;
}

/**
 * Reads the message that the page in a browser sends by `GET /range` or `GET /text`; null: it is not such a message.
 */
export function pageQueryOf(query: Readonly<Record<string, string>>): PageMessage | null {
  const { said = '' } = query;
  if (Object.keys(query).length !== 1 || said.length > longestMessage) return null;
  try {
    return pageMessageOf(JSON.parse(said));
  } catch {
    return null;
  }
}

/** A message is an entry, and a few short values beside it. */
const longestMessage = longestEntry + 2000;
