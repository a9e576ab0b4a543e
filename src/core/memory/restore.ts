import type { MemoryRecord, ProposedMemory } from '../../contracts/memory';
import { memoryDomains, memoryLimits } from '../../contracts/vocabulary/memory';
import { currentOf, memoryName, type Remembered } from './rememberedValue';

export interface RestoredEntry extends Remembered {
  readonly confirmed_by: string;
  readonly confirmed_at: string;
}

export type Restored =
  | { readonly ok: true; readonly entries: readonly RestoredEntry[] }
  | { readonly ok: false; readonly entries: number; readonly characters: number };

/** The newest version of each decision in the contract's order, whole or not at all. Source: seed 004. */
export function restoredFrom(records: readonly MemoryRecord[]): Restored {
  const current = currentOf(records);
  const entries = memoryDomains.flatMap((domain) =>
    current
      .filter((record) => record.domain === domain)
      .map(({ key, version, decision, rationale, confirmed_by, confirmed_at }) => ({
        ...{ domain, key, version, decision, rationale, confirmed_by, confirmed_at },
      })),
  );
  const characters = JSON.stringify(entries).length;
  return isTooMuch(entries.length, characters)
    ? { ok: false, entries: entries.length, characters }
    : { ok: true, entries };
}

/** Says why memory and these entries exceed the limit of a task, with room for names; null: they fit. */
export function tooMuch(added: readonly ProposedMemory[], remembered: readonly Remembered[]): string | null {
  const names = added.map(memoryName);
  const all = [...remembered.filter((one) => !names.includes(memoryName(one))), ...added];
  const characters = all.reduce(
    (sum, { domain, key, decision, rationale }) =>
      sum + JSON.stringify({ domain, key, decision, rationale }).length + 250,
    0,
  );
  return isTooMuch(all.length, characters)
    ? `The memory would hold ${all.length} entries with ${characters} characters, and a task is given at most ${memoryLimits.restored_entries} with ${memoryLimits.restored_characters}.`
    : null;
}

function isTooMuch(entries: number, characters: number): boolean {
  return entries > memoryLimits.restored_entries || characters > memoryLimits.restored_characters;
}
