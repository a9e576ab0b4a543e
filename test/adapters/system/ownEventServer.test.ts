import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startEventServer } from '../../../src/adapters/system/ownProgram';
import { ask } from '../../support/eventClient';
import { removeScratch, scratch } from '../scratch';

const cliFile = path.resolve('dist/cli.js');

describe('an event server of our own', () => {
  after(removeScratch);

  it('gives a link for each time that a person asks, and ends when it is closed', async () => {
    const server = await startEventServer(cliFile, await scratch());
    const links = [await server.link(), await server.link()];
    assert.notEqual(links[0], links[1]);
    for (const link of links) assert.equal((await ask(link)).status, 200);
    assert.ok(server.isOpen);
    server.close();
    await assert.rejects(async () => {
      for (;;) await server.link();
    });
    assert.equal(await ask(links[0] ?? '').catch(() => null), null);
  });

  it('ends with the process that started it, however that ended', async () => {
    const workspace = await scratch();
    const child = fork(cliFile, ['events', 'serve', '--workspace', workspace, '--json'], { silent: true });
    await once(child.stdout ?? child, 'data');
    child.disconnect();
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('says why it did not start', async () => {
    const gone = path.join(await scratch(), 'gone');
    await assert.rejects(startEventServer(cliFile, gone), /is not a folder/);
  });
});
