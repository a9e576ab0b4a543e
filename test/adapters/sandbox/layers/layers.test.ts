import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { createSandboxes } from '../../../../src/adapters/sandbox/sandboxes';
import { skipWithReason } from '../../../support/skip';
import { users } from '../../../support/users';
import { idsOf, layersOf, makeLayersBed, own, removeBeds, type Bed } from '../bed';

const servers: Server[] = [];

async function listen(at: string): Promise<void> {
  const server = createServer((connection) => connection.on('error', () => undefined).end('reached'));
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
}

/** Connects to each path, and prints what comes of it. */
const client = `const net = require('node:net');
for (const at of process.argv.slice(1)) net.connect(at).on('data', (data) => console.log(data + ' ' + at)).on('error', (error) => console.log(error.code + ' ' + at));`;

/** Binds a name, gives the socket another one, and removes the first: the kernel lists a name that is gone. */
const renames = `const fs = require('node:fs');
const [first, second] = process.argv.slice(1);
require('node:net').createServer((one) => one.on('error', () => undefined).end('reached')).listen(first, () => {
  fs.chmodSync(first, 0o777);
  fs.linkSync(first, second);
  fs.unlinkSync(first);
  console.log('ready');
});`;

const caches = { env_names: [], shared: { name: 'mission' } };
const points: string[] = [];

/** Mounts something at a place, which only root can. */
function mounted(context: Context, at: string, type: string, options: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', ['-t', type, 'none', ...options, at], { encoding: 'utf8' });
  if (status !== 0) skipWithReason(context, `nothing can be mounted here: ${stderr.trim()}`);
  points.push(at);
}

function connecting(...places: readonly string[]): string {
  return `'${process.execPath}' -e "$CLIENT" ${places.map((at) => `'${at}'`).join(' ')}`;
}

for (const { user, by } of layersOf(users))
  describe(`HOME as a layer, as ${user}, bubblewrap: ${by}`, function () {
    this.timeout(120_000);
    afterEach(() => {
      for (const server of servers.splice(0)) server.close();
      for (const at of points.splice(0)) spawnSync('umount', [at]);
      removeBeds();
    });

    const seesLayer = async (bed: Bed): Promise<void> => {
      const { layers } = await bed.line({});
      assert.equal(layers?.home, bed.home);
    };

    it('closes a socket with another name than it was bound to, and one that is made after the start', async function () {
      const bed = makeLayersBed(this, user, by);
      bed.environment['CLIENT'] = client;
      const [first, second, late] = ['proj/s/x.RANDOM', 'proj/s/x', 'proj/late'].map((name) =>
        path.join(bed.home, name),
      ) as [string, string, string];
      // Not alone in its folder, which would be covered whole.
      bed.put({ [path.join(path.dirname(first), 'other')]: '', [path.dirname(late) + '/']: '', 'out/': '' });
      const server = spawn(process.execPath, ['-e', renames, first, second], { stdio: ['ignore', 'pipe', 'inherit'] });
      try {
        await new Promise((resolve) => server.stdout.once('data', resolve));
        const out = path.join(bed.workspace, 'out');
        const script = `touch out/ready; while [ ! -e out/go ]; do sleep 0.05; done; ${connecting(second, late)}`;
        const ran = bed.confined({ writable: ['out'] }, script);
        while (!existsSync(path.join(out, 'ready'))) await new Promise((resolve) => setTimeout(resolve, 20));
        await listen(late);
        chmodSync(late, 0o777);
        writeFileSync(path.join(out, 'go'), '');
        const { output } = await ran;
        assert.match(output, new RegExp(`ECONNREFUSED ${second}`));
        assert.match(output, new RegExp(`ECONNREFUSED ${late}`));
        assert.equal((await bed.free(connecting(second))).output, `reached ${second}\n`);
      } finally {
        server.kill('SIGKILL');
      }
    });

    it('shows what is there, and takes nothing', async function () {
      const bed = makeLayersBed(this, user, by);
      bed.put({ [path.join(bed.home, '.bashrc')]: 'mine', [path.join(bed.home, 'a, b:c/x')]: 'mine' });
      await seesLayer(bed);
      const script =
        'cat ~/.bashrc ~/"a, b:c/x"; for f in ~/.bashrc ~/new ~/.cache/x ~/"a, b:c/x"; do echo x > "$f"; done; rm -f ~/.bashrc; ls -a ~';
      const { output } = await bed.confined({}, script);
      assert.match(output, /^minemine/);
      assert.equal(output.match(/Read-only file system|Directory nonexistent/g)?.length, 5, output);
      assert.equal(readFileSync(path.join(bed.home, '.bashrc'), 'utf8'), 'mine');
    });

    it('leaves the worker no rights that its layers needed', async function () {
      const bed = makeLayersBed(this, user, by);
      bed.put({ [path.join(bed.home, '.cache/x')]: 'mine' });
      const script =
        'grep CapEff /proc/self/status; id -u; mount -t tmpfs x /mnt; umount ~; echo y > ~/.cache/x; cat ~/.cache/x';
      const { output } = await bed.confined({ caches }, script);
      const [capabilities, id] = output.split('\n');
      if (user === 'root') assert.match(capabilities ?? '', /CapEff:\t00000000000000cb/);
      else assert.match(capabilities ?? '', /CapEff:\t0000000000000000/);
      assert.equal(id, user === 'root' ? '0' : user === 'nobody' ? '65534' : `${process.getuid?.()}`);
      assert.match(output, /^y$/m);
      assert.equal(readFileSync(path.join(bed.home, '.cache/x'), 'utf8'), 'mine');
    });

    it('gives two launches at once a layer each', async function () {
      const bed = makeLayersBed(this, user, by);
      bed.put({ [path.join(bed.home, '.npm/a')]: 'a', 'out/': '' });
      const asked = { writable: ['out'], caches };
      const other = path.join(path.dirname(bed.run), '2-b');
      mkdirSync(other, { recursive: true });
      const script = (name: string): string =>
        `cat ~/.npm/a; echo ${name} > ~/.npm/a; touch ~/.npm/${name} out/${name}; until [ -e out/one -a -e out/two ]; do sleep 0.05; done; cat ~/.npm/a; ls ~/.npm`;
      const one = bed.confined(asked, script('one'));
      while (!existsSync(path.join(bed.workspace, 'out/one'))) await new Promise((resolve) => setTimeout(resolve, 20));
      const two = await bed.confined({ ...asked, run_dir: other }, script('two'));
      assert.deepEqual([(await one).output, two.output], ['aone\na\none\n', 'atwo\na\ntwo\n']);
    });

    it('is left out where something is mounted in it, and that is said', async function () {
      const bed = makeLayersBed(this, user, by);
      const at = path.join(bed.home, 'a volume');
      bed.put({ [`${at}/`]: '', [path.join(bed.home, '.npm/a')]: 'a' });
      mounted(this, at, 'tmpfs', []);
      const { layers, coarser } = await bed.line({ caches });
      assert.equal(layers?.home, null);
      assert.ok(
        coarser.includes(`HOME is no layer, because ${at} is mounted in it: its sockets are closed by their names.`),
        coarser.join('\n'),
      );
      const { output } = await bed.confined({ caches }, 'echo b > ~/.npm/b; ls ~/.npm; echo c > ~/c');
      assert.match(output, /^a\nb\n.*Read-only/s);
    });

    it('is left out where no layer can lie: caches begin empty, and that is said', async function () {
      const bed = makeLayersBed(this, user, by);
      bed.put({ [path.join(bed.home, '.npm/a')]: 'a' });
      const parts = ['lower', 'up', 'work'].map((name) => path.join(bed.outside, name));
      for (const one of parts) mkdirSync(one);
      mounted(this, bed.state, 'overlay', ['-o', `lowerdir=${parts[0]},upperdir=${parts[1]},workdir=${parts[2]}`]);
      const sandboxes = createSandboxes({
        environment: bed.environment,
        home: bed.home,
        user: idsOf(user),
        state: bed.state,
        caches: () => path.join(bed.state, 'caches'),
      });
      const standing = await sandboxes.standing();
      assert.ok(standing.kind === 'available' && standing.no_layers !== null, JSON.stringify(standing));
      const run = async (script: string, network = false): Promise<string> => {
        const answer = await sandboxes.line(bed.boundary({ caches, network }));
        assert.ok(answer.ok && answer.value.layers === undefined, JSON.stringify(answer));
        assert.match(
          answer.value.coarser.join(),
          /HOME is no layer, because \S+ lies on overlayfs itself, .+: its sockets are closed by their names\./,
        );
        if (user === 'nobody') for (const one of [bed.folder, bed.state]) own(one);
        return (await bed.spawn([...answer.value.argv, '/bin/sh', '-c', script])).output;
      };
      assert.equal(await run('ls "$npm_config_cache"; echo b > "$npm_config_cache/b"; cat ~/.npm/a'), 'a');
      assert.equal(await run('ls "$npm_config_cache"'), 'b\n');
      assert.equal(await run('ls "$npm_config_cache"', true), '');
    });

    it('writes a cache whose folder has another group', async function () {
      const bed = makeLayersBed(this, user, by);
      const store = path.join(bed.home, '.npm/_cacache');
      bed.put({ [path.join(store, 'a')]: 'a' });
      if (user === 'nobody') {
        own(bed.home);
        chownSync(store, 65534, 0);
        chmodSync(store, 0o2775);
      }
      const { coarser } = await bed.line({ caches });
      const begins = coarser.some((note) => note.includes(`${store} has another group than yours`));
      assert.equal(begins, user === 'nobody', coarser.join('; '));
      const { output } = await bed.confined(
        { caches },
        'mkdir -p ~/.npm/_cacache/new && echo b > ~/.npm/_cacache/b; cat ~/.npm/_cacache/b',
      );
      assert.equal(output, 'b\n');
    });

    it('leaves nothing beside the folders of launches', async function () {
      const bed = makeLayersBed(this, user, by);
      await seesLayer(bed);
      assert.deepEqual(readdirSync(bed.state), ['caches']);
      rmSync(bed.run, { recursive: true });
      const other = path.join(path.dirname(bed.run), '2-b');
      mkdirSync(other, { recursive: true });
      await bed.line({ run_dir: other });
      assert.equal(
        readdirSync(path.join(bed.state, 'caches/launches')).length,
        1,
        'that of a run that is gone is removed',
      );
    });
  });
