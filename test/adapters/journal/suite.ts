import assert from 'node:assert/strict';
import type { NewEntry } from '../../../src/core/model/journalEntry';
import { verifyExport } from '../../../src/adapters/journal/export';
import type { StateJournal } from '../../../src/adapters/journal/journal';

export interface TestEvent {
  readonly type: string;
  readonly data?: unknown;
}
export const ann = { kind: 'human', name: 'Ann' } as const;

export function entry(type: string, data?: unknown): NewEntry<TestEvent> {
  const event = data === undefined ? { type } : { type, data };
  return { run_id: 'RUN_1', at: '2026-01-02T03:04:05.678Z', actor: ann, event };
}

/** What every journal must do; `open` gives an empty one. */
export function journalSuite(name: string, open: () => Promise<StateJournal<TestEvent>>): void {
  describe(`journal: ${name}`, () => {
    let journal: StateJournal<TestEvent>;
    let fence: number;
    beforeEach(async () => {
      journal = await open();
      const raised = await journal.raiseFence(ann);
      assert(raised.ok);
      fence = raised.value.fence;
    });
    afterEach(() => journal.close());

    it('gives back what was appended, in order, numbered from 1 and chained', async () => {
      const first = await journal.append('M1', 0, fence, [entry('a', { b: [1, 'ü', null] }), entry('b')]);
      const second = await journal.append('M1', 2, fence, [entry('c')]);
      assert(first.ok && second.ok);
      const all = await journal.read('M1');
      assert.deepEqual(all, [...first.entries, ...second.entries]);
      assert.deepEqual(
        all.map(({ seq, event }) => [seq, event.type]),
        [
          [1, 'a'],
          [2, 'b'],
          [3, 'c'],
        ],
      );
      assert.equal(all[0]?.prev_hash, '0'.repeat(64));
      assert.equal(all[1]?.prev_hash, all[0].hash);
      assert.match(all[2]?.hash ?? '', /^[0-9A-F]{64}$/);
      assert.deepEqual(await journal.read('M1', 2), all.slice(2));
      assert.deepEqual(await journal.read('unknown'), []);
      assert.deepEqual(await journal.verifyStream('M1'), { valid: true, events: 3, first_bad: null });
    });

    it('gives entries of all streams in the order in which they were appended, from any place', async () => {
      assert((await journal.append('M1', 0, fence, [entry('a'), entry('b')])).ok);
      assert((await journal.append('M2', 0, fence, [entry('c')])).ok);
      assert((await journal.append('M1', 2, fence, [entry('d')])).ok);
      const all = await journal.after(0, 100);
      assert.deepEqual(
        all.map(({ stream, seq, entry: stored }) => [stream, seq, stored?.event.type]),
        [
          ['M1', 1, 'a'],
          ['M1', 2, 'b'],
          ['M2', 1, 'c'],
          ['M1', 3, 'd'],
        ],
      );
      assert.deepEqual(all[3]?.entry, (await journal.read('M1', 2))[0]);
      const place = await journal.placeOf('M1', 2);
      assert.deepEqual(await journal.after(place ?? 0, 1), all.slice(2, 3));
      assert.deepEqual(await journal.after(all[3]?.place ?? 0, 100), []);
      assert.equal(await journal.placeOf('M1', 9), null);
      assert.equal(await journal.placeOf('M3', 1), null);
    });

    it('gives a long history page by page, and proves it up to a place', async () => {
      const many = Array.from({ length: 1203 }, (_, index) => entry('n', index));
      const appended = await journal.append('M1', 0, fence, many);
      assert(appended.ok);
      const folded = appended.entries.map(({ seq, run_id, at, event }) => ({ seq, run_id, at, event }));
      for (const verified of [true, false]) {
        const pages = await collected(journal.pages('M1', { verified }));
        assert(pages.length > 2);
        assert.deepEqual(
          pages.flat().map(({ hash: _hash, ...entry }) => entry),
          folded,
        );
        for (const last of pages.flatMap((page) => page.slice(-1)))
          assert.equal(last.hash, appended.entries[last.seq - 1]?.hash);
      }
      const [rest = []] = await collected(journal.pages('M1', { afterSeq: 1000 }));
      assert.deepEqual([rest[0]?.seq, rest.at(-1)?.hash], [1001, appended.entries.at(-1)?.hash]);
      assert.deepEqual(await journal.read('M1'), appended.entries);
      const { seq, hash } = appended.entries[1100] as (typeof appended.entries)[number];
      assert.equal(await journal.prove('M1', { seq, hash }), null);
      assert.notEqual(await journal.prove('M1', { seq: seq - 1, hash }), null);
      assert.notEqual(await journal.prove('M1', { seq: 1204, hash }), null);
      assert.notEqual(await journal.prove('unknown', { seq, hash }), null);
    });

    it('keeps streams apart and lists them', async () => {
      await journal.append('M1', 0, fence, [entry('a')]);
      await journal.append('approvals', 0, fence, [entry('x'), entry('y')]);
      const at = '2026-01-02T03:04:05.678Z';
      assert.deepEqual(
        (await journal.streams()).map((info) => ({ ...info })),
        [
          { stream: 'M1', last_seq: 1, first_at: at, last_at: at, sealed: true },
          { stream: 'approvals', last_seq: 2, first_at: at, last_at: at, sealed: true },
        ],
      );
    });

    it('refuses a stale sequence number and writes nothing', async () => {
      await journal.append('M1', 0, fence, [entry('a')]);
      for (const expected of [0, 2]) {
        const refused = await journal.append('M1', expected, fence, [entry('b'), entry('c')]);
        assert(!refused.ok);
        assert.equal(refused.code, 'STALE_SEQUENCE');
      }
      assert.equal((await journal.read('M1')).length, 1);
    });

    it('refuses every fencing number but the current one', async () => {
      assert((await journal.append('M1', 0, fence, [entry('a')])).ok);
      const next = await journal.raiseFence({ kind: 'runner', name: 'other' });
      assert(next.ok);
      assert.equal(next.value.fence, fence + 1);
      for (const wrong of [fence, fence + 2, 0]) {
        const refused = await journal.append('M1', 1, wrong, [entry('b')]);
        assert(!refused.ok);
        assert.equal(refused.code, 'FENCED');
      }
      assert((await journal.append('M1', 1, fence + 1, [entry('b')])).ok);
      assert.deepEqual((await journal.owner())?.actor, { kind: 'runner', name: 'other' });
    });

    it('carries out many appends at once in the order they were made', async () => {
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, index) => journal.append('M1', index, fence, [entry(`e${String(index)}`)])),
      );
      assert(results.every(({ ok }) => ok));
      const all = await journal.read('M1');
      assert.deepEqual(
        all.map(({ event }) => event.type),
        Array.from({ length: 200 }, (_, index) => `e${String(index)}`),
      );
      assert.equal((await journal.verifyStream('M1')).valid, true);
    });

    it('refuses one append of a group and carries out its neighbours', async () => {
      const results = await Promise.all([
        journal.append('M1', 0, fence, [entry('a')]),
        journal.append('M1', 7, fence, [entry('no')]),
        journal.append('M1', 1, fence, [entry('b')]),
      ]);
      assert.deepEqual(
        results.map(({ ok }) => ok),
        [true, false, true],
      );
    });

    it('returns what a later reader reads, also of values JSON does not know', async () => {
      const strange = { u: undefined, n: Number.NaN, d: new Date(0), z: -0, s: '\ud800 \u0000 \u2028' };
      const appended = await journal.append('M1', 0, fence, [entry('a', strange)]);
      assert(appended.ok);
      assert.deepEqual(await journal.read('M1'), appended.entries);
      assert.equal((await journal.verifyStream('M1')).valid, true);
    });

    it('answers WRITE_FAILED to an event that is no JSON', async () => {
      const cycle: unknown[] = [];
      cycle.push(cycle);
      for (const event of [1n, cycle]) {
        const refused = await journal.append('M1', 0, fence, [entry('a'), entry('b', event)]);
        assert(!refused.ok);
        assert.equal(refused.code, 'WRITE_FAILED');
      }
      assert.deepEqual(await journal.read('M1'), []);
    });

    it('keeps the order of members and takes an event of 12 MB', async () => {
      const data = { z: 1, a: 2, 10: 3, __proto__x: 4, big: 'y'.repeat(12 * 1024 * 1024) };
      const appended = await journal.append('M1', 0, fence, [entry('a', data)]);
      assert(appended.ok);
      const [read] = await journal.read('M1');
      assert.deepEqual(Object.keys(read?.event.data as object), Object.keys(data));
      assert.deepEqual(read?.event.data, data);
    });

    it('exports lines that verify on their own, and not when they were changed', async () => {
      await journal.append('M1', 0, fence, [entry('a', { text: 'naïve', n: 1.5 }), entry('b'), entry('c')]);
      const lines = await journal.exportStream('M1');
      assert.deepEqual(verifyExport(lines), { valid: true, events: 3, first_bad: null });
      assert.deepEqual(verifyExport([...lines, '']), { valid: true, events: 3, first_bad: null });
      const [a = '', b = '', c = ''] = lines;
      const changed: readonly (readonly [lines: readonly string[], firstBad: number])[] = [
        [[a.replace('naïve', 'naive'), b, c], 1],
        [[a, b.replace('"seq":2', '"seq":2,"seq":2'), c], 2],
        [[a, c], 2],
        [[b, c], 1],
        [[a, b, 'torn {'], 3],
        [[a, '', b, c], 2],
        [[a, b, c.replace('"event":', '"extra":1,"event":')], 3],
        [[a, b, b], 3],
      ];
      for (const [wrong, firstBad] of changed) assert.equal(verifyExport(wrong).first_bad, firstBad, wrong.join('\n'));
    });

    it('answers WRITE_FAILED after it was closed, and reading rejects', async () => {
      await journal.close();
      const refused = await journal.append('M1', 0, fence, [entry('a')]);
      assert(!refused.ok);
      assert.equal(refused.code, 'WRITE_FAILED');
      await assert.rejects(journal.read('M1'), { name: 'StateStoreError' });
    });
  });
}

async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
