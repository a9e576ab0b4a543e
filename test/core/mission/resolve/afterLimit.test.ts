import assert from 'node:assert/strict';
import { packetFacts } from '../../../../src/core/mission/documents';
import { motionOf, pendingEffects } from '../../../../src/core/mission/effects';
import { fold } from '../../../../src/core/mission/evolve';
import { timeHasCome, waitsNow } from '../../../../src/core/mission/resolve/waits';
import { missionStatus } from '../../../../src/core/mission/status';
import type { Mission } from '../../../../src/core/model/state';
import { packetMarkdown } from '../../../../src/core/packets/markdown';
import { recoveryPacket } from '../../../../src/core/packets/packet';
import { missionView } from '../../../../src/core/view/mission/missionView';
import { play } from '../../../scenarios/play';

const ends = '2026-01-01T01:00:00Z';
const goesOn = '2026-01-01T01:00:10Z';

/** A mission whose task is blocked by a limit that ends then, once its packet is written; null: no time is known. */
function blocked(resets_at: string | null, after_limit?: 'resume'): Mission {
  const limit = { reached: true, resets_at };
  const { entries } = play({
    ...(after_limit && { after_limit }),
    tasks: [{ task_id: 'T1', worker: 'claude' }],
    world: {
      'T1#1': { changes: [], claim: 'missing', end: { exit_code: 1, final_ok: false, final_reason: 'no', limit } },
    },
  });
  const written = entries.findIndex(({ event }) => event.type === 'PacketWritten');
  return fold(entries.slice(0, written + 1)) ?? assert.fail();
}

const resumes = (resets_at: string | null): Mission => blocked(resets_at, 'resume');

describe('a task that goes on by itself after a limit', () => {
  it('waits until the end and a margin, and the mission runs meanwhile', () => {
    const mission = resumes(ends);
    const [packet] = mission.packets;
    const packet_id = packet?.packet_id ?? assert.fail();
    const [wait, ...others] = waitsNow(mission);
    assert.deepEqual(
      [wait?.key, wait?.packet.task_id, wait?.packet, wait?.at],
      [`goes_on_at:${packet_id}`, 'T1', packet, goesOn],
    );
    assert.deepEqual([others, pendingEffects(mission)], [[], []], 'nothing but the time is waited for');
    assert.equal(motionOf(mission), 'waits');
    assert.equal(missionStatus(mission), 'running');
  });

  it('is answered by the runner in its time, and not before', () => {
    const mission = resumes(ends);
    const id = `goes_on_at:${mission.packets[0]?.packet_id ?? ''}`;
    assert.deepEqual(timeHasCome(mission, id, '2026-01-01T01:00:09.999Z'), []);
    assert.deepEqual(timeHasCome(mission, 'goes_on_at:packet-of-another', goesOn), []);
    const [event, ...others] = timeHasCome(mission, id, goesOn);
    assert.equal(others.length, 0);
    assert.ok(event?.type === 'PacketResolved');
    assert.deepEqual([event.outcome, event.decision.actor.kind], ['retry-repair', 'runner']);
    assert.match(event.decision.reason, /ended at 2026-01-01 01:00 UTC.*after_limit\), 1 of 3 times\.$/);
  });

  it('waits a margin after its block where the end is over already', () => {
    const mission = resumes('2025-12-31T23:00:00Z');
    const issued = Date.parse(mission.packets[0]?.issued_at ?? '');
    assert.equal(Date.parse(waitsNow(mission)[0]?.at ?? ''), issued + 10_000);
  });

  it('goes on within a day and not later', () => {
    const issued = Date.parse(resumes(ends).packets[0]?.issued_at ?? '');
    const after = (hours: number): string => new Date(issued + hours * 3_600_000).toISOString();
    assert.equal(waitsNow(resumes(after(24))).length, 1);
    assert.deepEqual(waitsNow(resumes(after(24.01))), []);
  });

  for (const [what, mission] of [
    ['whose plan says nothing of it', blocked(ends)],
    ['whose end is not known', resumes(null)],
    ['whose end is no time', resumes('soon')],
  ] as const)
    it(`does not happen ${what}: a person decides`, () => {
      assert.deepEqual(waitsNow(mission), []);
      assert.equal(missionStatus(mission), 'blocked');
      const { blocks, headline } = missionView(mission, [], new Map(), true);
      assert.equal(blocks[0]?.goes_on_at, undefined);
      assert.match(headline, /^Task T1 is blocked: The provider of Claude accepts no more requests/);
    });

  it('stands in status, page and packet, and calls no person', () => {
    const mission = resumes(ends);
    const view = missionView(mission, [], new Map(), true);
    assert.equal(view.blocks[0]?.goes_on_at, goesOn);
    assert.equal(view.headline, `Task T1 waits for its provider and goes on by itself at 2026-01-01 01:00 UTC.`);
    assert.equal(view.needs, null);
    assert.ok(view.offers.PauseMission && view.offers.RetryTask.includes('T1') && view.offers.SkipTask.includes('T1'));
    const packet = recoveryPacket(packetFacts(mission, mission.packets[0] ?? assert.fail(), 'm', []));
    assert.equal(packet.block.goesOnAt, goesOn);
    assert.match(packetMarkdown(packet).toString(), /goes on by itself at 2026-01-01T01:00:10Z, because its approved/);
  });

  it('is interrupted where no process runs the mission', () => {
    const view = missionView(resumes(ends), [], new Map(), false);
    assert.deepEqual([view.interrupted, view.offers.ResumeMission], [true, true]);
  });
});
