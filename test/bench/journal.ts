import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openJournalThread } from '../../src/adapters/journal/client';
import { openJournalStore } from '../../src/adapters/journal/open';
import type { Outcome } from '../../src/base/outcome';
import { interleaved, wallTime, type Line } from './measure';

const actor = { kind: 'runner', name: 'bench' } as const;
const event = {
  type: 'PhaseCompleted',
  task_id: 'T1',
  attempt: 1,
  phase: 5,
  outcome: 'next',
  note: 'What an event of a mission is like: some names, some numbers and a sentence or two in words. '.repeat(4),
};
const text = JSON.stringify(event);
const at = '2026-01-01T00:00:00.000Z';

/** Appends, each durable before the next, against inserts into a plain table under the same durability. */
export async function journalBench(scratch: string, appends = 200, rounds = 15): Promise<readonly Line[]> {
  const raw = rawInserts(path.join(scratch, 'raw.db'));
  const store = opened(openJournalStore(path.join(scratch, 'store.db'), 'write'));
  const storeFence = opened(store.raiseFence({ at, pid: process.pid, actor })).fence;
  const client = await durable(path.join(scratch, 'client.db'));
  let storeSeq = 0;
  const [plain = 0, inThread = 0, fromEngine = 0] = await interleaved(rounds, wallTime, [
    () => {
      for (let index = 0; index < appends; index++) raw.insert();
    },
    () => {
      for (let index = 0; index < appends; index++) {
        const entries = [{ run_id: 'run', at, actor, event: text }];
        const [receipt] = store.append([{ stream: 'M', expectedSeq: storeSeq, fence: storeFence, entries }]);
        if (receipt?.ok !== true) throw new Error(receipt?.reason);
        storeSeq += 1;
      }
    },
    async () => {
      for (let index = 0; index < appends; index++) await client.append();
    },
  ]);
  raw.close();
  store.close();
  await client.close();
  const rate = (milliseconds: number): number => (appends / milliseconds) * 1000;
  const against = 'node:sqlite inserts of the same text';
  const common = { unit: 'appends/s', against, limit: rate(plain) } as const;
  return [
    {
      ...common,
      name: 'journal, inside its thread',
      ours: rate(inThread),
      aim: { of: 'ratio', is: 'at_least', value: 0.8 },
    },
    {
      ...common,
      name: 'journal, from the engine',
      ours: rate(fromEngine),
      aim: { of: 'ratio', is: 'at_least', value: 0.6 },
    },
  ];
}

/** Appends from the engine, each awaited until it is durable. */
export async function durable(file: string) {
  const script = path.resolve('dist/journalThread.js');
  const client = opened(await openJournalThread<typeof event>({ script, file, access: 'write' }));
  const { fence } = opened(await client.raiseFence(actor));
  let seq = 0;
  return {
    append: async (): Promise<void> => {
      const receipt = await client.append('M', seq, fence, [{ run_id: 'run', at, actor, event }]);
      if (!receipt.ok) throw new Error(receipt.reason);
      seq += 1;
    },
    close: () => client.close(),
  };
}

/** The least that keeps the same bytes as durably: one table, one statement, no chain, no checks. */
function rawInserts(file: string): { insert(): void; close(): void } {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1');
  db.exec('CREATE TABLE raw (id INTEGER PRIMARY KEY, at TEXT NOT NULL, event TEXT NOT NULL) STRICT');
  const statement = db.prepare('INSERT INTO raw (at, event) VALUES (?, ?)');
  return { insert: () => void statement.run(at, text), close: () => db.close() };
}

function opened<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal.reason);
  return outcome.value;
}
