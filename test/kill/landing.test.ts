import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { makeBed, own, removeBeds, type Bed } from '../adapters/sandbox/bed';
import { Layered } from '../adapters/sandbox/layers/layered';
import { usersOfTier } from '../support/users';

const program = path.resolve('dist-test/kill/landing.program.js');
/** Each so-manieth round. */
const every =
  process.env['MISSION_TESTS_TIER'] === 'quick' ? { person: 37, kill: 9, link: 7 } : { person: 7, kill: 4, link: 4 };

for (const user of usersOfTier)
  describe(`what a worker wrote at the top of the workspace, as ${user}`, function () {
    this.timeout(600_000);
    afterEach(removeBeds);

    /** A layer of the kernel in which a worker replaced, removed, closed and made what it may. */
    async function ended(context: Context, bed: Bed, waits?: true): Promise<string> {
      const names = ['package.json', 'saved.json', 'gone.txt', 'mode.sh', 'new.txt', 'made'];
      for (const name of names.slice(0, 4)) bed.put({ [name]: `${name} before\n` });
      // What the repository around the checkout ignores is no change.
      assert.equal(spawnSync('git', ['init', '-q'], { cwd: bed.workspace }).status, 0);
      const layered = await Layered.make(context, bed, bed.workspace, names);
      await layered.run(
        '/bin/sh',
        '-ec',
        `cd "$0"; echo more >> package.json; echo saved > .next; mv .next saved.json; rm gone.txt; chmod 750 mode.sh
        echo new > new.txt; mkdir -p made/sub; echo m > made/m; chmod 600 made/m; ln -s m made/link; mkfifo made/pipe`,
        layered.merged,
      );
      const kept = path.join(bed.folder, 'kept');
      mkdirSync(kept);
      for (const [from, to] of [
        [layered.made.tree.up, 'up'],
        [bed.workspace, 'real'],
      ] as const)
        assert.equal(spawnSync('cp', ['-a', from, path.join(kept, to)]).status, 0);
      const tree = { ...layered.made.tree, ...(waits && { waits }) };
      const layers = { folder: '', kept: '', home: null, caches: [], tree };
      const file = path.join(bed.folder, 'ended.json');
      writeFileSync(file, JSON.stringify({ layers, own: path.join(bed.folder, 'landing'), kept }));
      if (user === 'nobody') own(bed.folder);
      return file;
    }

    /** Paths of folders with what shall stand there instead, or nothing. */
    function replaced(_context: Context, bed: Bed): string {
      const up = path.join(bed.folder, 'up');
      bed.put({
        'sub/deep/replaced.txt': 'before\n',
        'sub/gone.txt': 'gone before\n',
        'sub/turned': 'turned before\n',
        'emptied/in/x.txt': 'x before\n',
        [path.join(up, 'sub/deep/replaced.txt')]: 'after\n',
        [path.join(up, 'sub/untied')]: 'untied after\n',
        [path.join(up, 'fresh/one/new.txt')]: 'new after\n',
      });
      symlinkSync('deep', path.join(bed.workspace, 'sub/link'));
      symlinkSync('deep/replaced.txt', path.join(bed.workspace, 'sub/untied'));
      symlinkSync('gone.txt', path.join(up, 'sub/link'));
      symlinkSync('link', path.join(up, 'sub/turned'));
      symlinkSync('..', path.join(up, 'fresh/made-link'));
      const own_files = ['sub/deep/replaced.txt', 'sub/gone.txt', 'sub/turned', 'sub/link', 'sub/untied'];
      const names = ['emptied/in/x.txt', ...own_files, 'fresh/one/new.txt', 'fresh/made-link'];
      const kept = path.join(bed.folder, 'kept');
      mkdirSync(kept);
      for (const [from, to] of [
        [up, 'up'],
        [bed.workspace, 'real'],
      ] as const)
        assert.equal(spawnSync('cp', ['-a', from, path.join(kept, to)]).status, 0);
      const file = path.join(bed.folder, 'replaced.json');
      const paths = { at: bed.workspace, up, names, empties: ['emptied/in', 'emptied'] };
      writeFileSync(file, JSON.stringify({ paths, own: path.join(bed.folder, 'replacing'), kept }));
      if (user === 'nobody') own(bed.folder);
      return file;
    }

    const disturbed = async (
      context: Context,
      who: 'person' | 'kill' | 'link',
      make: (context: Context, bed: Bed) => string | Promise<string> = ended,
      coarser = 1,
    ): Promise<void> => {
      const bed = makeBed(context, user);
      const file = await make(context, bed);
      const { code, output } = await bed.spawn([
        process.execPath,
        program,
        file,
        who,
        String(Math.ceil(every[who] * coarser)),
      ]);
      assert.equal(code, 0, output);
      const { rounds, problems } = JSON.parse(output) as { rounds: number; problems: string[] };
      assert.deepEqual(problems.slice(0, 40), [], `${problems.length} problems in ${rounds} rounds`);
      assert.ok(rounds >= 20, `${rounds} rounds`);
    };

    it('is put there beside a person who writes to it at any step', async function () {
      await disturbed(this, 'person');
    });

    it('is put there whole after a kill at any step, beside a person, and a kill of what goes on', async function () {
      await disturbed(this, 'kill');
    });

    it('lands whole after a kill at any step, and of what goes on, where it had waited', async function () {
      await disturbed(this, 'kill', (context, bed) => ended(context, bed, true), 1 / 3);
    });

    it('paths of folders are replaced beside a person who writes to them at any step', async function () {
      await disturbed(this, 'person', replaced, 3);
    });

    it('paths of folders are replaced whole after a kill at any step, and a kill of what goes on', async function () {
      await disturbed(this, 'kill', replaced);
    });

    it('paths of folders are replaced behind no link that takes the place of a folder at any step', async function () {
      await disturbed(this, 'link', replaced, 3);
    });
  });
