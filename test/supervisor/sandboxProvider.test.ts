import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { isAlive, processTable } from '../../src/adapters/processes/tree';
import { runFiles, type ExitRecord, type LaunchTicket } from '../../src/contracts/launch';
import { skipWithReason } from '../support/skip';
import { needsReachableCheckout } from '../support/unprivileged';
import { cleanUp, newRun, programFile, until, type Run } from './harness';
import { aLongTime, bubblewrap, processesWith, sandboxArgv } from './sandboxed';

const node = process.execPath;

describe('a worker whose network has the hosts of its provider only', () => {
  let bwrap = '';
  let port = 0;
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end(`provider ${request.method} ${request.url} ${Buffer.concat(chunks).length}`));
  });
  before(async function () {
    bwrap = bubblewrap(this);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(() => server.close());
  afterEach(async () => {
    asked.length = 0;
    await cleanUp();
  });

  const providerRun = (
    argv: readonly string[],
    changes: Partial<LaunchTicket> = {},
    environment?: NodeJS.ProcessEnv,
  ) => {
    const sandbox = sandboxArgv(bwrap, ['--die-with-parent', '--unshare-net']);
    const hosts = [`127.0.0.1:${port}`];
    return newRun(argv, { sandbox: { means: 'bubblewrap', argv: sandbox, hosts }, ...changes }, environment);
  };
  const shell = (program: string, changes: Partial<LaunchTicket> = {}) => providerRun(['sh', '-c', program], changes);
  const ask = (...args: readonly string[]) => providerRun([node, programFile('connect.mjs'), ...args]);
  const heldBack = (exit: ExitRecord): readonly (string | undefined)[] =>
    (exit.summary?.denials ?? []).map(({ tool, reason, source }) => `${tool} ${source} ${reason.split(' ')[0]}`);
  const output = async (run: Run): Promise<string> => {
    const exit = await run.whole();
    assert.equal(exit.exit_code, 0, JSON.stringify(exit));
    return run.read(runFiles.stdout);
  };

  it('reaches one with an ordinary client, in plain and through a tunnel', async () => {
    const body = 'x'.repeat(300_000);
    const run = await providerRun(
      [
        node,
        '-e',
        `(async () => {
          const url = 'http://127.0.0.1:${port}';
          console.log(await (await fetch(url + '/plain')).text());
          console.log(await (await fetch(url + '/sent', { method: 'POST', body: 'x'.repeat(300000) })).text());
        })()`,
      ],
      { env: { NODE_USE_ENV_PROXY: '1' } },
    );
    assert.equal(await output(run), `provider GET /plain 0\nprovider POST /sent ${body.length}\n`);
    assert.match(await output(await ask(`127.0.0.1:${port}`)), /^HTTP\/1\.1 200 [^]*provider GET \/inside 0/);
    assert.match(
      await output(await ask(`http://127.0.0.1:${port}/whole?x`)),
      /^HTTP\/1\.1 200 [^]*provider GET \/whole\?x 0/,
    );
    assert.equal(asked.at(-1)?.headers.host, `127.0.0.1:${port}`);
  });

  it('finds the proxy in every usual variable and none that leads around it; its own end and code count', async () => {
    const run = await shell('env | grep -i _proxy | sort; exit 7', {
      env: { NO_PROXY: '*', http_proxy: 'http://other:1' },
    });
    const exit = await run.whole();
    assert.deepEqual([exit.reason, exit.exit_code, exit.signal, exit.tree_gone], ['exited', 7, null, true]);
    const lines = (await run.read(runFiles.stdout)).trim().split('\n');
    const values = new Set(lines.map((line) => line.slice(line.indexOf('=') + 1)));
    assert.deepEqual(lines.map((line) => line.split('=')[0]).sort(), [
      'ALL_PROXY',
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'NO_PROXY',
      'all_proxy',
      'http_proxy',
      'https_proxy',
      'no_proxy',
    ]);
    assert.match([...values].sort().join(' '), /^ http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('does not reach another host, port or form of a name, and the end of the launch names them', async () => {
    const other = createServer((_, response) => response.end('another'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const closed = (other.address() as AddressInfo).port;
    try {
      for (const target of [`127.0.0.1:${closed}`, `localhost:${port}`, `EXAMPLE.com.:443`, `[::1]:${port}`]) {
        const run = await ask(target);
        const exit = await run.whole();
        assert.match(await run.read(runFiles.stdout), /^HTTP\/1\.1 403 Forbidden[^]*was held back/, target);
        assert.deepEqual(heldBack(exit), [`network network ${target.toLowerCase().replace('.:', ':')}`]);
        // The supervisor reported it while it ran, once.
        assert.deepEqual(
          run.signals.filter(({ kind }) => kind === 'denial'),
          exit.summary?.denials,
        );
      }
      const plain = await ask(`http://127.0.0.1:${closed}/`, `127.0.0.1:${port}`);
      assert.deepEqual(heldBack(await plain.whole()), [`network network 127.0.0.1:${closed}`]);
      assert.match(await plain.read(runFiles.stdout), /^HTTP\/1\.1 403 /);
      assert.deepEqual(asked, []);
    } finally {
      other.close();
    }
  });

  it('is not believed when it confuses hosts', async () => {
    for (const target of [
      `x@127.0.0.1:${port}`,
      '127.0.0.1',
      `http://x@127.0.0.1:${port}/`,
      '/',
      `2130706433:${port}`,
    ]) {
      const text = await output(await ask(target, `127.0.0.1:${port}`));
      assert.match(text, /^HTTP\/1\.1 400 /, target);
    }
    assert.deepEqual(asked, []);
  });

  it('has no other way out: no socket, no name, nothing of this machine, no proxy on the disk', async () => {
    const temporary = await mkdtemp(path.join(os.tmpdir(), 'mission-tmp-'));
    const program = `const net = require('node:net'), dns = require('node:dns'), fs = require('node:fs');
       const told = (name) => (error) => console.log(name, error ? error.code ?? error.message : 'REACHED');
       net.connect(${port}, '127.0.0.1', () => told('direct')()).on('error', told('direct'));
       net.connect(53, '192.0.2.1', () => told('outside')()).on('error', told('outside'));
       new dns.Resolver({ timeout: 500, tries: 1 }).resolve4('example.com', told('dns'));
       console.log('left', fs.readdirSync(${JSON.stringify(temporary)}).length);`;
    const environment = { PATH: process.env['PATH'], TMPDIR: temporary };
    const lines = (await output(await providerRun([node, '-e', program], {}, environment))).trim().split('\n').sort();
    await rm(temporary, { recursive: true });
    assert.match(
      lines.join('; '),
      /^direct ECONNREFUSED; dns E\w+; left 0; outside E(NETUNREACH|HOSTUNREACH|ACCES|INVAL)$/,
    );
  });

  it('cannot put a secret into evidence by asking for a host of that name', async () => {
    const MY_TOKEN = 'Quiet-And-Unusual-Value';
    const sandbox = sandboxArgv(bwrap, ['--die-with-parent', '--unshare-net']);
    const run = await newRun(
      ['sh', '-c', `exec "${node}" "${programFile('connect.mjs')}" "$MY_TOKEN.example:443"`],
      { sandbox: { means: 'bubblewrap', argv: sandbox, hosts: [] }, env_names: ['MY_TOKEN'] },
      { PATH: process.env['PATH'], MY_TOKEN },
    );
    const exit = await run.whole();
    assert.match(exit.summary?.denials[0]?.reason ?? '', /^\[redacted:environment\]\.example:443 was held back/);
    for (const file of [runFiles.exit, runFiles.signals, runFiles.stdout])
      assert.doesNotMatch(await run.read(file), /unusual.value/i, file);
  });

  it('that floods the proxy is refused, and the supervisor goes on', async () => {
    assert.match(await output(await ask(`127.0.0.1:${port}`, 'x', '20000')), /^HTTP\/1\.1 431 /);
    const flood = await providerRun([
      node,
      '-e',
      `const net = require('node:net');
       const { port } = new URL(process.env.HTTP_PROXY);
       let left = 400;
       for (let n = 0; n < 400; n += 1) {
         const one = net.connect(port, '127.0.0.1', () => one.write('CONNECT host' + n + '.example:443 HTTP/1.1\\r\\n\\r\\n'));
         one.on('error', () => undefined).on('close', () => { left -= 1; if (left === 0) console.log('all ended'); });
         one.resume();
       }`,
    ]);
    const exit = await flood.whole();
    assert.equal(await flood.read(runFiles.stdout), 'all ended\n');
    assert.deepEqual([heldBack(exit).length, heldBack(exit).at(-1)], [21, 'network network further']);
  });

  it('is process.json by its pid out here, below the relay, whose arguments tell it apart', async () => {
    const time = aLongTime();
    const run = await providerRun(['sleep', time], { worker: 'claude' });
    const { worker, namespace } = await run.start();
    assert.ok(worker && namespace);
    assert.deepEqual(await processTable.commandLine(worker.pid), ['sleep', time]);
    const above = (await processTable.read(worker.pid))?.parent ?? 0;
    assert.equal((await processTable.commandLine(above))[2], 'relay');
    assert.equal((await processTable.read(above))?.parent, namespace.pid);
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await run.awaitExit();
    assert.deepEqual(
      [exit.reason, exit.exit_code, exit.signal, exit.tree_gone],
      ['stop_requested', null, 'SIGTERM', true],
    );
    assert.deepEqual(await processesWith(time), []);
  });

  it('that catches SIGTERM keeps its grace time, its network and its code', async () => {
    const program = `
      process.on('SIGTERM', async () => {
        console.log(await (await fetch('http://127.0.0.1:${port}/late')).text());
        process.exit(3);
      });
      setInterval(() => undefined, 1000); console.log('ready');`;
    const run = await providerRun([node, '-e', program], { grace_seconds: 60, env: { NODE_USE_ENV_PROXY: '1' } });
    await run.start();
    await until('its first line', async () => (await run.read(runFiles.stdout)) === 'ready\n');
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.exit_code, exit.signal, exit.tree_gone], ['stop_requested', 3, null, true]);
    assert.equal(await run.read(runFiles.stdout), 'ready\nprovider GET /late 0\n');
  });

  it('leaves no process and no way out when its supervisor is killed', async () => {
    const time = aLongTime();
    const run = await providerRun(['sh', '-c', `echo ready; exec env -i /bin/sleep ${time}`]);
    const { supervisor, namespace, worker } = await run.start();
    assert.ok(worker && namespace);
    const relay = (await processTable.read(worker.pid))?.parent ?? 0;
    const socket = (await processTable.commandLine((await processTable.read(namespace.pid))?.parent ?? 0)).find(
      (word) => word.includes('mission-network-'),
    );
    assert.ok(socket);
    process.kill(supervisor.pid, 'SIGKILL');
    const exit = await run.awaitExit();
    assert.deepEqual([exit.reason, exit.tree_gone, exit.survivors], ['supervisor_lost', true, []]);
    assert.equal(await isAlive(namespace), false);
    assert.deepEqual([await processesWith(time), existsSync(`/proc/${relay}`), existsSync(socket)], [[], false, false]);
  });

  it('that cannot be started says so by its code and its words', async () => {
    const run = await providerRun(['/nowhere/worker']);
    const exit = await run.whole();
    assert.equal(exit.exit_code, 127);
    assert.match(exit.stderr_tail, /\/nowhere\/worker cannot be started: it is not there/);
  });

  it('listens for no other program: the supervisor has no port', async () => {
    const run = await shell('sleep 60');
    const { supervisor } = await run.start();
    const sockets = new Set(
      [
        ...readFileSync(`/proc/${supervisor.pid}/net/tcp`, 'utf8').matchAll(/: \S+ 00000000:0000 0A .* (\d+) \d \S+ /g),
      ].map(([, inode]) => inode),
    );
    const { readdirSync, readlinkSync } = await import('node:fs');
    const own = readdirSync(`/proc/${supervisor.pid}/fd`).map((fd) => {
      try {
        return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${supervisor.pid}/fd/${fd}`))?.[1];
      } catch {
        return undefined; // closed meanwhile
      }
    });
    assert.deepEqual(
      own.filter((inode) => inode !== undefined && sockets.has(inode)),
      [],
    );
    await run.launches.requestStop(run.runDir, run.known, 'enough');
    await run.awaitExit();
  });
});

describe('a worker whose network is held, for root', () => {
  it('is held as by an unprivileged user', async function () {
    bubblewrap(this);
    if (process.getuid?.() !== 0) skipWithReason(this, 'only root can become another user');
    needsReachableCheckout(this);
    const home = await mkdtemp(path.join(os.tmpdir(), 'mission-nobody-'));
    await chown(home, 65534, 65534);
    const mocha = path.resolve('node_modules/mocha/bin/mocha.js');
    const options = ['--no-config', '--timeout', '120000', '-g', 'the hosts of its provider only'];
    try {
      const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, NO_COLOR: '1' };
      const argv = [mocha, ...options, 'dist-test/supervisor/sandboxProvider.test.js'];
      const ran = await promisify(execFile)(node, argv, { env, uid: 65534, gid: 65534 }).catch((error: unknown) => ({
        stdout: JSON.stringify(error),
      }));
      assert.match(ran.stdout, /12 passing/, ran.stdout);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
