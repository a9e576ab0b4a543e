import assert from 'node:assert/strict';
import { renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { usersOfTier } from '../support/users';
import type { TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** Places where a layer lies, cannot lie, or meets a mount of an approved folder. */
for (const user of usersOfTier) {
  let bed: ConfinedBed;
  const shell = (script: string, paths: readonly string[] = ['docs/out']): TaskOptions => ({
    command: ['sh', '-ec', script],
    paths,
  });
  const run = async (id: string, task: TaskOptions): Promise<number | null> =>
    (await bed.mission('run', bed.plan(id, [task]), '--confinement', 'required')).code;
  const block = async (id: string): Promise<string> => {
    const { tasks, blocks } = await bed.view(id);
    return [tasks[0]?.reason, ...(blocks[0]?.details ?? [])].join('\n');
  };

  for (const layered of process.env['MISSION_TESTS_TIER'] === 'quick' ? [true] : [true, false])
    describe(`an approved folder ${layered ? 'in a layered workspace' : 'where no layer lies'}, as ${user}`, function () {
      this.timeout(300_000);
      beforeEach(function () {
        bed = new ConfinedBed(this, user);
        if (!layered) bed.keepLayersAway(this);
        for (const name of ['dist/old', 'lib1/a', 'lib2/b']) bed.write(name, 'x\n');
      });
      afterEach(() => bed.dispose());

      it('can be emptied and filled anew, and a file in it is replaced by a rename', async () => {
        const script = 'rm -rf dist/*; echo old > dist/new; echo new > dist/.new; mv dist/.new dist/new';
        assert.equal(await run('emptied', shell(script, ['dist/'])), 0);
        assert.equal(bed.read('dist/new'), 'new\n');
        assert.ok(!bed.exists('dist/old'));
      });

      it('cannot be removed: the block says so, and advises no path that is approved', async () => {
        assert.equal(await run('removed', shell('rm -rf dist && mkdir dist && echo new > dist/new', ['dist/'])), 3);
        const said = await block('removed');
        assert.match(said, /dist/);
        assert.match(
          said,
          layered
            ? /removed or replaced an approved folder itself, .* \(EBUSY\).*, or "execution\.layers": "all" in the plan/
            : /empty a folder instead of removing it/,
        );
        assert.doesNotMatch(said, /may not write dist|add .*path/i);
        // A plan names no whole workspace, so that is no way out at its top.
        assert.doesNotMatch(said, /approve the folder around it(?!, where that is not the whole workspace)/);
      });

      it('takes no rename from another one: the block says why, and a copy works', async () => {
        const rename = "require('fs').renameSync('lib1/a','lib2/a')";
        const task = {
          command: ['node', '-e', rename],
          paths: ['lib1', 'lib2'],
        };
        assert.equal(await run('renamed', task), 3);
        assert.match(
          await block('renamed'),
          layered
            ? /fails in its sandbox \(EXDEV\), because each approved folder is a mount.*"execution\.layers": "all"/
            : /fails in its sandbox \(EXDEV\), because each approved folder is a mount.*whole workspace/,
        );
        assert.equal(await run('moved', shell('mv lib1/a lib2/a', ['lib1', 'lib2'])), 0);
        assert.ok(bed.exists('lib2/a') && !bed.exists('lib1/a'));
      });
    });

  describe(`a layer over a workspace, as ${user}`, function () {
    this.timeout(300_000);
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
      bed.write('src/a.ts', 'a\n');
      bed.write('docs/out/.keep', '');
    });
    afterEach(() => bed.dispose());

    const took = 'T1 wrote src/b,c.ts (1 line), outside its approved paths; not kept.';
    const stray = shell("echo o > docs/out/o; echo x > 'src/b,c.ts'");

    it('lies where the path has a comma, a colon, a blank and a backslash', async () => {
      const place = path.join(bed.scratch, 'a, b: c\\d');
      renameSync(bed.root, place);
      Object.assign(bed, { root: place });
      assert.equal(await run('named', stray), 3);
      assert.equal((await bed.view('named')).tasks[0]?.reason, took);
      assert.ok(bed.exists('docs/out/o') && !bed.exists('src/b,c.ts'));
    });

    it('lies where the workspace is reached through a link', async () => {
      const real = path.join(bed.scratch, 'real');
      renameSync(bed.root, real);
      symlinkSync(real, bed.root);
      assert.equal(await run('linked', stray), 3);
      assert.equal((await bed.view('linked')).tasks[0]?.reason, took);
    });

    it('takes a link that leads out, and what is written through one', async () => {
      const script =
        'ln -s /etc src/out; ln -s ../docs/out src/own; echo o > src/own/o; ln -s a.ts src/l; echo x > src/l';
      assert.equal(await run('links', shell(script)), 3);
      const said = await block('links');
      assert.match(
        said,
        /^T1 wrote src\/a\.ts \(1 line\), src\/l and 2 more, outside[^]*link src\/out\n.*link src\/own$/,
      );
      assert.equal(bed.read('docs/out/o'), 'o\n');
      assert.equal(bed.read('src/a.ts'), 'a\n');
    });

    it('holds a file at the top beside more than 300 others: the plan is approved and runs', async () => {
      for (let n = 0; n < 301; n += 1) bed.write(`f${n}`, '');
      const task = shell('echo o > docs/out/o; echo v2 > f0', ['docs/out', 'f0']);
      const file = bed.plan('crowd', [task], { confinement: 'required' });
      const validated = await bed.mission('plan', 'validate', file);
      assert.equal(validated.code, 0, validated.stdout);
      assert.doesNotMatch(validated.stdout, /CONFINEMENT_TOO_COARSE/);
      assert.equal((await bed.mission('run', file)).code, 0);
      assert.equal(bed.read('f0'), 'v2\n');
    });

    it('that takes all paths keeps a name that is not UTF-8, and nothing lands', async () => {
      const script = "echo o > docs/out/o; cd docs/out; : > $(printf 'B\\374cher')";
      const file = bed.plan('bytes', [shell(script)], { layers: 'all', confinement: 'required' });
      assert.equal((await bed.mission('run', file)).code, 3);
      assert.match(await block('bytes'), /docs\/out\/B\\xfccher/);
      assert.ok(!bed.exists('docs/out/o'));
      const { files } = JSON.parse((await bed.mission('diff', 'bytes')).stdout) as {
        files: readonly { path: string }[];
      };
      assert.deepEqual(files.map((one) => one.path).sort(), ['docs/out/B\\xfccher', 'docs/out/o']);
    });

    // Root knows every group.
    if (user === 'nobody')
      it('refuses a new entry in a deep folder of another group, and nothing else', async () => {
        bed.write('src/1/2/3/x', 'x\n');
        bed.othersGroup = 'src/1/2/3';
        assert.equal(await run('deep', shell('cat src/1/2/3/x > docs/out/x; echo x > src/1/2/3/y')), 3);
        assert.match(await block('deep'), /src\/1\/2\/3\/y: Value too large for defined data type/);
      });
  });
}
