import assert from 'node:assert/strict';
import { judgeSilence, noSigns, type WatchedProcess } from '../../../src/core/ledger/heartbeat';
import { moment, parseMoment } from '../../../src/core/ledger/time';

const started = '2026-01-31T20:00:00.000Z';
const after = (seconds: number): string => moment((parseMoment(started) ?? 0) + seconds * 1000);
const command: WatchedProcess = { task_id: 'T1', started_at: started, timeout_seconds: 1200, is_agent: false };
const agent: WatchedProcess = { ...command, is_agent: true };
const beat = (seconds: number, events = 1): typeof noSigns => ({
  ...noSigns,
  last_progress_at: after(seconds),
  events,
});

describe('silence of a process', () => {
  it('begins a second after the timeout as suspect, and is judged silent when the probe finds nothing', () => {
    const alive = judgeSilence(command, beat(100), after(1300));
    assert.deepEqual(alive, { kind: 'alive', last_heartbeat_at: after(100), age_seconds: 1200, boundary: after(1301) });
    assert.equal(judgeSilence(command, beat(100), after(1300.999)).kind, 'alive');
    assert.equal(judgeSilence(command, beat(100), after(1301)).kind, 'suspect');
    assert.deepEqual(judgeSilence(command, beat(100), after(1301), { kind: 'silent' }), {
      kind: 'out',
      last_heartbeat_at: after(100),
      timeout_seconds: 1200,
      age_seconds: 1201,
      found: 'its processes are alive, use no processor time and print nothing',
    });
  });

  it('counts from the start where there is no heartbeat', () => {
    assert.equal(judgeSilence(command, noSigns, after(1200)).kind, 'alive');
    assert.equal(judgeSilence(command, noSigns, after(1201)).kind, 'suspect');
  });

  it('what the probe finds is judged like a heartbeat', () => {
    const now = after(1301);
    const working = judgeSilence(command, beat(100), now, { kind: 'progress', last_heartbeat_at: now });
    assert.equal(working.kind, 'alive');
    assert.equal(working.last_heartbeat_at, now);
    for (const last_heartbeat_at of [after(50), '?'])
      assert.equal(judgeSilence(command, beat(100), now, { kind: 'progress', last_heartbeat_at }).kind, 'out');
    assert.equal(judgeSilence(command, beat(100), now, { kind: 'gone' }).kind, 'out');
  });

  it('ends an agent that prints nothing within 60 seconds, whatever its processes do', () => {
    const quiet = beat(59, 0);
    const alive = judgeSilence(agent, quiet, after(60));
    assert.equal(alive.kind, 'alive');
    assert.equal(alive.boundary, after(61));
    assert.equal(judgeSilence(agent, quiet, after(61)).kind, 'suspect');
    const out = judgeSilence(agent, quiet, after(61), { kind: 'progress', last_heartbeat_at: after(61) });
    assert.equal(out.kind, 'out');
    assert.equal(out.timeout_seconds, 60);
    assert.equal(out.age_seconds, 61);
    assert.match(out.found, /never began/);
    assert.equal(judgeSilence(agent, beat(59, 1), after(61)).kind, 'alive');
    assert.equal(judgeSilence(command, quiet, after(61)).kind, 'alive');
  });

  it('does not count time asleep', () => {
    const sleeps = [{ from: after(10), to: after(7210) }];
    assert.equal(judgeSilence(agent, { ...noSigns, sleeps }, after(7260)).kind, 'alive');
    assert.equal(judgeSilence(agent, { ...noSigns, sleeps }, after(7261)).kind, 'suspect');
    const slept = { ...beat(5), sleeps };
    assert.equal(judgeSilence(agent, slept, after(8405)).kind, 'alive');
    assert.equal(judgeSilence(agent, slept, after(8406)).kind, 'suspect');
  });

  it('a heartbeat may lie 30 s ahead of the clock, 31 s is not believed, and neither are malformed times', () => {
    assert.equal(judgeSilence(command, beat(1231), after(1201)).kind, 'alive');
    const forged = judgeSilence(command, beat(1232), after(1201), { kind: 'silent' });
    assert.equal(forged.kind, 'out');
    assert.equal(forged.last_heartbeat_at, started);
    assert.match(forged.found, /was not believed/);
    const nonsense = {
      last_progress_at: '2026-01-31T20:00Z',
      events: 1,
      sleeps: [{ from: '2026-01-31T20:00Z', to: 'x' }],
    };
    assert.equal(judgeSilence(command, nonsense, after(1201)).kind, 'suspect');
  });

  it('a heartbeat older than the start is not one of this process', () => {
    assert.equal(judgeSilence(command, beat(-500), after(1200)).kind, 'alive');
  });

  it('a clock set back behind the start is judged anew, not at once', () => {
    const back = judgeSilence(command, beat(0), after(-3600));
    assert.equal(back.kind, 'alive');
    assert.equal(back.boundary, after(-3600 + 1201));
  });
});
