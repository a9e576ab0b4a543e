import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { isAlive, processTable } from '../../src/adapters/processes/table';
import { runFiles, type LaunchTicket } from '../../src/contracts/launch';
import { cleanUp, newRun, until, type Run } from './harness';
import { aLongTime, bubblewrap, processesWith, sandboxArgv } from './sandboxed';

const node = process.execPath;

describe('a worker that reaches named ports of the machine', () => {
  let bwrap = '';
  const servers: Server[] = [];
  before(function () {
    bwrap = bubblewrap(this);
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await cleanUp();
  });

  /** A service that answers what it is sent, once the client has sent all. */
  const service = async (name: string, host = '127.0.0.1'): Promise<number> => {
    const server = createServer({ allowHalfOpen: true }, (one) => {
      let text = '';
      one.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      one.on('error', () => undefined).on('end', () => one.end(`${name} ${text.length}`));
    });
    servers.push(server);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
    return (server.address() as AddressInfo).port;
  };
  const portsRun = (argv: readonly string[], ports: number[], changes: Partial<LaunchTicket> = {}): Promise<Run> => {
    const sandbox = sandboxArgv(bwrap, ['--die-with-parent', '--unshare-net']);
    return newRun(argv, { sandbox: { means: 'bubblewrap', argv: sandbox, ports }, ...changes });
  };
  const client = `const [host, port, size] = process.argv.slice(1);
    const socket = require('node:net').connect(Number(port), host);
    socket.end('x'.repeat(Number(size)));
    socket.on('data', (data) => console.log(String(data))).on('error', (error) => console.log(error.code));`;
  const asked = async (host: string, port: number, ports: number[], size = 5): Promise<string> => {
    const run = await portsRun([node, '-e', client, host, `${port}`, `${size}`], ports);
    const exit = await run.whole();
    assert.equal(exit.exit_code, 0, JSON.stringify(exit));
    return run.read(runFiles.stdout);
  };

  it('speaks to the service by each name of loopback, and half-closed ends arrive', async () => {
    const port = await service('five');
    const other = await service('six');
    for (const host of ['127.0.0.1', 'localhost'])
      assert.equal(await asked(host, port, [port, other], 300_000), 'five 300000\n');
    assert.equal(await asked('127.0.0.1', other, [port, other]), 'six 5\n');
  });

  it('reaches no port beside the named ones, and no other address', async () => {
    const [port, beside] = [await service('named'), await service('beside')];
    assert.equal(await asked('127.0.0.1', beside, [port]), 'ECONNREFUSED\n');
    assert.match(await asked('192.0.2.1', port, [port]), /^E(?:NETUNREACH|HOSTUNREACH|ACCES|INVAL)\n$/);
  });

  it('is reset where nothing listens outside', async () => {
    const port = await service('gone');
    const closed = servers.pop();
    await new Promise((resolve) => closed?.close(resolve));
    assert.equal(await asked('127.0.0.1', port, [port]), 'ECONNRESET\n');
  });

  it('keeps its code and its end, leaves no socket on the disk, and is process.json by its own pid', async () => {
    const port = await service('one');
    const time = aLongTime();
    const run = await portsRun(['sh', '-c', `echo ready; sleep ${time} & wait; exit 9`], [port]);
    await run.prepare();
    const { worker, namespace } = await run.start();
    assert.ok(worker && namespace);
    await until('its first line', async () => (await run.read(runFiles.stdout)) === 'ready\n');
    const above = (await processTable.read(worker.pid))?.parent ?? 0;
    assert.equal((await processTable.commandLine(above))[2], 'ports');
    const line = await processTable.commandLine((await processTable.read(namespace.pid))?.parent ?? 0);
    const socket = line.find((word) => word.includes('mission-network-'));
    assert.ok(socket);
    assert.deepEqual([existsSync(socket), existsSync(path.dirname(socket))], [false, false]);
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await run.ended();
    assert.deepEqual([exit.reason, exit.tree_gone, await isAlive(namespace)], ['stop_requested', true, false]);
    assert.deepEqual(await processesWith(time), []);
    const ended = await portsRun(['sh', '-c', 'exit 7'], [port]);
    assert.equal((await ended.whole()).exit_code, 7);
  });

  it('is not started where its port cannot be opened', async () => {
    const run = await portsRun(['sh', '-c', 'echo started'], [1]);
    const exit = await run.whole();
    if (process.getuid?.() === 0 && exit.exit_code === 0) return; // root with the right to take it
    assert.equal(exit.exit_code, 125);
    assert.match(exit.stderr_tail, /A port of this task cannot be opened in its sandbox: /);
    assert.equal(await run.read(runFiles.stdout), '');
  });
});
