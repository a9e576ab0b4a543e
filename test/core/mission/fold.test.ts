import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { MissionEvent } from '../../../src/core/mission/events';
import { evolve, fold } from '../../../src/core/mission/evolve';
import type { JournalEntry } from '../../../src/core/mission/journalEntry';
import type { Mission } from '../../../src/core/mission/state';

const folder = path.join(process.cwd(), 'test/journals/0.1.0');

describe('folding a journal', () => {
  for (const file of readdirSync(folder).sort()) {
    const entries = readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JournalEntry<MissionEvent>);

    it(`${file}: in one go or in pieces, it gives what one entry after the other gives, and changes no state it was given`, () => {
      let single: Mission | null = null;
      const states: unknown[] = [];
      for (const entry of entries) states.push(structuredClone((single = evolve(single, entry))));
      assert.deepEqual(fold(entries), single);
      for (let at = 1; at < entries.length; at++) {
        const before = fold(entries.slice(0, at));
        assert.deepEqual(before, states[at - 1]);
        assert.deepEqual(fold(entries.slice(at), frozen(before)), single);
      }
    });
  }
});

/** Whoever changes it in place fails at once. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
