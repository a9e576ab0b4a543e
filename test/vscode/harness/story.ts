import assert from 'node:assert/strict';
import { dumpOnFailure } from './failureDump';
import { removeScratchFolders } from './scratch';
import { liveServers } from './server';
import { stepByStep } from './steps';

/** Call inside a `describe` whose tests are steps of one story, which `begin` begins. */
export function story(begin: () => Promise<void>): void {
  stepByStep();
  stage(begin);
}

/**
 * Call inside a `describe` whose tests share what `begin` starts: failures are dumped, and at the end every server is
 * stopped with all that it started, and every scratch folder removed, also when `begin` came only half way.
 */
export function stage(begin: () => Promise<void>): void {
  dumpOnFailure();
  before(begin);
  after(async () => {
    const left: unknown[] = [];
    for (const server of [...liveServers]) {
      await server.stop();
      left.push(...(await server.processes()));
    }
    await removeScratchFolders();
    assert.deepEqual(left, [], 'a process outlived the server that started it');
  });
}
