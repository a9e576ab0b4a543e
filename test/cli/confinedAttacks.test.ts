import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cliFile, type TaskOptions } from './cliBed';
import { users } from '../support/users';
import { ConfinedBed } from './confinedBed';

/** Everything that a task may not touch, tried by its worker in a whole mission: once confined, once observed. */
for (const user of users) {
  describe(`a mission whose worker attacks, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ConfinedBed;
    let listener: Listener;
    beforeEach(async function () {
      bed = new ConfinedBed(this, user);
      listener = await listen(bed);
    });
    afterEach(async () => {
      await listener.close();
      await bed.dispose();
    });

    function stage(): string {
      bed.write('docs/out/lib/.git/config', '[core]\n');
      bed.write('docs/out/other/kept.txt', 'of another task\n');
      bed.write('../.bashrc', '# mine\n');
      bed.write('../.claude/settings.json', '{}\n');
      const other: TaskOptions = {
        task_id: 'T2',
        paths: ['docs/out/other/'],
        script: '',
        verify: [['node', '-e', '']],
      };
      return bed.plan('attacked', [{ task_id: 'T1', script: attacks(bed, listener.port) }, other]);
    }

    it('confined: nothing arrives, and what it wrote elsewhere is named', async () => {
      const plan = stage();
      bed.plan('planned', [{ script: '' }], {}, { approval: { required: true }, status: 'PENDING_APPROVAL' });
      const before = untouchable(bed);
      const run = await bed.mission('run', plan, '--confinement', 'required');
      assert.equal(run.code, 3, run.stdout + run.stderr);
      const [block] = (await bed.view('attacked')).blocks;
      assert.equal(
        block?.reason,
        'T1 wrote README.md (1 line) and new.txt (1 line), outside its approved paths; not kept.',
      );
      const told = JSON.parse(bed.read('docs/out/told.json')) as Record<string, string>;
      const arrived = Object.entries(told).flatMap(([name, answer]) => (answer === 'ARRIVED' ? [name] : []));
      // In the layer, which is gone.
      assert.deepEqual(arrived, ['a file beside the approved ones', 'a new file'], JSON.stringify(told, null, 1));
      await delay(1500); // what was started to write later
      assert.deepEqual(untouchable(bed), before);
      assert.equal(bed.exists('docs/out/late.txt'), false);
      assert.deepEqual(listener.asked, []);
      const verified = await bed.mission('evidence', 'verify', 'attacked');
      assert.equal(verified.code, 0, verified.stdout);
      const recorded = JSON.stringify(await bed.events('attacked'));
      assert.ok(!recorded.includes('Mallory'), 'no command of the worker is on record');
      const status = await bed.mission('status', 'attacked');
      assert.equal(status.json.missions[0]?.status, 'blocked');
    });

    it('observed: writes in the workspace fail the task; what is outside it arrives and is not seen', async () => {
      const run = await bed.mission('run', stage(), '--confinement', 'off');
      assert.equal(run.code, 1, run.stdout + run.stderr);
      assert.equal(run.json.code, 'SCOPE_VIOLATION');
      const changes = bed.evidence('attacked', 'T1').attempts?.[0]?.changes.map(({ path: changed }) => changed) ?? [];
      const seen = ['README.md', 'new.txt', '.git/hooks/post-commit', '.git/config', 'docs/plans/PLAN_attacked.json'];
      for (const name of seen) assert.ok(changes.includes(name), `${name} in ${changes.join(', ')}`);
      const told = JSON.parse(bed.read('docs/out/told.json')) as Record<string, string>;
      for (const name of [
        'the key of approvals',
        'the home',
        'settings of a CLI',
        'a listener in the workspace',
        'a listener on the network',
      ])
        assert.equal(told[name], 'ARRIVED', name);
    });
  });
}

/**
 * Text of the worker's module: each attack by its name, and what became of it in `docs/out/told.json`. What no look at
 * the workspace sees comes first, and being asked to end does not end it, because it is stopped at its first violation.
 */
function attacks(bed: ConfinedBed, port: number): string {
  const outside = JSON.stringify(bed.scratch);
  const mission = (...args: readonly string[]): string =>
    `execFileSync(process.execPath, ${JSON.stringify([cliFile, ...args, '--by', 'Mallory', '--json'])}, { stdio: 'pipe' })`;
  return `import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
fs.mkdirSync('docs/out', { recursive: true });
const outside = ${outside};
const state = '.mission-control';
const runs = fs.globSync(state + '/missions/*/runs/*');
const forged = JSON.stringify({ schema_version: '1.0.0', id: '00000000-0000-4000-8000-000000000001', mission_id: fs.readdirSync(state + '/missions')[0], command: { type: 'CancelMission' }, expected_seq: null, actor: { kind: 'human', name: 'Mallory' }, reason: 'forged', token_sha256: null, from_worker: false, sent_at: new Date().toISOString() });
const ask = (where) => new Promise((resolve, reject) => {
  const socket = net.connect(where, () => socket.end('write for me'));
  socket.once('error', reject).once('close', resolve);
  setTimeout(() => reject(new Error('no answer')), 3000).unref();
});
const every = (files, text = 'forged') => { if (files.length === 0) throw new Error('none'); let last = null; let one = false; for (const file of files) try { fs.writeFileSync(file, text); one = true; } catch (error) { last = error; } if (!one) throw last; };
const tries = {
  'the key of approvals': () => fs.readFileSync(outside + '/.config/mission-control/approval.key'),
  'the home': () => fs.appendFileSync(outside + '/.bashrc', 'x'),
  'settings of a CLI': () => fs.writeFileSync(outside + '/.claude/settings.json', '{"hooks":{}}'),
  'a listener in the workspace': () => ask('docs/out/listener.sock'),
  'a listener on the network': () => ask({ port: ${port}, host: '127.0.0.1' }),
  'a file beside the approved ones': () => fs.appendFileSync('README.md', 'x'),
  'a new file': () => fs.writeFileSync('new.txt', 'x'),
  'a path of another task': () => { fs.mkdirSync('docs/out/other', { recursive: true }); fs.writeFileSync('docs/out/other/x', 'x'); },
  'a hook of git': () => fs.writeFileSync('.git/hooks/post-commit', '#!/bin/sh\\n', { mode: 0o755 }),
  'the configuration of git': () => fs.appendFileSync('.git/config', '\\n'),
  'a nested repository': () => fs.appendFileSync('docs/out/lib/.git/config', '\\n'),
  'the plan': () => fs.appendFileSync('docs/plans/PLAN_attacked.json', '\\n'),
  'evidence': () => fs.writeFileSync('docs/ops/executions/attacked/TASK_T1.json', '{}'),
  'files of its run': () => every(runs.flatMap((run) => ['exit.json', 'claimed.json', 'process.json', 'signals.jsonl', 'heartbeat.json'].map((name) => path.join(run, name)))),
  'the journal': () => every(fs.globSync(state + '/**/*.db')),
  'the lease': () => every(fs.globSync(state + '/**/lease*')),
  'a command in the inbox': () => every(fs.globSync(state + '/**/inbox').map((folder) => path.join(folder, '00000000-0000-4000-8000-000000000001.json')), forged),
  'a cancel by the program': () => ${mission('cancel', 'attacked', '--reason', 'forged')},
  'an approval by the program': () => ${mission('plan', 'approve', 'docs/plans/PLAN_planned.json', '--yes')},
  'a program on PATH': () => fs.writeFileSync(outside + '/bin/git', '#!/bin/sh\\n', { mode: 0o755 }),
  'a listener in the home': () => ask(outside + '/listener.sock'),
};
const told = {};
process.on('SIGTERM', () => undefined);
for (const [name, attack] of Object.entries(tries)) try { await attack(); told[name] = 'ARRIVED'; } catch (error) { told[name] = error.code ?? String(error.message ?? error); }
const late = 'sleep 1; echo x > docs/out/late.txt; echo x >> README.md';
spawn('setsid', ['-f', 'env', '-i', '/bin/sh', '-c', late], { stdio: 'ignore', detached: true }).unref();
fs.writeFileSync('docs/out/told.json', JSON.stringify(told));
`;
}

/** Digests of what no person approved, by name. */
function untouchable(bed: ConfinedBed): Readonly<Record<string, string>> {
  const digests: Record<string, string> = {};
  const look = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const at = path.join(folder, entry.name);
      const name = path.relative(bed.scratch, at);
      // What a mission writes itself, what its task may, and what its runner keeps for this user.
      if (
        /^(wörk dir\/(\.mission-control|docs\/(ops|out\/(?!lib|other)))|\.config\/mission-control|bin\/node$|\.local|\.cache|\.npm|wörk dir\/\.git\/index)/.test(
          name,
        )
      )
        continue;
      if (entry.isDirectory()) look(at);
      else if (entry.isFile()) digests[name] = createHash('sha256').update(readFileSync(at)).digest('hex');
    }
  };
  look(bed.scratch);
  return digests;
}

interface Listener {
  readonly port: number;
  /** What its clients asked it to do. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Listens in the workspace, in the home and on loopback. */
async function listen(bed: ConfinedBed): Promise<Listener> {
  const asked: string[] = [];
  const servers: Server[] = [];
  const open = async (where: string | number): Promise<Server> => {
    const server = createServer((socket) => {
      socket.on('data', (data) => asked.push(data.toString()));
      socket.on('error', () => undefined); // the client went away
    });
    servers.push(server);
    await new Promise<void>((resolve) =>
      typeof where === 'string' ? server.listen(where, resolve) : server.listen(where, '127.0.0.1', resolve),
    );
    return server;
  };
  mkdirSync(bed.at('docs/out'), { recursive: true });
  // A path of a socket may have 107 bytes.
  await open(path.relative(process.cwd(), bed.at('docs/out/listener.sock')));
  await open(path.join(bed.scratch, 'listener.sock'));
  const address = (await open(0)).address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    asked,
    async close() {
      for (const server of servers) await new Promise((resolve) => server.close(resolve));
    },
  };
}
