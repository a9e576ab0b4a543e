import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { CliBed, decision, olderNode, start } from './cliBed';

/** The ground a mission stands on: what kind of repository it is, and where our own programs are started from. */
describe('cli: the ground of a mission', function () {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const writes = `${start} fs.writeFileSync('docs/out/a.txt', 'a');`;
  const verify = [['node', '-e', 'require("node:fs").readFileSync("docs/out/a.txt")']];

  it('runs in a repository whose package.json says that its files are ES modules', async () => {
    bed.write('package.json', '{ "type": "module" }\n');
    const ended = await bed.mission('run', bed.plan('esm', [{ script: writes, verify }]));
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.equal(ended.json.status, 'completed');
  });

  it('starts its supervisor from the user’s state folder, and leaves no program in the workspace', async () => {
    const state = path.join(bed.scratch, 'state of ours');
    const env = { ...bed.env, MISSION_CONTROL_HOME: state };
    const plan = bed.plan('state', [{ script: writes, verify }]);
    const ended = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'run', plan, '--json'], { env })
      .ended;
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    assert.equal(existsSync(bed.at('.mission-control/bin')), false);
    const copies = readdirSync(path.join(state, 'programs'));
    assert.equal(copies.length, 1, copies.join());
    const [copy = ''] = copies;
    const bytes = readFileSync(path.join(state, 'programs', copy));
    assert.ok(bytes.equals(readFileSync(path.resolve('dist/supervisor.cjs'))));
    assert.ok(copy.includes(createHash('sha256').update(bytes).digest('hex').slice(0, 16)), copy);
  });

  for (const [what, spoil] of [
    ['is a file', (at: string) => writeFileSync(at, '')],
    ['is not absolute', () => undefined],
  ] as const)
    it(`refuses before anything starts when the state folder ${what}`, async () => {
      const state = what === 'is not absolute' ? 'relative/state' : path.join(bed.scratch, 'spoilt');
      spoil(state);
      const env = { ...bed.env, MISSION_CONTROL_HOME: state };
      const plan = bed.plan('unavailable', [{ script: writes }]);
      const ended = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'run', plan, '--json'], { env })
        .ended;
      assert.equal(ended.code, 4, ended.stdout + ended.stderr);
      assert.equal(ended.json.code, 'STATE_FOLDER_UNAVAILABLE');
      assert.match(ended.stdout, /MISSION_CONTROL_HOME/);
      assert.equal(existsSync(bed.at('docs/out')), false);
      assert.equal(existsSync(bed.at('docs/ops')), false);
    });

  it('starts no program that a worker left in the workspace, whatever the search path says', async () => {
    // The first task does what `npx` and a worker do together; every later program is looked up in that folder first.
    const bin = bed.at('node_modules/.bin');
    const names = ['git', 'node', 'sh', 'codex'];
    const plant = `${start} fs.mkdirSync('node_modules/.bin', { recursive: true });
      for (const name of ${JSON.stringify(names)}) fs.writeFileSync('node_modules/.bin/' + name, '#!/bin/sh\\necho ' + name + ' >> ${bed.scratch}/planted\\n', { mode: 0o755 });
      fs.writeFileSync('docs/out/a.txt', 'a');`;
    bed.write('.gitignore', '.mission-control/\nnode_modules/\n');
    bed.write('node_modules/.bin/there', ''); // a new folder of packages would be a change
    bed.git('commit', '-qam', 'ignores');
    const tasks = [
      { script: plant, verify },
      { script: `${start} fs.writeFileSync('docs/out/b.txt', 'b');`, verify },
    ];
    const env = { ...bed.env, PATH: `${bin}${path.delimiter}${bed.env['PATH'] ?? ''}` };
    const ended = await bed.spawn(
      process.execPath,
      [path.resolve('dist/cli.js'), 'run', bed.plan('path', tasks), '--json'],
      { env },
    ).ended;
    assert.equal(existsSync(path.join(bed.scratch, 'planted')), false, 'a planted program was started');
    assert.ok(existsSync(path.join(bin, 'git')));
    assert.equal(ended.json.status, 'completed', ended.stdout + ended.stderr);
  });

  it('gives no task a lock on the state folder where HOME is the workspace', async () => {
    const env = { ...bed.env, HOME: bed.root };
    const run = (plan: string) =>
      bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'run', plan, '--json'], { env }).ended;
    const refused = await run(bed.plan('home', [{ script: writes, paths: ['docs/out/', '.local/'] }]));
    assert.equal(refused.code, 2, refused.stdout + refused.stderr);
    assert.equal(refused.json.code, 'NON_COMPLIANT');
    assert.match(refused.json.reason, /\.local\/state\/mission-control/);
    const key = await run(
      bed.plan('key', [{ script: writes, paths: ['docs/out/', '.config/mission-control/approval.key'] }]),
    );
    assert.equal(key.json.code, 'NON_COMPLIANT', key.stdout + key.stderr);

    const completed = await run(bed.plan('within', [{ script: writes, verify }]));
    assert.equal(completed.json.status, 'completed', completed.stdout + completed.stderr);

    const plants = `${writes} const at = '.local/state/mission-control/programs/planted.cjs'; fs.writeFileSync(at, '');`;
    const violated = await run(bed.plan('plants', [{ script: plants }]));
    assert.equal(violated.json.tasks[0]?.status, 'blocked', violated.stdout + violated.stderr);
    assert.match(violated.json.reason, /planted\.cjs/);
    await bed.mission('cancel', violated.json.mission_id, ...decision);

    const steals = `${writes} fs.mkdirSync('.config/mission-control', { recursive: true }); fs.writeFileSync('.config/mission-control/approval.key', 'mine');`;
    const stolen = await run(bed.plan('steals', [{ script: steals }]));
    assert.equal(stolen.json.tasks[0]?.status, 'blocked', stolen.stdout + stolen.stderr);
  });

  it('lets the doctor start a real supervisor, which leaves nothing behind and fails where a mission would', async () => {
    bed.write('package.json', '{ "type": "module" }\n');
    const look = async (env: NodeJS.ProcessEnv = bed.env) => {
      const { code, json } = await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'doctor', '--json'], {
        env,
      }).ended;
      return {
        code,
        ...(json.checks.find(({ id }) => id === 'supervisor') ?? assert.fail('no check of the supervisor')),
      };
    };
    const before = readdirSync(bed.root);
    const healthy = await look();
    assert.deepEqual([healthy.code, healthy.ok, healthy.required], [0, true, true], healthy.detail);
    assert.match(healthy.detail, /programs.supervisor-.*\.cjs started, ran a program in .* and saw it end/);
    assert.deepEqual(readdirSync(bed.root), before);

    await bed.mission('run', bed.plan('first', [{ script: writes, verify }]));
    const ofMissions = () => readdirSync(bed.at('.mission-control')).filter((name) => !name.startsWith('state.db-'));
    const own = ofMissions();
    assert.equal((await look()).ok, true);
    assert.deepEqual(ofMissions(), own);

    const spoilt = path.join(bed.scratch, 'spoilt');
    writeFileSync(spoilt, '');
    const sick = await look({ ...bed.env, MISSION_CONTROL_HOME: spoilt });
    assert.deepEqual([sick.code, sick.ok], [4, false]);
    assert.match(sick.detail, /STATE_FOLDER_UNAVAILABLE/);
    assert.match(sick.fix, /MISSION_CONTROL_HOME/);

    const state = path.join(bed.scratch, 'replaced');
    const env = { ...bed.env, MISSION_CONTROL_HOME: state };
    assert.equal((await look(env)).ok, true);
    // A supervisor that cannot run here: what is named like it is a folder.
    const [copy = ''] = readdirSync(path.join(state, 'programs'));
    rmSync(path.join(state, 'programs', copy));
    mkdirSync(path.join(state, 'programs', copy));
    const stuck = await look(env);
    assert.deepEqual([stuck.code, stuck.ok], [4, false]);
    assert.match(stuck.detail, /STATE_FOLDER_UNAVAILABLE.* it is a folder/);
  });

  it('copies Node out of the workspace’s own packages to run on, also where an older Node hands over', async function () {
    // As `npx mission` starts it where both are development dependencies.
    installInto(bed.at('node_modules/mission-control'));
    const node = bed.at('node_modules/node/bin/node');
    mkdirSync(path.dirname(node), { recursive: true });
    copyFileSync(process.execPath, node);
    bed.write('.gitignore', '.mission-control/\nnode_modules/\n');
    const tells = `${start} fs.writeFileSync('docs/out/exe', fs.readlinkSync('/proc/' + process.ppid + '/exe'));`;
    if (process.platform !== 'linux') skipWithReason(this, 'only Linux tells what a process runs');
    const old = olderNode();
    for (const [name, runner] of [['local', node], ...(old === null ? [] : [['handed', old] as const])] as const) {
      const plan = bed.plan(name, [{ script: tells, verify: [['node', '-e', '0']] }]);
      const ended = await bed.spawn(runner, [bed.at('node_modules/mission-control/dist/cli.js'), 'run', plan, '--json'])
        .ended;
      assert.equal(ended.json.status, 'completed', ended.stdout + ended.stderr);
      const state = path.join(bed.scratch, '.local/state/mission-control/programs/node-');
      assert.ok(bed.read('docs/out/exe').startsWith(state), bed.read('docs/out/exe'));
    }
  });

  it('keeps compiled code in the folder of this user alone, and makes no folder for it', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'Windows has no modes of folders');
    const state = bed.at('state-of-user');
    const compiled = path.join(state, 'compiled');
    const version = async (): Promise<boolean> => {
      // The runner of the tests names a folder of its own, which counts first.
      const env = { ...bed.env, MISSION_CONTROL_HOME: state, NODE_COMPILE_CACHE: undefined };
      assert.equal(
        (await bed.spawn(process.execPath, [path.resolve('dist/cli.js'), '--version'], { env }).ended).code,
        0,
      );
      return existsSync(compiled);
    };
    assert.deepEqual([await version(), existsSync(state)], [false, false]);
    mkdirSync(state);
    chmodSync(state, 0o777);
    assert.equal(await version(), false);
    chmodSync(state, 0o700);
    assert.equal(await version(), true);
  });

  it('refuses a supervisor that is not the one it was built with', async () => {
    // As a development dependency it lies in a node_modules where a worker may write.
    const installed = bed.at('node_modules/mission-control');
    installInto(installed);
    writeFileSync(path.join(installed, 'dist/supervisor.cjs'), 'require("node:fs").writeFileSync("planted", "")\n');
    const plan = bed.plan('changed', [{ script: writes }]);
    const cli = path.join(installed, 'dist/cli.js');
    const refused = await bed.spawn(process.execPath, [cli, 'run', plan, '--json']).ended;
    assert.equal(refused.code, 4, refused.stdout + refused.stderr);
    assert.equal(refused.json.code, 'PROGRAM_CHANGED');

    writeFileSync(path.join(installed, 'dist/supervisor.cjs'), readFileSync(path.resolve('dist/supervisor.cjs')));
    const ended = await bed.spawn(process.execPath, [cli, 'run', plan, '--json']).ended;
    assert.equal(ended.json.status, 'completed', ended.stdout + ended.stderr);
  });
});

function installInto(folder: string): void {
  for (const part of ['package.json', 'dist', 'schemas'])
    cpSync(path.resolve(part), path.join(folder, part), { recursive: true });
}
