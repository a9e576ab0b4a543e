import assert from 'node:assert/strict';
import { fold } from '../../../src/core/mission/evolve';
import { refusedByMissions } from '../../../src/engine/mission/start';
import { recordedJournal, type Entries } from '../../support/panelOf';

const plan = { plan_id: 'next', plan_path: 'docs/plans/PLAN_next.json', plan_sha256: 'B'.repeat(64), paths: ['next'] };
const codeBeside = (entries: Entries, busy = false): string | null => {
  const mission = fold(entries) ?? assert.fail();
  return refusedByMissions(plan, [mission], new Set(busy ? [mission.mission_id] : []))?.code ?? null;
};

/** Asked before a person reads a plan for its approval, so that nothing is refused afterwards. */
describe('what other missions have against a start', () => {
  it('is the one that runs, whether its process is known or not', () => {
    const done = recordedJournal('0.1.0/done');
    const running = done.slice(
      0,
      done.findIndex(({ event }) => event.type === 'WorkerEnded'),
    );
    assert.equal(codeBeside(running), 'MISSION_ACTIVE');
    assert.equal(codeBeside(recordedJournal('0.1.0/blocked'), true), 'MISSION_ACTIVE');
  });

  it('is a failure that no person has acknowledged', () => {
    assert.equal(codeBeside(recordedJournal('0.1.0/scope')), 'FAILURE_UNACKNOWLEDGED');
  });

  it('is nothing beside a block that waits, or a mission that is done', () => {
    assert.equal(codeBeside(recordedJournal('0.1.0/blocked')), null);
    assert.equal(codeBeside(recordedJournal('0.1.0/done')), null);
  });
});
