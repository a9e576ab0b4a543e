import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pendingEffects } from '../../../src/core/mission/effects';
import type { MissionEvent } from '../../../src/core/model/events';
import { evolve, fold } from '../../../src/core/mission/evolve';
import type { JournalEntry } from '../../../src/core/model/journalEntry';
import type { Mission } from '../../../src/core/model/state';
import { judgeLedger } from '../../../src/core/mission/evidence/ledgerDocument';
import { missionStatus } from '../../../src/core/mission/status';

const folder = path.join(process.cwd(), 'test/journals');

/** What became of each recorded mission, as the program said that ran it. */
const outcomes: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  '0.1.0': {
    again: ['completed', 'REPORTED', { T1: 'done' }, [2]],
    blocked: ['blocked', 'EXECUTING', { T1: 'blocked', T2: 'todo' }, [1, 0]],
    cancelled: ['cancelled', 'REPORTED', { T1: 'canceled', T2: 'canceled' }, [1, 0]],
    done: ['completed', 'REPORTED', { T1: 'done', T2: 'done' }, [1, 1]],
    scope: ['failed', 'REPORTED', { T1: 'failed', T2: 'canceled' }, [1, 0]],
  },
};

describe('recorded journals', () => {
  for (const version of readdirSync(folder).sort()) {
    it(`${version}: every mission is read as what it was, from any of its events on`, () => {
      const found: Record<string, readonly unknown[]> = {};
      for (const file of readdirSync(path.join(folder, version)).sort()) {
        const entries = readFileSync(path.join(folder, version, file), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as JournalEntry<MissionEvent>);
        // An owner may have died after every append: what it left is a state that says what is to be done next.
        let left: Mission | null = null;
        for (const entry of entries) pendingEffects((left = evolve(left, entry)));
        const mission = fold(entries);
        assert.ok(mission);
        assert.equal(judgeLedger(mission).code, 'OK', file);
        assert.deepEqual(pendingEffects(mission), [], `${file}: nothing was left to do`);
        found[path.basename(file, '.jsonl')] = [
          missionStatus(mission),
          mission.execution,
          Object.fromEntries(mission.rows.map((row) => [row.task.task_id, row.status])),
          mission.rows.map((row) => row.attempts.length),
        ];
      }
      assert.deepEqual(found, outcomes[version]);
    });
  }
});
