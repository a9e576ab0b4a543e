import * as z from 'zod/mini';
import { askedCommands, copiedThings, eventsAtOnce, walkthroughSteps } from './panelMessages';

/** An entry has the folder's URI in it: a path of 4096 bytes, of which each may need three characters. */
export const longestEntry = 16_384;

const id = z.string().check(z.minLength(1), z.maxLength(300));
const entry = z.string().check(z.minLength(1), z.maxLength(longestEntry));
const count = (most: number) => z.int().check(z.minimum(0), z.maximum(most));

/** What a person may look at; each is looked up in the last snapshot. */
const target = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('plan'), task_id: z.exactOptional(id) }),
  z.strictObject({ kind: z.literal('evidence'), task_id: z.exactOptional(id) }),
  z.strictObject({ kind: z.literal('packet'), packet_id: id }),
  /** The whole output of the launch that a packet is about. */
  z.strictObject({ kind: z.literal('output'), packet_id: id }),
  /** What the mission, or one task, changed. */
  z.strictObject({ kind: z.literal('diff'), task_id: z.exactOptional(id) }),
  z.strictObject({ kind: z.literal('terminal'), task_id: id }),
  /** One of the files that its last attempt changed, by its place in `changed`. */
  z.strictObject({ kind: z.literal('file'), task_id: id, index: count(100_000) }),
]);
export type OpenTarget = z.infer<typeof target>;

/** Page to host. Nothing here changes a mission; ids of the last snapshot name everything, never a path or command. */
const pageMessageSchema = z.discriminatedUnion('type', [
  /** The page was loaded; `entry`: what it showed before, if it was loaded again. */
  z.strictObject({ type: z.literal('ready'), entry: z.exactOptional(entry) }),
  z.strictObject({ type: z.literal('select'), entry }),
  z.strictObject({ type: z.literal('open'), entry, target }),
  z.strictObject({ type: z.literal('range'), entry, from: count(1e9), count: count(eventsAtOnce) }),
  z.strictObject({ type: z.literal('copy'), entry, what: z.enum(copiedThings) }),
  /** Opens a command of the palette on what is shown; the person decides in VS Code's own dialogs, and there alone. */
  z.strictObject({
    ...{ type: z.literal('ask'), entry, command: z.enum(askedCommands) },
    /** `choice`: the id of the choice that the dialog offers first. */
    ...{ task_id: z.exactOptional(id), choice: z.exactOptional(id) },
  }),
  z.strictObject({ type: z.literal('walkthrough'), step: z.enum(walkthroughSteps) }),
]);
export type PageMessage = z.infer<typeof pageMessageSchema>;

/** Null: it is not a message of the page, and the host ignores it. */
export const pageMessageOf = readerOf(pageMessageSchema);

/** Null: the stream cannot be followed. */
export const eventsQueryOf = readerOf(
  z.strictObject({
    mission: z.exactOptional(id),
    /** Where a client begins that names no event. */
    from: z.exactOptional(z.enum(['now', 'start'])),
  }),
);
export const panelQueryOf = readerOf(z.strictObject({ entry: z.exactOptional(entry) }));

function readerOf<T extends z.ZodMiniType>(schema: T): (said: unknown) => z.infer<T> | null {
  return (said) => {
    const read = schema.safeParse(said);
    return read.success ? read.data : null;
  };
}

/** Reads what the page in a browser sends by `GET /range` or `GET /text`; null: it is not such a message. */
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
