import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { isAlive, processTable } from '../../src/adapters/processes/tree';
import { runFiles, type LaunchTicket } from '../../src/contracts/launch';
import { mostServices } from '../../src/contracts/vocabulary/services';
import { skipWithReason } from '../support/skip';
import { cleanUp, newRun, until, type Run } from './harness';
import { aLongTime, bubblewrap, processesWith, sandboxArgv } from './sandboxed';

const node = process.execPath;
const tenMegabytes = 10_000_000;

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
  const service = (name: string, host = '127.0.0.1', port = 0): Promise<number> =>
    answering(
      (one) => {
        let text = '';
        one.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        one.on('end', () => one.end(`${name} ${text.length}`));
      },
      { host, port },
    );
  const answering = async (
    answer: (one: Socket) => void,
    at: { readonly host: string; readonly port: number } = { host: '127.0.0.1', port: 0 },
  ): Promise<number> => {
    const server = createServer({ allowHalfOpen: true }, (one) => answer(one.on('error', () => undefined)));
    servers.push(server);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
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

  it('speaks to a service that listens on IPv6 alone', async function () {
    const port = await service('six', '::1').catch(() => skipWithReason(this, 'this machine has no IPv6'));
    for (const host of ['127.0.0.1', '::1', 'localhost']) assert.equal(await asked(host, port, [port]), 'six 5\n');
  });

  it('sends and gets ten megabytes through ends that are half closed', async () => {
    const port = await answering((one) => {
      const chunks: Buffer[] = [];
      one.on('data', (chunk) => chunks.push(chunk)).on('end', () => one.end(Buffer.concat(chunks)));
    });
    const program = `const socket = require('node:net').connect({ port: ${port}, host: '127.0.0.1', allowHalfOpen: true });
      let got = 0;
      socket.end(Buffer.alloc(${tenMegabytes}, 'x'));
      socket.on('data', (data) => (got += data.length)).on('end', () => console.log(got));`;
    const run = await portsRun([node, '-e', program], [port]);
    assert.equal((await run.whole()).exit_code, 0);
    assert.equal(await run.read(runFiles.stdout), `${tenMegabytes}\n`);
  });

  it('loses nothing of what a worker has sent before it ended', async () => {
    let arrived = 0;
    let ends = 0;
    const port = await answering((one) => {
      one.on('data', (chunk) => {
        arrived += chunk.length;
        one.pause();
        setTimeout(() => one.resume(), 1);
      });
      one.on('end', () => (ends += 1) && one.end());
    });
    const program = `const socket = require('node:net').connect(${port}, '127.0.0.1');
      socket.end(Buffer.alloc(${tenMegabytes}, 'x'), () => process.exit(0));`;
    const run = await portsRun([node, '-e', program], [port]);
    assert.equal((await run.whole()).exit_code, 0);
    await until('the end at the service', async () => ends === 1);
    assert.equal(arrived, tenMegabytes);
  });

  it('ends with its code while a client that it left behind holds a connection', async () => {
    const open = new Set<Socket>();
    const port = await answering((one) => {
      open.add(one.once('close', () => open.delete(one)));
      one.on('end', () => one.end()).resume();
      one.write('here');
    });
    const client = `require('node:net').connect(${port}, '127.0.0.1').on('data', () => require('node:fs').writeFileSync('connected', ''));`;
    const wait = `while (!require('node:fs').existsSync('connected')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`;
    const script = `setsid "${node}" -e "${client.replaceAll('"', '\\"')}" > /dev/null 2>&1 & "${node}" -e "${wait}"; exit 4`;
    const run = await portsRun(['sh', '-c', script], [port]);
    const exit = await run.whole();
    assert.deepEqual([exit.exit_code, exit.tree_gone], [4, true]);
    await until('the end of the connection', async () => open.size === 0);
  });

  it('cannot listen on a named port itself, and on every other one', async () => {
    const port = await service('named');
    const program = `const { createServer } = require('node:net');
      for (const port of [${port}, ${port === 65_535 ? port - 1 : port + 1}])
        createServer().on('error', (error) => console.log(error.code)).listen(port, '127.0.0.1', function () { console.log('listens'); this.close(); });`;
    const run = await portsRun([node, '-e', program], [port]);
    assert.equal((await run.whole()).exit_code, 0);
    assert.deepEqual((await run.read(runFiles.stdout)).trim().split('\n').sort(), ['EADDRINUSE', 'listens']);
  });

  it('reaches a service again that was gone for a while', async () => {
    const port = await service('first');
    const program = `const fs = require('node:fs');
      const ask = () => new Promise((done) => require('node:net').connect(${port}, '127.0.0.1').on('data', (data) => done(String(data))).on('error', (error) => done(error.code)).end());
      (async () => {
        console.log(await ask());
        for (const stage of ['gone', 'back']) {
          fs.writeFileSync(stage + '-asked', '');
          while (!fs.existsSync(stage)) await new Promise((go) => setTimeout(go, 20));
          console.log(await ask());
        }
      })();`;
    const run = await portsRun([node, '-e', program], [port]);
    const whole = run.whole();
    const file = (name: string): string => path.join(run.folder, name);
    await until('the first answer', async () => existsSync(file('gone-asked')));
    await new Promise((resolve) => servers.pop()?.close(resolve));
    writeFileSync(file('gone'), '');
    await until('the second answer', async () => existsSync(file('back-asked')));
    await service('second', '127.0.0.1', port);
    writeFileSync(file('back'), '');
    assert.equal((await whole).exit_code, 0);
    assert.equal(await run.read(runFiles.stdout), 'first 0\nECONNRESET\nsecond 0\n');
  });

  it('has every port that a plan may name at once', async () => {
    const ports: number[] = [];
    for (let left = mostServices; left > 0; left -= 1) ports.push(await service(`s${left}`));
    const [first = 0] = ports;
    assert.equal(await asked('127.0.0.1', first, ports), `s${mostServices} 5\n`);
    assert.equal(await asked('127.0.0.1', ports.at(-1) ?? 0, [...ports, ...ports]), 's1 5\n');
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
    const exit = await run.awaitExit();
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
