import assert from 'node:assert/strict';
import { readLiveFacts } from '../../src/adapters/launches/files';
import type { Mission } from '../../src/core/model/state';
import { launchEnd } from '../../src/engine/effects/watch/reportEnd';
import { cleanUp, newRun, until } from './harness';

const hook = (subtype: string, hook_id: string, hook_name: string): object => ({
  ...{ type: 'system', subtype, hook_id, hook_name },
  hook_event: 'SessionStart',
});

describe("an agent that a person's hook holds", () => {
  afterEach(cleanUp);

  it('is ended with the name of the hook that did not end, and of no other', async () => {
    const events = [
      hook('hook_started', '1', 'SessionStart:startup'),
      hook('hook_started', '2', 'SessionStart:other'),
      hook('hook_response', '2', 'SessionStart:other'),
    ];
    const program = `for (const event of ${JSON.stringify(events)}) console.log(JSON.stringify(event)); setInterval(() => {}, 1e9);`;
    const run = await newRun([process.execPath, '-e', program], { worker: 'claude' });
    await run.start();
    await until('its words', async () => ((await readLiveFacts(run.runDir))?.output_lines ?? 0) >= events.length);
    await run.launches.requestStop(run.runDir, run.known, 'TASK_TIMEOUT');
    const exit = await run.awaitExit();
    assert.deepEqual(exit.last, { hooks: ['SessionStart:startup'] });
    const nothing = { rows: [], lanes: [] } as unknown as Mission;
    assert.deepEqual(
      launchEnd(nothing, { prepared: null, process: null, requested_at: exit.started_at }, exit).last_did,
      ['the hook SessionStart:startup of your own settings of its CLI began and did not end'],
    );
  });
});
