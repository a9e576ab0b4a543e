import assert from 'node:assert/strict';
import { blockedBy } from '../../../src/core/mission/resolve/packetCommands';
import { play } from '../../scenarios/play';

describe('the steps of open packets', () => {
  it('are those of each packet, also where another one is a milestone at its limit', () => {
    const { mission } = play({
      milestones: [
        { id: 'M1', title: 'First', validate: { worker: 'claude', assertions: ['It starts.'], failure_limit: 1 } },
      ],
      tasks: [{ task_id: 'T1', milestone: 'M1' }],
      world: { 'validate-M1#1': { claim: 'report_fail' } },
    });
    const [limited] = mission.packets;
    assert.ok(limited);
    const last = 'mission cancel M --by NAME --reason TEXT';
    const revised = 'Or approve a revised plan that does the missing work.';
    const skip = 'mission skip M validate-M1 --by NAME --reason TEXT';
    assert.deepEqual(blockedBy(mission, [limited]).next.slice(0, 3), [skip, last, revised]);
    const both = blockedBy(mission, [limited, { ...limited, task_id: 'T1', packet_id: 'P2' }]).next;
    assert.deepEqual(both.slice(0, 4), [skip, 'mission retry M T1 --by NAME --reason TEXT', last, revised]);
    assert.equal(both.at(-1), 'mission packet show P2');
  });
});
