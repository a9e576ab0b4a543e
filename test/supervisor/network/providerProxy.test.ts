import assert from 'node:assert/strict';
import { once } from 'node:events';
import { linkSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { openProviderProxy } from '../../../src/supervisor/network/providerNetwork';
import { skipWithReason } from '../../support/skip';

describe('a tunnel through the proxy of a provider', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mission-tunnel-'));
  before(function () {
    if (process.platform !== 'linux') skipWithReason(this, 'only bubblewrap has such a proxy');
  });
  after(() => rmSync(folder, { recursive: true }));

  it('ends without a word of ours when a provider that was reached breaks it off', async () => {
    const provider = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    const host = `127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const proxy = await openProviderProxy([host]);
    try {
      // As the sandbox holds it: the first connection takes it from the disk.
      const held = path.join(folder, 'socket');
      linkSync(proxy.socket, held);
      await once(connect(proxy.socket).resume(), 'close');

      const client = connect(held).setEncoding('utf8');
      let told = '';
      client.on('data', (text: string) => {
        if (told === '') client.write('hello');
        told += text;
      });
      client.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      await once(client, 'close');
      assert.equal(told, 'HTTP/1.1 200 Connection Established\r\n\r\n');
    } finally {
      await proxy.close();
      provider.close();
    }
  });
});
