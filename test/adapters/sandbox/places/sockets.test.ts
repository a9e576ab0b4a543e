import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { listedSockets } from '../../../../src/adapters/sandbox/places/sockets';
import { usersOfTier } from '../../../support/users';
import { makeBed, removeBeds, type Asked, type Bed } from '../bed';

const servers: Server[] = [];

/** A server outside that writes a file for every client. */
async function listen(at: string, arrived: string): Promise<void> {
  const server = createServer((connection) => {
    connection.on('error', () => undefined);
    connection.on('data', () => {
      writeFileSync(arrived, 'written for a worker\n');
      connection.end('done');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
}

const client = `
const socket = require('node:net').connect(process.env.AT.replace('@', '\\0'));
socket.on('connect', () => socket.write('write it'));
socket.on('data', () => socket.end());
socket.on('error', (error) => console.log(error.code));
`;

const server = `
process.on('message', (folder) => (process.chdir(folder), process.send('moved')));
require('node:net').createServer((one) => one.on('data', () => {
  require('node:fs').writeFileSync(process.env.ARRIVED, 'written');
  one.end('done');
})).listen('relative.sock', () => console.log('ready'));
`;

/** A program of Node as a line of the shell. */
function shell(program: string): string {
  return `"${process.execPath}" -e '${program.replaceAll("'", `'\\''`)}'`;
}

/** Asks a socket whose name stands in the script alone, because the environment's names are found anyway. */
function asking(at: string): string {
  return `AT='${at.replace('\0', '@').replaceAll("'", `'\\''`)}' ${shell(client)}`;
}

interface Place {
  readonly name: string;
  readonly where?: 'tmp';
  readonly at: (bed: Bed) => string;
  /** What else the environment of the worker and of the one who starts it says. */
  readonly environment?: (bed: Bed) => Record<string, string>;
  readonly asked?: Asked;
  /** The socket gets another name after it was bound, as OpenSSH and others do. */
  readonly linked?: boolean;
}

const places: readonly Place[] = [
  { name: 'below /tmp', where: 'tmp', at: (bed) => path.join(bed.outside, 's') },
  { name: 'in the workspace', at: (bed) => path.join(bed.workspace, 'dev.sock') },
  { name: 'in the workspace below /tmp', where: 'tmp', at: (bed) => path.join(bed.workspace, 'dev.sock') },
  { name: 'in an approved folder', at: (bed) => path.join(bed.workspace, 'out/a/dev.sock') },
  { name: 'beside an approved file', at: (bed) => path.join(bed.workspace, 'app/dev.sock') },
  { name: 'in the home', at: (bed) => path.join(bed.home, '.agent/s') },
  { name: 'in the home itself', at: (bed) => path.join(bed.home, 's') },
  { name: 'in a folder of a CLI', at: (bed) => path.join(bed.home, '.cli/ipc.sock') },
  {
    name: 'in the folder of the session',
    at: (bed) => path.join(bed.outside, 'session/bus'),
    environment: (bed) => ({ XDG_RUNTIME_DIR: path.join(bed.outside, 'session') }),
  },
  { name: 'in a folder that programs name so', at: (bed) => path.join(bed.home, '.config/tool/sockets/s') },
  { name: 'under another name, for ssh', at: (bed) => path.join(bed.home, '.ssh/c/host'), linked: true },
  {
    name: 'under another name, for a plan with secrets',
    at: (bed) => path.join(bed.home, '.ssh/c/host'),
    asked: { secrets: 'all' },
    linked: true,
  },
  { name: 'under another name, in the workspace', at: (bed) => path.join(bed.workspace, 'src/dev'), linked: true },
  { name: 'with odd names', at: (bed) => path.join(bed.outside, 'o\'d d\n"ü', '- s\n') },
  { name: 'without a path, no network', at: (bed) => `\0${path.basename(bed.folder)}` },
];

describe('sockets outside', function () {
  this.timeout(60_000);
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  after(removeBeds);

  for (const user of usersOfTier) {
    for (const { name, where, at, environment, asked, linked = false } of places) {
      it(`are out of reach ${name}, as ${user}`, async function () {
        const bed = makeBed(this, user, where);
        bed.put({ 'out/': '', 'app/one.txt': '', [`${bed.home}/.cli/x`]: '', [`${bed.outside}/session/pid`]: '' });
        const place = at(bed);
        const arrived = path.join(bed.folder, 'arrived');
        if (place.startsWith('/')) mkdirSync(path.dirname(place), { recursive: true });
        const bound = linked ? `${place}.Vx1z` : place;
        await listen(bound, arrived);
        if (linked) {
          linkSync(bound, place);
          unlinkSync(bound);
        }
        Object.assign(bed.environment, environment?.(bed));
        const home = [{ variable: null, below: '', otherwise: '.cli', entries: [] }];
        const script = asking(place);
        const ran = await bed.confined({ writable: ['out', 'app/one.txt'], home, ...asked }, script);
        assert.match(ran.output, /^(ECONNREFUSED|ENOENT)\n$/);
        assert.ok(!existsSync(arrived));
        const free = await bed.free(script);
        assert.equal(free.output, '');
        assert.ok(existsSync(arrived), 'without the sandbox it is reached');
      });
    }

    it(`are out of reach in a cache, as ${user}`, async function () {
      const bed = makeBed(this, user);
      const at = path.join(bed.home, '.cache/s');
      mkdirSync(path.dirname(at), { recursive: true });
      await listen(at, path.join(bed.folder, 'arrived'));
      bed.environment['AT'] = at;
      const { output } = await bed.confined({ caches: { env_names: [], shared: { name: 'only' } } }, shell(client));
      assert.match(output, /^ECONNREFUSED\n$/);
    });

    it(`are out of reach where they were named from their own folder, as ${user}`, async function () {
      const bed = makeBed(this, user);
      bed.put({ 'deep/folder/': '' });
      const arrived = path.join(bed.folder, 'arrived');
      const listener = spawn(process.execPath, ['-e', server], {
        cwd: path.join(bed.workspace, 'deep/folder'),
        env: { ARRIVED: arrived },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      try {
        await once(listener.stdout, 'data');
        const script = asking(path.join(bed.workspace, 'deep/folder/relative.sock'));
        assert.equal((await bed.confined({}, script)).output, 'ECONNREFUSED\n');
        assert.equal((await bed.free(script)).output, '');
        assert.ok(existsSync(arrived), 'without the sandbox it is reached');
      } finally {
        listener.kill('SIGKILL');
      }
    });

    for (const folder of ['ws/src', 'home/proj'])
      it(`are out of reach in ${folder} where their program works elsewhere by now, as ${user}`, async function () {
        const bed = makeBed(this, user);
        const at = path.join(bed.folder, folder);
        mkdirSync(at, { recursive: true });
        const arrived = path.join(bed.folder, 'arrived');
        const listener = spawn(process.execPath, ['-e', server], {
          cwd: at,
          env: { ARRIVED: arrived },
          stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        });
        try {
          await once(listener.stdout as Readable, 'data');
          listener.send('/');
          await once(listener, 'message');
          const script = asking(path.join(at, 'relative.sock'));
          assert.match((await bed.confined({}, script)).output, /^(ECONNREFUSED|ENOENT)\n$/);
          assert.equal((await bed.free(script)).output, '');
          assert.ok(existsSync(arrived), 'without the sandbox it is reached');
        } finally {
          listener.kill('SIGKILL');
        }
      });

    it(`are out of reach in a folder of secrets, made after the start, as ${user}`, async function () {
      const bed = makeBed(this, user);
      bed.put({ 'out/': '', [`${bed.home}/.ssh/config`]: '' });
      const arrived = path.join(bed.folder, 'arrived');
      const [started, late] = [path.join(bed.workspace, 'out/started'), path.join(bed.home, '.ssh/late')];
      const script = `: > out/started; while [ ! -e go ]; do sleep 0.1; done; ${asking(late)}`;
      const running = bed.confined({ writable: ['out'] }, script);
      while (!existsSync(started)) await sleep(50);
      await listen(late, arrived);
      writeFileSync(path.join(bed.workspace, 'go'), '');
      assert.equal((await running).output, 'ENOENT\n');
      assert.ok(!existsSync(arrived));
    });

    it(`of a private folder of the launch are its own, as ${user}`, async function () {
      const bed = makeBed(this, user);
      const script = `"${process.execPath}" -e '
        const net = require("node:net");
        net.createServer((one) => one.end("hello")).listen(process.env.TMP_SOCKET, () =>
          net.connect(process.env.TMP_SOCKET).on("data", (data) => (console.log(String(data)), process.exit())));'`;
      bed.environment['TMP_SOCKET'] = '/tmp/own.sock';
      assert.equal((await bed.confined({}, script)).output, 'hello\n');
    });
  }

  it('are read out of the list of the kernel, whatever their path holds', () => {
    const line = (at: string, flags = '00010000'): string =>
      `000000009c8c1fd4: 00000002 00000000 ${flags} 0001 01 10992412${at === '' ? '' : ` ${at}`}\n`;
    const text = `Num       RefCount Protocol Flags    Type St Inode Path\n${line('/run/a')}${line('')}${line('@abstract')}${line('/tmp/two\nlines')}${line('relative.sock')}${line('/with blank ')}${line('/run/a')}`;
    assert.deepEqual(listedSockets(text), {
      absolute: ['/run/a', '/tmp/two\nlines', '/with blank '],
      relative: ['relative.sock'],
    });
  });

  it('may be listed in masses', () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, n) => `00000000aaaaaaaa: 00000002 00000000 00010000 0001 01 ${n} /run/s${n}\n`,
    );
    assert.equal(listedSockets(lines.join('')).absolute.length, 100_000);
  });
});
