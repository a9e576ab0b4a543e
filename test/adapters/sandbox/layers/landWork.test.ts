import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from 'mocha';
import { landWork, type Landed } from '../../../../src/adapters/sandbox/layers/landing';
import { endedLaunches, launchFolder, ownLayers, sharedFolder } from '../../../../src/adapters/sandbox/layers/layers';
import { runFiles } from '../../../../src/contracts/launch';
import { usersOfTier } from '../../../support/users';
import { layersOf, makeLayersBed, removeBeds } from '../bed';
import { Layered } from './layered';

// This process lands the layer, which only root can do for another user.
for (const { user, by } of layersOf(usersOfTier.filter((one) => one !== 'nobody')))
  describe(`what lands from a layer at once, as ${user}, bubblewrap: ${by}`, function () {
    this.timeout(120_000);
    afterEach(removeBeds);

    /** Lands what a script made of `src` and `dist`, after a person did something meanwhile. */
    async function landed(context: Context, script: string, meanwhile: (at: (name: string) => string) => void) {
      const bed = makeLayersBed(context, user, by);
      const real = path.join(bed.folder, 'tree');
      const at = (name: string): string => path.join(real, name);
      for (const [name, content] of Object.entries({ 'src/a/y': 'y', 'src/a/z': 'z', 'src/b': 'b', 'dist/old': 'o' })) {
        mkdirSync(path.dirname(at(name)), { recursive: true });
        writeFileSync(at(name), content);
      }
      chmodSync(at('dist'), 0o775);
      await new Promise((go) => setTimeout(go, 20));
      const layered = await Layered.make(context, bed, real, ['src', 'dist']);
      await layered.run('/bin/sh', '-ec', `cd "$0"; ${script}`, layered.merged);
      meanwhile(at);
      const run = path.join(bed.state, 'run');
      mkdirSync(run);
      const ended: Landed = await landWork({ ...layered.made.tree, waits: true }, run, () => Promise.resolve([]));
      const read = (name: string): string | null => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null);
      return { ended, read, at };
    }

    it('is nothing where a person saved into a folder that its worker made a file', async function () {
      const { ended, read } = await landed(this, 'rm -r src/a; echo w > src/a; echo w > src/b', (at) =>
        writeFileSync(at('src/a/x'), 'mine'),
      );
      assert.deepEqual(ended, { kind: 'changed', names: ['src/a'] });
      assert.deepEqual(['src/a/x', 'src/a/y', 'src/a/z', 'src/b'].map(read), ['mine', 'y', 'z', 'b']);
    });

    it('is nothing where a person made a file of a folder in which its worker wrote', async function () {
      const { ended, read } = await landed(this, 'echo w > src/a/y; echo w > src/b', (at) => {
        rmSync(at('src/a'), { recursive: true });
        writeFileSync(at('src/a'), 'mine');
      });
      assert.equal(ended.kind, 'changed');
      assert.deepEqual(['src/a', 'src/b'].map(read), ['mine', 'b']);
    });

    it('is all of it where its worker made a file of a folder, and a folder of a file', async function () {
      const script = 'rm -r src/a; echo w > src/a; rm src/b; mkdir src/b; echo w > src/b/in';
      const { ended, read } = await landed(this, script, () => undefined);
      assert.deepEqual(ended, { kind: 'landed' });
      assert.deepEqual(['src/a', 'src/b/in'].map(read), ['w\n', 'w\n']);
    });

    it('is all of it where its worker made a folder anew with another mode, which the workspace keeps', async function () {
      const { ended, read, at } = await landed(
        this,
        'rm -r dist; mkdir -m 700 dist; echo w > dist/new',
        () => undefined,
      );
      assert.deepEqual(ended, { kind: 'landed' });
      assert.deepEqual(['dist/new', 'dist/old'].map(read), ['w\n', null]);
      assert.equal(statSync(at('dist')).mode & 0o777, 0o775);
    });
  });

describe('the layer that launches of a mission share', () => {
  it('is made although another launch removes its own between two looks', async () => {
    const caches = mkdtempSync(path.join(tmpdir(), 'mission-shared-'));
    try {
      const first = await sharedFolder(caches, { layer: 'one', isFirst: true, isLast: false });
      // What is listed, and is gone when it is looked at.
      symlinkSync('gone', path.join(path.dirname(first), 'leaves'));
      assert.ok(existsSync(await sharedFolder(caches, { layer: 'two', isFirst: true, isLast: false })));
    } finally {
      rmSync(caches, { recursive: true });
    }
  });

  it('of a launch stays while it is made, and goes a minute later', async () => {
    const caches = mkdtempSync(path.join(tmpdir(), 'mission-launches-'));
    try {
      const [made, old] = ['made', 'old'].map((name) => path.join(caches, ownLayers, name)) as [string, string];
      for (const one of [made, old]) mkdirSync(one, { recursive: true });
      utimesSync(old, 0, 0);
      assert.deepEqual(await endedLaunches(path.join(caches, ownLayers)), [old]);
      await launchFolder(caches, path.join(caches, 'next'));
      assert.deepEqual([existsSync(made), existsSync(old)], [true, false]);
    } finally {
      rmSync(caches, { recursive: true });
    }
  });

  it('of a launch stays while a process of it may be alive', async () => {
    const caches = mkdtempSync(path.join(tmpdir(), 'mission-launches-'));
    try {
      const runs = ['gone', 'left'].map((name) => path.join(caches, name));
      const folders: string[] = [];
      for (const run of runs) {
        mkdirSync(run);
        folders.push(await launchFolder(caches, run));
        const exit = path.join(run, runFiles.exit);
        writeFileSync(exit, JSON.stringify({ tree_gone: run.endsWith('gone') }));
        // Its supervisor has had the time to remove it.
        utimesSync(exit, 0, 0);
      }
      await launchFolder(caches, path.join(caches, 'next'));
      assert.deepEqual(
        folders.map((one) => existsSync(one)),
        [false, true],
      );
    } finally {
      rmSync(caches, { recursive: true });
    }
  });
});
