import type { MemoryRecord, ProposedMemory } from '../../contracts/memory';
import type { MemoryState } from '../../contracts/vocabulary/memory';

/** What is remembered now under the name of a proposed entry. */
export type Remembered = Pick<MemoryRecord, 'domain' | 'key' | 'version' | 'decision' | 'rationale'>;

/** How a proposed entry stands to what is remembered. */
export interface MemoryStanding {
  /** `<domain>/<key>`: how a person names it. */
  readonly name: string;
  readonly state: MemoryState;
  /** Null: nothing is remembered under this name. */
  readonly current: { readonly version: number; readonly decision: string } | null;
}

export function memoryName({ domain, key }: Pick<ProposedMemory, 'domain' | 'key'>): string {
  return `${domain}/${key}`;
}

/** The same decision and reason is known; another that does not name what it replaces conflicts. Source: seed 004. */
export function standingsOf(
  entries: readonly ProposedMemory[],
  remembered: readonly Remembered[],
): readonly MemoryStanding[] {
  return entries.map((entry) => {
    const name = memoryName(entry);
    const now = remembered.find((one) => memoryName(one) === name);
    const current = now ? { version: now.version, decision: now.decision } : null;
    const state: MemoryState =
      now?.decision === entry.decision
        ? now.rationale === entry.rationale
          ? 'known'
          : 'new'
        : (entry.supersedes ?? null) === (now?.version ?? null)
          ? 'new'
          : 'conflict';
    return { name, state, current };
  });
}

/** The newest version under each name, in the order of the records. */
export function currentOf(records: readonly MemoryRecord[]): readonly MemoryRecord[] {
  const newest = new Map(records.map((record) => [memoryName(record), record.number]));
  return records.filter((record) => newest.get(memoryName(record)) === record.number);
}
