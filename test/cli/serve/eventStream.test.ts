import assert from 'node:assert/strict';
import type { StreamClient } from '../../../src/adapters/events/client';
import { EventStream } from '../../../src/cli/serve/eventStream';
import { Turns } from '../../../src/cli/serve/workspace';
import type { OpenJournal } from '../../../src/cli/serve/workspace';
import type { FedPage } from '../../../src/engine/views/eventFeed';

/** A journal of entries of two a page, which counts what was read of it. */
function journalOf(entries: string[]): { readonly journal: OpenJournal; readonly read: number[] } {
  const read: number[] = [];
  const page = (place: number): Promise<FedPage> => {
    read.push(place);
    const found = entries.slice(place, place + 2);
    const events = found.map((id) => {
      const event = { type: id.startsWith('!') ? 'error' : 'status' } as FedPage['events'][number]['event'];
      return { id, event };
    });
    return Promise.resolve({ events, place: place + found.length, end: found.length < 2 });
  };
  return { journal: { feed: { page } } as unknown as OpenJournal, read };
}

function unexpected(error: unknown): void {
  throw error;
}

/** A client that reads all it gets, as pages. */
function follow(stream: EventStream): { pages: number; has(pages: number): Promise<void> } {
  const client = {
    ...{ open: true, gone: new Promise<void>(() => undefined), end: () => undefined },
    hasRead: () => Promise.resolve(true),
    send: () => void (followed.pages += 1),
  } satisfies StreamClient;
  const followed = {
    pages: 0,
    async has(pages: number) {
      while (followed.pages < pages) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(followed.pages, pages);
    },
  };
  void stream.run(client, 'start', null);
  return followed;
}

describe('the stream of events', () => {
  it('makes a full page once for all looks, and one that may grow anew after each', async () => {
    const entries = ['M:1', 'M:2', 'M:3', 'M:4', 'M:5'];
    const { journal, read } = journalOf(entries);
    const looks = new Turns();
    const stream = new EventStream({ looks, journal, problem: null, doubt: unexpected });
    const first = follow(stream);
    await first.has(3);
    assert.deepEqual(read, [0, 2, 4]);
    looks.next();
    const second = follow(stream);
    await second.has(3);
    assert.deepEqual(read.filter((place) => place < 4).length, 2, 'a full page was made again');
    entries.push('M:6', 'M:7');
    looks.next();
    await first.has(4);
    await second.has(4);
    assert.deepEqual([...new Set(read)], [0, 2, 4, 5, 7]);
    looks.end();
  });

  it('makes a full page anew that held what could not be read', async () => {
    const { journal, read } = journalOf(['M:1', '!M:2', 'M:3']);
    const looks = new Turns();
    const stream = new EventStream({ looks, journal, problem: null, doubt: unexpected });
    await follow(stream).has(2);
    looks.next();
    await follow(stream).has(2);
    assert.equal(read.filter((place) => place === 0).length, 2, 'it stays unreadable for everybody who comes later');
    looks.end();
  });
});
