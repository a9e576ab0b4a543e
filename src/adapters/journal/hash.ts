import { createHmac, hash } from 'node:crypto';
import type { JournalEntry } from '../../core/model/journalEntry';
import type { ActorKind } from '../../contracts/vocabulary/actors';

/** `prev_hash` of the first entry of every stream. */
export const firstPrevHash = '0'.repeat(64);

/** One entry as stored; `event` is JSON text. */
export interface StoredEntry extends Omit<JournalEntry<string>, 'actor'> {
  readonly actor_kind: ActorKind;
  readonly actor_name: string;
}

/**
 * The hash of an entry: SHA-256, upper-case hex, of the UTF-8 bytes of this JSON text, without spaces and
 * with the members in this order:
 *
 *     {"stream":s,"seq":n,"run_id":s,"at":s,"actor":{"kind":s,"name":s},"fence":n,"event":...,"prev_hash":s}
 *
 * An export has one line per entry: the same text with `,"hash":"<hash>"` before the last brace. To check it
 * without us, take `,"hash":"..."` out of a line, digest the rest, compare; `prev_hash` is the `hash` of the
 * line before (64 zeros on the first), `seq` counts from 1:
 *
 *     sed -E 's/,"hash":"[0-9A-F]{64}"\}$/}/' | head -c -1 | sha256sum        (for one line)
 *
 * The last hash is the one the evidence of a mission names: it seals everything before it.
 */
export function entryHash(entry: Omit<StoredEntry, 'hash'>): string {
  return hash('sha256', `${hashedPart(entry)}}`, 'hex').toUpperCase();
}

/**
 * The seal of an entry: with the chain it covers all entries up to this one. No export has it, so that it never leaves
 * the machine with a handoff. Empty without a key of this user.
 *
 * @param key of this user, for journals
 */
export function entrySeal(key: string | null, entryHash: string): string {
  return key === null ? '' : createHmac('sha256', key).update(entryHash).digest('hex').toUpperCase();
}

/** The line of an export, without line end. */
export function exportLine(entry: StoredEntry): string {
  return `${hashedPart(entry)},"hash":${JSON.stringify(entry.hash)}}`;
}

/** `first_bad` is the sequence number of the first break of the chain. */
export interface ChainReport {
  readonly valid: boolean;
  readonly events: number;
  readonly first_bad: number | null;
}

/**
 * Checks one stream's chain; null: an unreadable entry. Only the last hash, which the evidence names, shows a cut tail.
 */
export function verifyChain(entries: Iterable<StoredEntry | null>): ChainReport {
  let events = 0;
  let firstBad: number | null = null;
  let previous: StoredEntry | null = null;
  for (const entry of entries) {
    events += 1;
    if (firstBad !== null) continue;
    if (entry === null || entryFault(entry, previous) !== null) firstBad = (previous?.seq ?? 0) + 1;
    previous = entry;
  }
  return { valid: firstBad === null, events, first_bad: firstBad };
}

function entryFault(entry: StoredEntry, previous: StoredEntry | null): string | null {
  return chainFault(entry, previous) ?? hashFault(entry) ?? (isOurJson(entry.event) ? null : 'event');
}

/** Says why an entry does not follow `previous` (null for the first); null: it follows. */
export function chainFault(
  entry: StoredEntry,
  previous: Pick<StoredEntry, 'stream' | 'seq' | 'hash' | 'fence'> | null,
): string | null {
  if (entry.stream !== (previous?.stream ?? entry.stream)) return 'another stream';
  if (entry.seq !== (previous?.seq ?? 0) + 1) return 'sequence number';
  if (entry.prev_hash !== (previous?.hash ?? firstPrevHash)) return 'hash of the previous entry';
  return entry.fence < (previous?.fence ?? 1) ? 'fencing number' : null;
}

export function hashFault(entry: StoredEntry): string | null {
  return entry.hash === entryHash(entry) ? null : 'hash';
}

function hashedPart(entry: Omit<StoredEntry, 'hash'>): string {
  const { stream, seq, run_id, at, actor_kind, actor_name, fence, event, prev_hash } = entry;
  const text = JSON.stringify;
  return `{"stream":${text(stream)},"seq":${text(seq)},"run_id":${text(run_id)},"at":${text(at)},"actor":{"kind":${text(actor_kind)},"name":${text(actor_name)}},"fence":${text(fence)},"event":${event},"prev_hash":${text(prev_hash)}`;
}

/** Refuses duplicate members and the like, because two readers could see different events. */
function isOurJson(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false; // not JSON, or nested too deeply
  }
}
