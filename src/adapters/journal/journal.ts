import type { Actor } from '../../contracts/vocabulary/actors';
import type { Journal, JournalFeed, PageOptions } from '../../engine/ports/journal';
import type { FoldedEntry, JournalEntry, NewEntry } from '../../core/model/journalEntry';
import { firstPrevHash, type ChainReport } from './hash';
import { pageRows, type EntryRow, type FoldedPage, type Ownership } from './store';
import type { JournalCall, JournalCalls, JournalReply } from './service';
import type { AppendReceipt, AppendRequest } from './append';
import { errorWords, refused, type Outcome, type Refusal } from '../../base/outcome';

/** The engine's journal, with further calls for programs. Every implementation passes one test suite. */
export interface StateJournal<E> extends Journal<E>, JournalFeed<E> {
  /** For the holder of the lease only: takes the next fencing number; owners with earlier ones can append no more. */
  raiseFence(owner: Actor): Promise<Outcome<Ownership>>;
  /** The last owner, for messages; only the lease knows whether it still owns. */
  owner(): Promise<Ownership | null>;
  verifyStream(stream: string): Promise<ChainReport>;
  /** JSON lines, without line ends, that `verifyExport` and any outsider can check. */
  exportStream(stream: string): Promise<readonly string[]>;
}

/**
 * The journal without streams that this user's key did not seal. Such a mission came with a repository, or was changed.
 * So nothing of it runs, holds others or counts as done.
 */
export function ofThisUser<J extends Pick<Journal<never>, 'streams'>>(journal: J): J {
  return { ...journal, streams: async () => (await journal.streams()).filter(({ sealed }) => sealed) };
}

/** The error of reading calls when the store cannot be read; `append` returns WRITE_FAILED instead. */
export class StateStoreError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.reason);
    this.name = 'StateStoreError';
  }
}

/** Carries calls to the store. `call` never rejects. */
export interface JournalTransport {
  call(call: JournalCall): Promise<JournalReply>;
  close(): Promise<void>;
}

export function createStateJournal<E>(transport: JournalTransport, processId: number): StateJournal<E> {
  const ask = async <K extends keyof JournalCalls>(
    name: K,
    ...args: Parameters<JournalCalls[K]>
  ): Promise<ReturnType<JournalCalls[K]>> => {
    const reply = await transport.call([name, ...args] as unknown as JournalCall);
    if (!reply.ok) throw new StateStoreError(reply.refusal);
    return reply.value as ReturnType<JournalCalls[K]>;
  };
  /** Fetches the next page while the current one is used, and lets other work on this thread run in between. */
  async function* following<Page>(
    first: Promise<Page>,
    after: (page: Page) => Promise<Page> | null,
  ): AsyncGenerator<Page> {
    for (let next: Promise<Page> | null = first; next;) {
      const page: Page = await next;
      next = after(page);
      // Handles the rejection here, because a reader that stops early never awaits this page.
      next?.catch(() => undefined);
      yield page;
      if (next) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  async function* pages(
    stream: string,
    { afterSeq = 0, verified = false }: PageOptions = {},
  ): AsyncGenerator<readonly FoldedEntry<E>[]> {
    const page = (seq: number, hash: string): Promise<FoldedPage> =>
      ask('foldedPage', stream, seq, verified ? { seq, hash } : null);
    const after = ({ rows, hash }: FoldedPage): Promise<FoldedPage> | null =>
      rows.length < pageRows ? null : page(rows.at(-1)?.[0] ?? 0, hash);
    for await (const { rows, run_id, hash } of following(page(afterSeq, firstPrevHash), after))
      yield rows.map(([seq, at, text], index) => {
        const event = parseEvent(stream, seq, text) as E;
        return index === rows.length - 1 ? { seq, run_id, at, event, hash } : { seq, run_id, at, event };
      });
  }
  return {
    async append(stream, expectedSeq, fence, entries) {
      const written = toText(entries);
      if (typeof written === 'string') return { ok: false, code: 'WRITE_FAILED', reason: written };
      const reply = await transport.call(['append', { stream, expectedSeq, fence, entries: written }]);
      if (!reply.ok) return { ok: false, code: 'WRITE_FAILED', reason: reply.refusal.reason };
      const receipt = reply.value as AppendReceipt;
      if (!receipt.ok) return receipt;
      return {
        ok: true,
        entries: entries.map((entry, index) => {
          const added = receipt.receipts[index] as (typeof receipt.receipts)[number];
          const { run_id, at, actor, event } = entry;
          // The event that a later reader will fold.
          const stored = isPlainJson(event) ? event : (JSON.parse((written[index] as { event: string }).event) as E);
          return {
            stream,
            seq: added.seq,
            run_id,
            at,
            actor,
            fence,
            event: stored,
            prev_hash: added.prev_hash,
            hash: added.hash,
          };
        }),
      };
    },
    async read(stream, afterSeq = 0, most = Number.POSITIVE_INFINITY) {
      const page = (seq: number): Promise<readonly EntryRow[]> => ask('page', stream, seq);
      const entries: JournalEntry<E>[] = [];
      const after = (rows: readonly EntryRow[]): ReturnType<typeof page> | null =>
        rows.length < pageRows || entries.length + rows.length >= most ? null : page(rows.at(-1)?.[0] ?? 0);
      for await (const rows of following(page(afterSeq), after))
        for (const row of rows.slice(0, most - entries.length))
          entries.push(parseEntry<E>(stream, row, entries.at(-1)));
      return entries;
    },
    pages,
    async prove(stream, place) {
      const reply = await transport.call(['prove', stream, place]);
      return reply.ok ? (reply.value as string | null) : reply.refusal.reason;
    },
    streams: () => ask('streams'),
    async after(place, most) {
      const rows = await ask('after', place, most);
      return rows.map(([id, stream, ...row]) => ({
        place: id,
        stream,
        seq: row[0],
        at: row[2],
        entry: readable<E>(stream, row),
      }));
    },
    placeOf: (stream, seq) => ask('placeOf', stream, seq),
    verifyStream: (stream) => ask('verify', stream),
    exportStream: (stream) => ask('exportLines', stream),
    owner: () => ask('owner'),
    raiseFence: async (actor) =>
      (await transport.call([
        'raiseFence',
        { at: new Date().toISOString(), pid: processId, actor },
      ])) as Outcome<Ownership>,
    close: () => transport.close(),
  };
}

type WrittenEntries = AppendRequest['entries'];

/** The entries with their events as text; a text: the reason why that is impossible. */
function toText(entries: readonly NewEntry<unknown>[]): WrittenEntries | string {
  try {
    return entries.map(({ run_id, at, actor, event }) => {
      const text = JSON.stringify(event) as string | undefined;
      if (text === undefined) throw new TypeError('there is no event');
      return { run_id, at, actor: { kind: actor.kind, name: actor.name }, event: text };
    });
  } catch (error) {
    return `An event cannot be written as JSON: ${errorWords(error)}.`;
  }
}

/** Returns whether the value survives JSON unchanged: no undefined, NaN, dates ... */
function isPlainJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isPlainJson);
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return false;
  return Object.values(value).every(isPlainJson);
}

/** Shares values that successive entries repeat, because they take less memory then. */
function parseEntry<E>(stream: string, row: EntryRow, before: JournalEntry<E> | undefined): JournalEntry<E> {
  const [seq, run, at, kind, name, fence, prev_hash, hash, text] = row;
  const actor = before?.actor.kind === kind && before.actor.name === name ? before.actor : { kind, name };
  const run_id = before?.run_id === run ? before.run_id : run;
  const event = parseEvent(stream, seq, text) as E;
  return { stream, seq, run_id, at, actor, fence, event, prev_hash, hash };
}

/** Null: its event is not JSON. */
function readable<E>(stream: string, row: EntryRow): JournalEntry<E> | null {
  try {
    return parseEntry<E>(stream, row, undefined);
  } catch {
    return null;
  }
}

function parseEvent(stream: string, seq: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StateStoreError(
      refused(
        'STATE_STORE_CORRUPT',
        `Entry ${String(seq)} of ${stream} is not JSON.`,
        `Run \`mission journal verify ${stream}\`.`,
      ).refusal,
    );
  }
}
