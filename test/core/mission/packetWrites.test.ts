import assert from 'node:assert/strict';
import { decide } from '../../../src/core/mission/decide';
import { pendingEffects } from '../../../src/core/mission/effects';
import { evolve, fold } from '../../../src/core/mission/evolve';
import { runner } from '../../../src/contracts/vocabulary/actors';
import type { InputBody } from '../../../src/core/model/inputs';
import type { Mission, Packet } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';

/** A person asks on a packet whose first write has not ended: two writes of one file would mix what they write. */
describe('a packet that is asked about while it is written', () => {
  const { entries } = play({ tasks: [{ task_id: 'T1' }], world: { 'T1#1': { end: { exit_code: 7 } } } });
  const issued = fold(entries.slice(0, entries.findIndex(({ event }) => event.type === 'PacketIssued') + 1));
  assert.ok(issued);

  const told = (mission: Mission, body: InputBody, name: string): Mission => {
    const at = mission.last_at;
    const actor = name === 'ada' ? ({ kind: 'human', name } as const) : runner;
    const fresh = { launch_id: 'l', session_id: 's', nonce: '0'.repeat(32) };
    return decide(mission, { at, actor, fresh, body }).reduce((now, event) => {
      const seq = now.last_seq + 1;
      const hash = String(seq).padStart(64, '0');
      const next = evolve(now, {
        ...{ stream: 'M', seq, run_id: 'run', at, actor, fence: 1, event },
        ...{ prev_hash: now.last_hash, hash },
      });
      assert.ok(next);
      return next;
    }, mission);
  };
  const packetOf = ({ packets: [packet] }: Mission): Packet => packet!;
  const writeOf = (mission: Mission): string | undefined =>
    pendingEffects(mission).find(({ kind }) => kind === 'writePacket')?.key;
  const written = (mission: Mission, asked: number): Mission =>
    told(
      mission,
      {
        type: 'PacketWasWritten',
        packet_id: packetOf(mission).packet_id,
        path: 'recovery-packets/p.json',
        sha256: String(asked).repeat(64),
        asked,
      },
      'runner',
    );
  const ask = (mission: Mission): Mission =>
    told(
      mission,
      {
        type: 'Command',
        command_id: `c${mission.last_seq}`,
        reason: 'why',
        ...{ expected_seq: null, from_worker: false, identified: true, owner_was_absent: false },
        active_elsewhere: null,
        command: {
          type: 'ResolvePacket',
          packet_id: packetOf(mission).packet_id,
          outcome: 'ask-user',
          question: 'Which port?',
        },
      },
      'ada',
    );

  it('is written anew once that write has ended, and then counts as written', () => {
    const first = writeOf(issued);
    const asked = ask(issued);
    assert.equal(packetOf(asked).asked, 1);
    assert.equal(writeOf(asked), first, 'no second write begins beside the first');
    const stale = written(asked, 0);
    assert.equal(packetOf(stale).written, null, 'the first write does not have the question');
    assert.notEqual(writeOf(stale), first);
    const last = written(stale, 1);
    assert.equal(packetOf(last).written?.sha256, '1'.repeat(64));
    assert.equal(writeOf(last), undefined);
  });

  it('is written once for each question that comes after it was written', () => {
    const once = written(issued, 0);
    assert.equal(writeOf(once), undefined);
    const again = ask(once);
    assert.notEqual(writeOf(again), undefined);
    assert.equal(packetOf(written(again, 1)).written?.sha256, '1'.repeat(64));
  });
});
