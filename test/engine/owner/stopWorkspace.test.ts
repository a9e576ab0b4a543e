import assert from 'node:assert/strict';
import { stopWorkspace, type ReachedWorkspace } from '../../../src/engine/owner/stopWorkspace';
import type { MissionCommand } from '../../../src/contracts/commands/missionCommand';
import type { JournalEntry } from '../../../src/core/model/journalEntry';
import type { MissionEvent } from '../../../src/core/model/events';
import { play } from '../../scenarios/play';

/** A mission whose only worker runs. */
function runningEntries(): readonly JournalEntry<MissionEvent>[] {
  const { entries } = play({ tasks: [{ task_id: 'T1' }] });
  const started = entries.findIndex(({ event }) => event.type === 'WorkerStarted');
  return entries.slice(0, started + 1);
}

describe('stopping a workspace', () => {
  const entries = runningEntries();
  const asked: MissionCommand[] = [];
  const forced: string[] = [];
  const reached = (more: Partial<ReachedWorkspace>): ReachedWorkspace => ({
    journal: {
      streams: () => Promise.resolve([{ stream: 'M', last_seq: entries.length, sealed: true }]),

      async *pages() {
        yield entries;
      },
      read: () => Promise.resolve(entries),
    } as unknown as ReachedWorkspace['journal'],
    launches: {
      requestStop: (_dir, { launch_id }) => Promise.resolve(void forced.push(`stop ${launch_id}`)),
      proveGone: (_dir, { launch_id }) => {
        forced.push(`kill ${launch_id}`);
        return Promise.resolve({ gone: false, survivors: [7] });
      },
      activity: () => Promise.resolve({ alive: true, cpu_seconds: 0 }),
      standing: () => Promise.resolve('supervised'),
    },
    runDir: (_mission, runDir) => `/runs/${runDir}`,
    decide: (_mission, command) => {
      asked.push(command);
      return Promise.resolve({ accepted: true, code: 'OK', reason: 'Paused.', next: [] });
    },
    ...more,
  });
  let now = 0;
  const time = { now: () => now, wait: (ms: number) => Promise.resolve(void (now += ms)) };
  beforeEach(() => {
    now = 0;
    asked.length = 0;
    forced.length = 0;
  });

  it('asks the owner once, then the supervisor, then ends the tree; after ten seconds what is left is named', async () => {
    const stopped = await stopWorkspace(reached({}), 'grace: fire', time);
    assert.deepEqual(asked, [{ type: 'PauseMission' }, { type: 'StopTask', task_id: 'T1' }]);
    assert.deepEqual(
      stopped.remaining.map(({ task_id, pid }) => [task_id, typeof pid]),
      [['T1', 'number']],
    );
    assert.equal(stopped.silent, false);
    const kinds = [...new Set(forced.map((one) => one.split(' ')[0]))];
    assert.deepEqual(kinds, ['stop', 'kill']);
    assert.ok(now > 10_000 && now < 11_000);
  });

  it('a busy owner that answers late has the order; what it runs is ended meanwhile', async () => {
    const limits: number[] = [];
    let gone = false;
    const busy = reached({
      decide: async (_mission, command, withinMs) => {
        limits.push(withinMs);
        const ends = now + 4_000;
        while (now < ends) await new Promise((resolve) => setImmediate(resolve));
        gone = true;
        return { accepted: true, code: 'OK', reason: `${command.type}: late.`, next: [] };
      },
      launches: {
        ...reached({}).launches,
        standing: () => Promise.resolve('ended'),
        activity: () => Promise.resolve({ alive: forced.length === 0, cpu_seconds: 0 }),
      },
    });
    const passing = {
      now: () => now,
      wait: async (ms: number) => {
        now += ms;
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      },
    };
    const stopped = await stopWorkspace(busy, 'grace: fire', passing);
    assert.ok(gone);
    assert.equal(stopped.silent, false);
    assert.deepEqual(
      stopped.missions.map(({ reason }) => reason),
      ['PauseMission: late.'],
    );
    assert.deepEqual(stopped.remaining, []);
    assert.ok(forced.length > 0, 'its supervisors were not asked before it answered');
    assert.equal(limits[0], 10_000);
  });

  it('an owner that does not answer is asked nothing more, and its supervisors are asked at once', async () => {
    let calls = 0;
    const silent = reached({
      decide: () => {
        calls += 1;
        return Promise.resolve(null);
      },
      launches: {
        ...reached({}).launches,
        standing: () => Promise.resolve('ended'),
        activity: () => Promise.resolve({ alive: forced.length === 0, cpu_seconds: 0 }),
      },
    });
    const stopped = await stopWorkspace(silent, 'grace: fire', time);
    assert.deepEqual([calls, stopped.silent, stopped.remaining], [1, true, []]);
    assert.ok(now < 2_000);
  });
});
