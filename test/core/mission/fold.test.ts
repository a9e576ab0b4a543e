import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { EventOf, MissionEvent } from '../../../src/core/model/events';
import { startedAttempt, withResultOf } from '../../../src/core/lifecycle/startedAttempt';
import { appended, changed, drafting, exchanged } from '../../../src/core/model/draft';
import { entryOf, evolve, fold } from '../../../src/core/mission/evolve';
import type { JournalEntry } from '../../../src/core/model/journalEntry';
import type { Attempt } from '../../../src/core/model/attempt';
import type { Mission } from '../../../src/core/model/state';

const folder = path.join(process.cwd(), 'test/journals/0.1.0');

describe('folding a journal', () => {
  for (const file of readdirSync(folder).sort()) {
    const entries = readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JournalEntry<MissionEvent>);

    it(`${file}: gives the same state in one go or in pieces, and changes no state it was given`, () => {
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

/** Code that changes it in place fails at once. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

describe('a fold', () => {
  it('copies what it was given only once, and code outside of a fold changes nothing in place', () => {
    const given = frozen<{ readonly rows: readonly { n: number }[]; name: string }>({ rows: [{ n: 0 }], name: 'a' });
    const folded = drafting(() => {
      const first = changed(given, { rows: exchanged(given.rows, 0, { n: 1 }) });
      const second = changed(first, { rows: appended(first.rows, { n: 2 }) });
      assert.equal(second, first);
      assert.equal(changed(second, { name: 'b' }), first);
      return second;
    });
    assert.deepEqual(
      [given, folded],
      [
        { rows: [{ n: 0 }], name: 'a' },
        { rows: [{ n: 1 }, { n: 2 }], name: 'b' },
      ],
    );
    assert.notEqual(changed(folded, { name: 'c' }), folded);
    assert.notEqual(
      drafting(() => changed(folded, { name: 'c' })),
      folded,
    );
  });

  it('leaves an ended attempt its own list of saves when its result is judged once more', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const begun: EventOf<'AttemptStarted'> = {
      ...{ type: 'AttemptStarted', task_id: 'T1', attempt: 1, telemetry_mode: 'ENFORCED', decided_by: null },
    };
    const launch = { type: 'LaunchRequested', launch_id: 'l', session_id: 's', nonce: 'n', run_dir: '1-T1' } as const;
    const save = { type: 'ExternalSaveRecorded', save: { path: 'a', at, sha256: null } } as unknown as MissionEvent;
    const take = (attempt: Attempt, event: MissionEvent): Attempt => {
      const mission = { lanes: [attempt], sessions: [], launches: 1 } as unknown as Mission;
      const [taken] = entryOf(event).fold(mission, event, { event, at, seq: 1, run_id: 'r' }).lanes;
      return taken ?? assert.fail();
    };
    const saves = drafting(() => {
      const asked = { ...launch, task_id: 'T1', attempt: 1, purpose: { kind: 'worker' } } as unknown as MissionEvent;
      const worked = take(take(startedAttempt(begun, '1-T1', { at, seq: 1 }), asked), save);
      const ended = { ...worked, ended_at: at, outcome: 'FAIL', failure: null } as const;
      const again = take(withResultOf(ended as never, startedAttempt(begun, '2-T1', { at, seq: 3 })), save);
      return [ended.external_saves.length, again.external_saves.length];
    });
    assert.deepEqual(saves, [1, 2]);
  });
});
