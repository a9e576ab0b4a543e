import assert from 'node:assert/strict';
import { cannotResolve, cannotRetry } from '../../../src/core/mission/resolve/packetCommands';
import { play } from '../../scenarios/play';

describe('a task or a packet that cannot be decided about', () => {
  it('is refused in the words of the command: tried again, or validated again', () => {
    const { mission } = play({ tasks: [{ task_id: 'T1' }] });
    assert.equal(
      cannotRetry(mission, 'T1', 'retry-repair')?.reason,
      'Task T1 is done; only a blocked task can be tried again.',
    );
    assert.equal(
      cannotRetry(mission, 'T1', 'rerun-validation')?.reason,
      'Task T1 is done; only a blocked task can be validated again.',
    );
  });

  it('names the packet that waits in place of one that was decided', () => {
    const { mission } = play({
      tasks: [{ task_id: 'T1' }],
      world: { 'T1#1': { end: { exit_code: 7 } }, 'T1#2': { end: { exit_code: 7 } } },
      script: [{ at: 'idle', command: { type: 'RetryTask', task_id: 'T1' } }],
    });
    const refused = cannotResolve(mission, { packet_id: 'M.p1', outcome: 'retry-repair' });
    assert.deepEqual(
      [refused?.code, refused?.reason, refused?.next],
      ['PACKET_CLOSED', 'Packet M.p1 is resolved. Task T1 waits with packet M.p2 now.', ['mission packet show M.p2']],
    );
  });
});
