import assert from 'node:assert/strict';
import { systemClock } from '../../../src/adapters/system/clock';
import { systemIds } from '../../../src/adapters/system/clock';
import { runner, type Actor } from '../../../src/contracts/vocabulary/actors';
import { HeldClaim } from '../../../src/engine/fleet/heldClaim';
import type { Course } from '../../../src/core/model/state';
import type { MissionHost } from '../../../src/engine/owner/host';
import type { JournalledLaunch, Launches, LaunchStandingFacts } from '../../../src/engine/ports/launches';
import { createMemoryFleet, type MemoryFleet } from '../../support/memoryFleet';

const known = {} as JournalledLaunch;

describe('a claim that a host holds', () => {
  let fleet: MemoryFleet;
  let held: HeldClaim;
  let standing: LaunchStandingFacts;
  let done: string[];
  let guarded: Launches;
  let packed: { readonly name: string; readonly content: string } | null;
  let answer: 'HandoffWritten' | 'HandoffRefused' | null;
  beforeEach(async () => {
    fleet = createMemoryFleet();
    await fleet.submit({
      id: 'a',
      plan_hash: 'A',
      priority: 0,
      repository: 'r',
      needs: [],
      order: { text: '', seal: '' },
    });
    const claim = await fleet.claim(new Set());
    assert(claim !== null);
    const timers = { at: () => ({ dispose: () => undefined }) };
    held = new HeldClaim(claim, {
      clock: systemClock,
      ids: systemIds,
      timers,
      pack: () => Promise.resolve(packed),
    });
    [standing, done, packed, answer] = ['unstarted', [], { name: 'a', content: 'b' }, 'HandoffWritten'];
    guarded = held.guard({
      standing: () => Promise.resolve(standing),
      start() {
        done.push('start');
        return Promise.resolve({ kind: 'refused', reason: 'a test' });
      },
    } as unknown as Launches);
    const command = ({ id }: { readonly id: string }): Promise<object> => {
      done.push('export');
      const course = { handoffs: [{ n: 1, command_id: id }] } as unknown as Course;
      const event = { type: answer, n: 1, path: 'handoff/1', reason: 'It holds a secret.' };
      if (answer !== null) held.onEntries(course, [{ event }] as unknown as Parameters<HeldClaim['onEntries']>[1]);
      return Promise.resolve({ accepted: answer !== null, reason: 'It has ended.' });
    };
    held.begin({ host: { command } as unknown as MissionHost, mission_id: 'm' });
  });

  it('exports before the first launch of an attempt, and lets it begin', async () => {
    await guarded.start('run', known);
    await guarded.start('run', known);
    assert.deepEqual(done, ['export', 'start', 'start']);
    assert.equal(held.isLost, false);
  });

  it('lets no launch begin whose export was refused, not sealed or not asked for, and tries again', async () => {
    for (const [because, words] of [
      [() => (answer = 'HandoffRefused'), /holds a secret.*retry the task/],
      [() => ([answer, packed] = ['HandoffWritten', null]), /cannot be sealed/],
      [() => (answer = null), /has ended/],
    ] as const) {
      because();
      const refused = await Promise.all([guarded.start('one', known), guarded.start('two', known)]);
      for (const one of refused) assert.match(one.kind === 'refused' ? one.reason : '', words);
    }
    assert.deepEqual(done, ['export', 'export', 'export']);
    [answer, packed] = ['HandoffWritten', { name: 'a', content: 'b' }];
    await guarded.start('one', known);
    assert.deepEqual(done.slice(3), ['export', 'start']);
  });

  it('exports after a decision of a person, and after none of its own', async () => {
    const decided = async (actor: Actor, command: string): Promise<void> => {
      const event = { type: 'CommandAccepted', command };
      const entries = [{ actor, event }] as unknown as Parameters<HeldClaim['onEntries']>[1];
      held.onEntries({ handoffs: [] } as unknown as Course, entries);
      await held.recorded();
    };
    await guarded.start('run', known);
    for (const command of ['PauseMission', 'ExportHandoff']) await decided(runner, command);
    const ada = { kind: 'human', name: 'Ada' } as const;
    await decided(ada, 'ExportHandoff');
    assert.deepEqual(done, ['export', 'start']);
    await decided(ada, 'PauseMission');
    assert.deepEqual(done, ['export', 'start', 'export']);
  });

  it('lets no launch begin once it is lost, and never again', async () => {
    let calls = 0;
    held.onLost(() => (calls += 1));
    fleet.silence();
    const refused = await guarded.start('run', known);
    assert(refused.kind === 'refused');
    assert.match(refused.reason, /counts this host as lost/);
    await guarded.start('run', known);
    assert.deepEqual(done, ['export']);
    assert.deepEqual([held.isLost, calls], [true, 1]);
  });

  it('attaches to a launch that runs, also once it is lost', async () => {
    fleet.silence();
    standing = 'supervised';
    await guarded.start('run', known);
    assert.deepEqual(done, ['start']);
  });
});
