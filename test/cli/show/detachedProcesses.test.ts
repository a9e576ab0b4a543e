import assert from 'node:assert/strict';
import { whatGoesOn } from '../../../src/cli/show/detachedProcesses';
import { liveWorker } from '../../extension/sampleViews';

/** What a person reads after their command let go of a mission. */
describe('what goes on without an owner', () => {
  const told = (...lanes: Parameters<typeof whatGoesOn>[0]): readonly string[] => whatGoesOn(lanes).map(String);

  it('is a process that was seen, by its id', () => {
    assert.deepEqual(told(liveWorker({ task_id: 'T1', pid: 17 })), [
      'Let go: the worker of T1 goes on under its supervisor (process 17).',
    ]);
    assert.deepEqual(told(liveWorker({ task_id: 'T1', pid: 17, purpose: 'verify' })), [
      'Let go: a verify command of T1 goes on under its supervisor (process 17).',
    ]);
  });

  it('may be one whose start was under way', () => {
    assert.deepEqual(told(liveWorker({ task_id: 'T1', pid: null, confinement: 'none' })), [
      'Let go: the worker of T1 was being started. If it runs, it goes on under its supervisor, and nothing starts it twice.',
    ]);
  });

  it('is nothing of a task whose launch is not prepared, or that has none', () => {
    const before = [
      liveWorker({ pid: null, confinement: null }),
      liveWorker({ pid: null, confinement: null, run_dir: '' }),
    ];
    assert.deepEqual(told(...before), ['Let go: no worker is running.']);
    assert.deepEqual(told(), ['Let go: no worker is running.']);
    assert.equal(told(liveWorker({ pid: 17 }), ...before).length, 1);
  });
});
