import assert from 'node:assert/strict';
import { packetFacts } from '../../../src/core/mission/documents';
import type { Mission } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';

describe('the facts of a packet', () => {
  it('have no exit code for an attempt that only another clone has on record, whatever blocked it', () => {
    const { mission } = play({ tasks: [{ task_id: 'T1', verify: [['a']] }], world: { 'T1#1': { verify: [1] } } });
    const [packet] = mission.packets;
    assert.ok(packet);
    const carried = (category: 'verification_failed' | 'task_timeout' | 'child_exit_nonzero'): Mission => ({
      ...mission,
      rows: mission.rows.map((row) => ({
        ...{ ...row, attempts: [] },
        carried: { attempts: [], relaunches: [], category, sha256: null },
      })),
    });
    for (const category of ['verification_failed', 'task_timeout', 'child_exit_nonzero'] as const) {
      const { block } = packetFacts(carried(category), packet, 'm', []);
      assert.deepEqual([block.reasonCategory, block.exitCode], [category, -1]);
    }
    assert.equal(packetFacts(mission, packet, 'm', []).block.exitCode, 1);
  });

  it('where nothing was launched here, have no exit code, which the packet writes as -1', () => {
    const { mission } = play({ tasks: [{ task_id: 'T1' }], world: { 'T1#1': { cli_missing: true } } });
    const facts = packetFacts(mission, mission.packets[0] ?? assert.fail(), 'm', []);
    assert.equal(facts.block.exitCode, -1);
  });
});
