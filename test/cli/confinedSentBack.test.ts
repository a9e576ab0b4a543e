import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import process from 'node:process';
import { usersOfTier } from '../support/users';
import { decision, until, type Ended, type TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** Work that a person sent back, with what happens between the attempts that go on with it. */
for (const user of usersOfTier)
  describe(`work that a person sent back, as ${user}`, function () {
    this.timeout(300_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    const accepted = { layers: 'all', landing: 'accepted' };
    const task = (script: string): TaskOptions => ({ command: ['node', '-e', script], paths: ['lib'] });
    const answer = (id: string, ...how: string[]): Promise<Ended> => bed.mission('answer', id, ...how, ...decision);
    /** Takes the step that its question offers. */
    const accept = async (id: string): Promise<Ended> =>
      answer(id, '--choice', 'accept', '--packet', (await bed.view(id)).blocks.at(-1)?.packet_id ?? '');
    /** What lies below a folder, with modes, targets and contents. */
    const tree = (folder: string): readonly string[] =>
      readdirSync(bed.at(folder), { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => {
          const at = bed.at(`${folder}/${name}`);
          const stats = lstatSync(at);
          const is = stats.isSymbolicLink() ? readlinkSync(at) : stats.isFile() ? readFileSync(at, 'utf8') : '';
          return `${name} ${stats.mode.toString(8)} ${is}`;
        });

    it('does not bring back what the person removed, renamed or changed before it goes on', async () => {
      const between: Readonly<Record<string, (at: (name: string) => string) => void>> = {
        removed: (at) => unlinkSync(at('lib/a')),
        renamed: (at) => renameSync(at('lib/a'), at('lib/b')),
        folder: (at) => rmSync(at('lib/d'), { recursive: true }),
        edited: () => bed.write('lib/a', 'person\n'),
        chmod: (at) => chmodSync(at('lib/a'), 0o755),
        linked: (at) => {
          unlinkSync(at('lib/a'));
          symlinkSync('d/x', at('lib/a'));
        },
      };
      for (const [id, does] of Object.entries(between)) {
        rmSync(bed.at('lib'), { recursive: true, force: true });
        bed.write('lib/a', 'x\n');
        bed.write('lib/d/x', 'x\n');
        const script = "for (const name of ['a', 'd/x', 'new']) fs.appendFileSync(`lib/${name}`, 'worker\\n')";
        assert.equal((await bed.mission('run', bed.plan(id, [task(script)], accepted))).code, 3);
        does((name) => bed.at(name));
        const before = tree('lib');
        await answer(id, '--text', 'more');
        const ended = (await bed.view(id)).needs === 'answer' ? await accept(id) : null;
        assert.notEqual(ended?.code, 0, id);
        assert.deepEqual(tree('lib'), before, id);
      }
    });

    it('is there for the next attempt after its owner, supervisor and worker were killed', async () => {
      bed.write('lib/a', 'x\n');
      const gate = JSON.stringify(bed.gateFile('go'));
      const script = `const goesOn = fs.existsSync('lib/new');
        fs.appendFileSync('lib/a', 'worker\\n');
        fs.writeFileSync('lib/new', 'worker');
        console.log('it waits');
        if (goesOn && !fs.existsSync(${gate})) setInterval(() => undefined, 1000);`;
      assert.equal((await bed.mission('run', bed.plan('killed', [task(script)], accepted))).code, 3);
      const owner = bed.start('answer', 'killed', '--text', 'more', ...decision);
      const { supervisor, worker } = await until(() => {
        const run = bed.runsOf('T1')[1];
        const record = run !== undefined && bed.exists(`${run}/stdout.jsonl`) ? bed.processOf('T1') : null;
        return record?.worker && bed.read(`${run}/stdout.jsonl`).includes('it waits') ? record : null;
      });
      owner.child.kill('SIGKILL');
      await owner.ended;
      for (const one of [supervisor, worker]) if (one) process.kill(one.pid, 'SIGKILL');
      bed.open('go');
      await bed.mission('resume', 'killed', ...decision);
      assert.match((await bed.view('killed')).blocks[0]?.reason ?? '', /The supervisor of the worker left no record/);
      const again = await bed.mission('retry', 'killed', 'T1', ...decision);
      assert.equal(again.code, 3, again.stdout);
      const done = await accept('killed');
      assert.equal(done.code, 0, done.stdout);
      assert.equal(bed.read('lib/a'), 'x\nworker\nworker\nworker\n');
    });

    it('is not taken for there where its layer was lost and the next launch did not start', async () => {
      bed.write('lib/a', 'x\n');
      const makeTool = (): void => writeFileSync(bed.at('tool'), '#!/bin/sh\necho worker >> lib/a\n', { mode: 0o755 });
      makeTool();
      const plan = bed.plan('lost', [{ ...task(''), command: [bed.at('tool')] }], accepted);
      assert.equal((await bed.mission('run', plan)).code, 3);
      bed.loseLayers();
      rmSync(bed.at('tool'));
      assert.equal((await answer('lost', '--text', 'more')).code, 3);
      const { code, ways = [] } = (await bed.view('lost')).blocks[0] ?? {};
      assert.equal(code, 'LAUNCH_FAILED');
      assert.match(ways.find(({ step }) => step.command === 'retry')?.does ?? '', /if its layer is still there/);
      bed.write('lib/a', 'person\n');
      makeTool();
      assert.equal((await bed.mission('retry', 'lost', 'T1', ...decision)).code, 3);
      const done = await accept('lost');
      assert.equal(done.code, 0, done.stdout);
      assert.equal(bed.read('lib/a'), 'person\nworker\n');
    });

    it('is shown also where its worker closed files and folders, and lands so', async () => {
      bed.write('lib/a', 'x\n');
      const script = `fs.mkdirSync('lib/d');
        const modes = { 'lib/none': 0, 'lib/runs': 0o111, 'lib/d/in': 0, 'lib/d': 0 };
        for (const name of Object.keys(modes).slice(0, 3)) fs.writeFileSync(name, 'seen ' + name + '\\n');
        for (const [name, mode] of Object.entries(modes)) fs.chmodSync(name, mode);`;
      assert.equal((await bed.mission('run', bed.plan('closed', [task(script)], accepted))).code, 3);
      const changed = (): readonly number[] =>
        ['lib/none', 'lib/runs', 'lib/d'].map((name) => lstatSync(bed.layers(`up/${name}`)[0] ?? '').ctimeMs);
      const before = changed();
      const { stdout } = await bed.mission('diff', 'closed', 'T1');
      assert.deepEqual(changed(), before, 'a look gives another mode');
      for (const name of ['none', 'runs', 'd/in']) assert.match(stdout, new RegExp(`\\+seen lib/${name}`));
      assert.doesNotMatch((await bed.view('closed')).blocks[0]?.question?.text ?? '', /unseen/);
      assert.equal((await accept('closed')).code, 0);
      assert.deepEqual(tree('lib'), [
        'a 100644 x\n',
        'd 40000 ',
        'd/in 100000 seen lib/d/in\n',
        'none 100000 seen lib/none\n',
        'runs 100111 seen lib/runs\n',
      ]);
      const undone = await bed.mission('undo', 'closed', 'T1', ...decision);
      assert.equal(undone.json.code, 'MISSION_CLOSED', undone.stdout);
      assert.match(undone.json.reason, /git or by hand/);
      const [, ...step] = undone.json.next[0]?.split(' ') ?? [];
      assert.equal((await bed.mission(...step)).code, 0);
    });

    it('leaves no folder in the workspace as long as it waits', async () => {
      const script = "fs.writeFileSync('out/new', 'worker')";
      const plan = { ...task(script), paths: ['out/'], verify: [['node', '-e', '']] };
      assert.equal((await bed.mission('run', bed.plan('folder', [plan], accepted))).code, 3);
      assert.equal(bed.exists('out'), false);
      assert.equal((await answer('folder', '--text', 'more')).code, 3);
      assert.equal(bed.exists('out'), false);
      assert.equal((await bed.mission('rerun-validation', 'folder', 'T1', ...decision)).code, 3);
      assert.equal(bed.exists('out'), false);
      assert.equal((await bed.mission('cancel', 'folder', ...decision)).code, 0);
      assert.equal(bed.exists('out'), false);
      for (const [id, command, path] of [
        ['unstarted', [bed.at('tool')], 'out/'],
        ['failed', ['node', '-e', 'process.exit(1)'], 'out/deep/'],
        ['idle', ['node', '-e', ''], 'out/deep/file'],
        ['waits', ['node', '-e', "fs.writeFileSync('out/deep/file', '')"], 'out/deep/file'],
      ] as const) {
        await bed.mission('run', bed.plan(id, [{ command, paths: [path] }], accepted));
        assert.equal(bed.exists('out'), false, id);
      }
    });
  });
