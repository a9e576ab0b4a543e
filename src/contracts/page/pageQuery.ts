import * as z from 'zod/mini';
import { longestEntry, pageMessageOf } from './pageMessage';
import type { PageMessage } from './panelMessages';

const id = z.string().check(z.minLength(1), z.maxLength(300));

const eventsQuerySchema = z.strictObject({
  mission: z.exactOptional(id),
  /** Where a client begins that names no event. */
  from: z.exactOptional(z.enum(['now', 'start'])),
});
const entry = z.string().check(z.minLength(1), z.maxLength(longestEntry));
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
