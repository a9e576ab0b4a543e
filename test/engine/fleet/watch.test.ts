import assert from 'node:assert/strict';
import { done } from '../../../src/base/outcome';
import { FleetWatch } from '../../../src/engine/fleet/watch';
import type { FleetMessage } from '../../../src/engine/ports/fleet';

const job = '00000000-0000-4000-8000-000000000000';

describe('a workspace that watches a fleet', () => {
  it('hears a mission that has ended to its last event, also where there is more than it takes at once', async () => {
    const events = 120;
    const messages = Array.from({ length: events }, (_, index): FleetMessage => {
      const words = {
        kind: 'events',
        run_id: `${job}:1`,
        host: 'h',
        mission_id: 'm',
        folder: '/f',
        lines: [`${index}`],
      };
      return { place: index + 1, run_id: `${job}:1`, content: JSON.stringify(words) };
    });
    const state: { open: boolean; readonly asked: string[] } = { open: true, asked: [] };
    const added: string[] = [];
    const watch = new FleetWatch({
      fleet: {
        open: () => Promise.resolve(state.open ? [{ id: job, state: 'running' as const }] : []),
        heard(id, place) {
          state.asked.push(id);
          return Promise.resolve(messages.slice(place, place + 1));
        },
        send: () => Promise.resolve(),
      },
      seals: {
        seal: (_, text) => Promise.resolve(done({ text, seal: '' })),
        open: (_, value) => Promise.resolve(done({ text: JSON.stringify(value), signer: null })),
      },
      mirror: {
        placeOf: () => undefined,
        add(_, lines) {
          added.push(...lines);
          return Promise.resolve(done(null));
        },
        mark: () => Promise.resolve(),
      },
      clock: { now: () => '2026-01-01T00:00:00.000Z', after: (time) => time },
      timers: { at: () => ({ dispose: () => undefined }) },
      say: () => undefined,
    });
    await watch.look();
    state.open = false;
    await watch.look();
    await watch.look();
    assert.equal(added.length, events);
    state.asked.length = 0;
    await watch.look();
    assert.deepEqual(state.asked, [], 'it is forgotten once it was heard to its end');
  });
});
