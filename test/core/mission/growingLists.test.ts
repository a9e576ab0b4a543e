import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readExport } from '../../../src/adapters/journal/export';
import { evolve, fold } from '../../../src/core/mission/evolve';
import { drafting } from '../../../src/core/model/draft';
import type { MissionEvent } from '../../../src/core/model/events';
import type { JournalEntry } from '../../../src/core/model/journalEntry';
import type { Mission } from '../../../src/core/model/state';

/** A hostile journal of 64 MB holds one event 100,000 times, and a copy of its list each time takes minutes. */
describe('a fold of many entries', () => {
  const folder = path.resolve('test/journals');
  const journals = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));

  it('lets the lists of a mission grow where they are, whatever event comes again', () => {
    const [grown, copied] = [new Set<string>(), new Set<string>()];
    for (const journal of journals) {
      const read = readExport(readFileSync(path.join(folder, journal), 'utf8'));
      const entries = read.entries as readonly JournalEntry<MissionEvent>[];
      const whole = fold(entries) ?? assert.fail(journal);
      for (const entry of entries)
        drafting(() => {
          try {
            // The first time copies the list of a mission that no draft made.
            const before = evolve(evolve(whole, entry), entry);
            const lengths = new Map(Object.entries(before).map(([name, value]) => [name, lengthOf(value)]));
            const after = evolve(before, entry);
            for (const [name, value] of Object.entries(after)) {
              if (lengthOf(value) <= (lengths.get(name) ?? 0)) continue;
              grown.add(name);
              if (value !== before[name as keyof Mission]) copied.add(`${name} by ${entry.event.type}`);
            }
          } catch (error) {
            // Most events cannot come twice.
            if (!(error instanceof Error && error.message.startsWith('Broken invariant'))) throw error;
          }
        });
    }
    assert.deepEqual([...copied], []);
    assert.ok(grown.has('packets') && grown.has('handoffs'), [...grown].join());
  });
});

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
