import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import { usersOfTier } from '../support/users';
import { decision, until, type TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** A plan with `layers: "all"`: the approved folders are in the layer as well. */
for (const user of usersOfTier)
  describe(`approved folders in a layer, as ${user}`, function () {
    this.timeout(300_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('.gitignore', '.mission-control/\nready/\n');
      for (const name of ['dist/old', 'dist/deep/older', 'lib1/a', 'lib1/b', 'lib1/shut/x', 'lib2/b'])
        bed.write(name, 'x\n');
    });
    afterEach(() => bed.dispose());

    const all = { layers: 'all', scratch: ['ready/'], confinement: 'required' };
    const task = (script: string, paths: readonly string[]): TaskOptions => ({
      command: ['node', '-e', script],
      paths,
    });
    const waits = (): string =>
      `fs.writeFileSync('ready/there', ''); while (!fs.existsSync(${JSON.stringify(
        bed.gateFile('go'),
      )})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`;

    it('can be removed and made anew, and nothing of it is seen before the worker has ended', async () => {
      const script = `
        fs.rmSync('dist', { recursive: true });
        fs.mkdirSync('dist/fresh/er', { recursive: true });
        fs.writeFileSync('dist/fresh/er/new', 'new');
        fs.renameSync('lib1/a', 'lib2/a');
        fs.writeFileSync('lib2/b', 'changed');
        fs.chmodSync('lib2/b', 0o755);
        fs.symlinkSync('b', 'lib1/link');
        fs.rmSync('lib1/shut', { recursive: true });
        ${waits()}`;
      const ran = bed.start('run', bed.plan('anew', [task(script, ['dist/', 'lib1', 'lib2'])], all));
      await until(() => bed.exists('ready/there'));
      assert.deepEqual(
        ['dist/old', 'lib1/a', 'lib1/shut/x', 'lib2/a', 'dist/fresh'].map((name) => bed.exists(name)),
        [true, true, true, false, false],
      );
      bed.open('go');
      const ended = await ran.ended;
      assert.equal(ended.code, 0, ended.stdout);
      assert.deepEqual(
        ['dist/old', 'dist/deep', 'lib1/a', 'lib1/shut', 'lib2/a', 'dist/fresh/er/new'].map((name) => bed.exists(name)),
        [false, false, false, false, true, true],
      );
      assert.deepEqual([bed.read('lib2/b'), lstatSync(bed.at('lib2/b')).mode & 0o777], ['changed', 0o755]);
      assert.ok(lstatSync(bed.at('lib1/link')).isSymbolicLink());
      const observed = (await bed.events('anew')).findLast((event) => event.type === 'ChangesObserved');
      const by = new Map(observed?.observed.changes.map(({ path, attribution }) => [path, attribution]));
      for (const name of ['dist/old', 'lib1/a', 'lib2/a', 'lib2/b', 'dist/fresh/er/new', 'lib1/link', 'lib1/shut/x'])
        assert.equal(by.get(name), 'worker', name);
      assert.equal((await bed.mission('evidence', 'verify', 'anew')).code, 0);
    });

    it('keep what a person saves meanwhile, and the block accuses no worker', async () => {
      const script = `
        fs.writeFileSync('lib1/a', 'worker'); fs.writeFileSync('lib1/b', 'worker'); fs.rmSync('lib1/shut', { recursive: true });
        ${waits()}`;
      const ran = bed.start('run', bed.plan('meanwhile', [task(script, ['lib1'])], all));
      await until(() => bed.exists('ready/there'));
      bed.write('lib1/a', 'person');
      bed.write('lib1/shut/mine', 'person');
      bed.open('go');
      const ended = await ran.ended;
      assert.equal(ended.code, 3, ended.stdout);
      const { tasks, blocks } = await bed.view('meanwhile');
      const said = [tasks[0]?.reason, ...(blocks[0]?.details ?? [])].join('\n');
      assert.match(said, /T1 wrote lib1\/a .*and removed lib1\/shut.*, which something else changed meanwhile/);
      assert.deepEqual(
        [bed.read('lib1/a'), bed.read('lib1/b'), bed.read('lib1/shut/mine'), bed.exists('lib1/shut/x')],
        ['person', 'worker', 'person', false],
      );
      const again = await bed.mission('retry', 'meanwhile', 'T1', ...decision);
      assert.equal(again.code, 0, again.stdout);
      assert.deepEqual([bed.read('lib1/a'), bed.exists('lib1/shut')], ['worker', false]);
    });

    it('are the real ones where no layer lies', async function () {
      bed.keepLayersAway(this);
      const script = "fs.writeFileSync('lib1/a', 'worker')";
      const ended = await bed.mission('run', bed.plan('none', [task(script, ['lib1'])], all));
      assert.equal(ended.code, 0, ended.stdout);
      assert.equal(bed.read('lib1/a'), 'worker');
    });
  });
