import assert from 'node:assert/strict';
import type { FleetPlace } from '../../../../src/contracts/fleetMirror';
import { fold } from '../../../../src/core/mission/evolve';
import { decidedElsewhere } from '../../../../src/core/view/mission/decidedElsewhere';
import { missionView } from '../../../../src/core/view/mission/missionView';
import { scenarioJournal } from '../../../support/panelOf';

describe('a blocked mission on a host of a fleet', () => {
  const view = missionView(
    fold(
      scenarioJournal(
        'outcomes',
        'a worker that exits with an error blocks the mission with a packet, and nothing is retried',
      ),
    ) ?? assert.fail(),
    [],
    new Map(),
    false,
  );
  const on = (place: { readonly state: FleetPlace['state']; readonly watched: boolean }) =>
    decidedElsewhere(view, {
      place: {
        ...{ mission_id: 'm', job: 'j', run_id: 'j:1', host: 'far', folder: '/far', bytes: 0, end_hash: '' },
        heard_at: '2026-01-01T00:00:00Z',
        ...place,
      },
    });

  it('offers what its host hears, and nothing that needs its files', () => {
    const { offers, blocks } = on({ state: 'running', watched: true });
    assert.deepEqual([offers.RetryTask, offers.UndoAttempt], [['T1'], []]);
    const undo = blocks[0]?.ways.find(({ step }) => step.command === 'undo');
    assert.equal(undo?.refused?.reason, 'It needs the files of the mission, in /far on host far.');
    const retry = blocks[0]?.ways.find(({ step }) => step.command === 'retry');
    assert.deepEqual([retry?.step.command, retry?.refused], ['retry', undefined]);
  });

  for (const [name, place, reason] of [
    ['is over', { state: 'over', watched: true }, /^It ran on host far/],
    ['waits for a host', { state: 'waiting', watched: true }, /waits for another host/],
    ['is not watched', { state: 'running', watched: false }, /mission fleet watch/],
  ] as const)
    it(`offers nothing where it ${name}, and says so`, () => {
      const { offers, blocks } = on(place);
      const open = Object.values(offers).filter((offer) => (Array.isArray(offer) ? offer.length > 0 : offer));
      assert.deepEqual(open, []);
      assert.ok((blocks[0]?.ways.length ?? 0) > 0);
      for (const way of blocks[0]?.ways ?? []) assert.match(way.refused?.reason ?? '', reason);
    });
});
