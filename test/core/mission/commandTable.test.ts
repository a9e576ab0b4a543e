import assert from 'node:assert/strict';
import { commandOffers } from '../../../src/core/mission/commandTable';
import type { Mission } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';

/** That offers are what the core takes is looked at in every scenario and in missions played at random. */
describe('what a person is offered to acknowledge', () => {
  const task = { task_id: 'T1' };
  const failed = play({ tasks: [task], world: { 'T1#1': { end: { exit_code: 3 } } }, on_block: 'fail' }).mission;
  const blocked = play({ tasks: [task], world: { 'T1#1': { end: { exit_code: 3 } } } }).mission;
  const canceled = play({
    tasks: [task],
    script: [{ at: { effect: 'takeBaseline' }, command: { type: 'CancelMission' } }],
  }).mission;
  const offered = (mission: Mission): boolean => commandOffers(mission, false).Acknowledge;

  it('is a failure that is not acknowledged yet, and nothing else', () => {
    assert.equal(failed.ending?.outcome, 'FAILED');
    assert.equal(canceled.ending?.cancelled, true);
    const seen = { ...failed, acknowledged: failed.received_at } as unknown as Mission;
    assert.deepEqual([failed, seen, blocked, canceled].map(offered), [true, false, false, false]);
  });

  it('leaves a failed mission no other command but a revision of its plan', () => {
    const { Acknowledge, SupersedeMission, ...others } = commandOffers(failed, true);
    assert.deepEqual([Acknowledge, SupersedeMission], [true, true]);
    assert.deepEqual(
      Object.values(others).filter((offer) => (typeof offer === 'boolean' ? offer : offer.length > 0)),
      [],
    );
  });
});
