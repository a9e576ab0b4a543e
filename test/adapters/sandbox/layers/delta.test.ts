import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { StrayChange } from '../../../../src/contracts/launch';
import { usersOfTier } from '../../../support/users';
import { layersOf, makeLayersBed, removeBeds } from '../bed';
import { Layered } from './layered';

const script = path.resolve('test/adapters/sandbox/randomTree.mjs');
const seeds = process.env['MISSION_TESTS_TIER'] === 'quick' ? 1 : 20;

type Entry = readonly [path: string, kind: string, content: string, mode: number];

/** What the real tree would be with the changes of a layer: names and kinds, and for files the content. */
function changed(real: readonly Entry[], delta: readonly StrayChange[]): ReadonlyMap<string, string> {
  const files = new Map(real.map(([at, kind, content]) => [at, `${kind} ${kind === 'file' ? content : ''}`]));
  for (const { path: at, kind, what, sha256 } of delta) {
    if (kind === 'deleted' || kind === 'type_changed')
      for (const one of files.keys()) if (one === at || one.startsWith(`${at}/`)) files.delete(one);
    if (kind !== 'deleted') files.set(at, `${what} ${what === 'file' ? (sha256 ?? '') : ''}`);
  }
  return files;
}

const sorted = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files].map(([at, what]) => `${at} ${what}`).sort();

for (const { user, by } of layersOf(usersOfTier))
  describe(`what a layer changes, as ${user}, bubblewrap: ${by}`, function () {
    this.timeout(240_000);
    afterEach(removeBeds);

    it('is each change, named once, and nothing that was only touched', async function () {
      const bed = makeLayersBed(this, user, by);
      const files = [
        'a/kept',
        'a/changed',
        'a/touched',
        'a/same',
        'a/gone',
        'a/mode',
        'old/x',
        'old/y/z',
        'anew/kept',
        'anew/lost/x',
        'turned/x',
        'moved',
        '日本/x.ts',
      ];
      bed.put(Object.fromEntries(files.map((name) => [name, `${name}\ntwo\n`])));
      const layered = await Layered.make(this, bed, bed.workspace);
      await layered.run(
        '/bin/sh',
        '-ec',
        `cd "$0"
        echo three >> a/changed; touch a/touched; cat a/same > a/copy; mv a/copy a/same; rm a/gone; chmod 755 a/mode
        rm -r old; rm -r anew; mkdir anew; printf 'anew/kept\\ntwo\\n' > anew/kept; rm -r turned; echo file > turned
        mv moved to; printf '1\\n2' > 'new file'; mkdir empty; ln -s a/kept link; mkfifo pipe
        printf '#\\n' >> 日本/x.ts; echo closed > closed; chmod 0 closed; mkdir shut; echo x > shut/x; chmod 0 shut
        echo gone > passing; rm passing`,
        layered.merged,
      );
      const lines = (await layered.delta()).map(
        ({ kind, what, path: at, lines: count }) => `${kind} ${what} ${at}${count === null ? '' : ` ${count}`}`,
      );
      assert.deepEqual(lines, [
        'modified file a/changed 1',
        'deleted file a/gone',
        'mode_changed file a/mode',
        'deleted folder anew/lost',
        'added file closed 1',
        'added folder empty',
        'added link link',
        'deleted file moved',
        'added file new file 2',
        'deleted folder old',
        'added fifo pipe',
        'added folder shut',
        'added file shut/x 1',
        'added file to 2',
        'type_changed file turned 1',
        'modified file 日本/x.ts 1',
      ]);
    });

    it('is read by the bytes of names, and no file that comes and goes meanwhile makes more of it', async function () {
      const bed = makeLayersBed(this, user, by);
      bed.put({ 'sub/.a.swp': 'a', 'sub/keep': 'k', 'sub/changed': 'c', 'anew/lost': 'l', 'in/keep': 'k' });
      const odd = (name: string): Buffer => Buffer.from(path.join(bed.workspace, name), 'latin1');
      mkdirSync(odd('in/d\xfd'));
      for (const name of ['sub/B\xfccher', 'sub/g\xff', 'anew/\xfe', 'in/d\xfd/keep']) writeFileSync(odd(name), 'x');
      const layered = await Layered.make(this, bed, bed.workspace);
      await layered.run(
        '/bin/sh',
        '-ec',
        `cd "$0"; of() { printf "$1"; }; echo more >> sub/changed; rm "$(of 'sub/g\\377')"; rm -r anew; mkdir anew
        echo n > "$(of 'in/d\\375/\\376')"; mkdir "$(of 'sub/\\377')"; echo i > "$(of 'sub/\\377/in')"`,
        layered.merged,
      );
      const delta = await layered.delta(() => rmSync(path.join(bed.workspace, 'sub/.a.swp')));
      const lines = delta.map(({ kind, what, path: at }) => `${kind} ${what} ${at}`);
      assert.deepEqual(lines, [
        'deleted file anew/\\xfe',
        'deleted file anew/lost',
        'added file in/d\\xfd/\\xfe',
        'added folder sub/\\xff',
        'added file sub/\\xff/in',
        'modified file sub/changed',
        'deleted file sub/g\\xff',
      ]);
    });

    it(`is what a new mount shows, after a thousand random operations of a worker and a person (${seeds} seeds)`, async function () {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const bed = makeLayersBed(this, user, by);
        const real = path.join(bed.folder, 'tree');
        for (const folder of ['', 'a/c/d', 'b/e', 'g']) mkdirSync(path.join(real, folder), { recursive: true });
        for (const folder of ['', 'a', 'b', 'a/c', 'a/c/d', 'b/e', 'g'])
          for (const name of ['f0', 'f1', 'f2', 'f3'])
            writeFileSync(path.join(real, folder, name), `start ${folder} ${name}`);
        const layered = await Layered.make(this, bed, real);
        const wrote = JSON.parse(
          await layered.run(process.execPath, script, 'play', `${seed}`, real, layered.merged, '1000'),
        ) as string[];
        const delta = await layered.delta();
        const entries = async (ran: Promise<string>): Promise<readonly Entry[]> => JSON.parse(await ran) as Entry[];
        const seen = await entries(layered.runAnew(process.execPath, script, 'list'));
        const below = await entries(layered.ran([process.execPath, script, 'list', real]));
        const expected = new Map(seen.map(([at, kind, content]) => [at, `${kind} ${kind === 'file' ? content : ''}`]));
        assert.deepEqual(sorted(changed(below, delta)), sorted(expected), `seed ${seed}`);
        const near = (at: string): boolean =>
          wrote.some((one) => one === at || one.startsWith(`${at}/`) || at.startsWith(`${one}/`));
        assert.deepEqual(
          delta.filter(({ path: at }) => !near(at)),
          [],
          `seed ${seed}: what the worker never wrote`,
        );
        removeBeds();
      }
    });

    // This process ends the layer, which only root can do for another user; test/cli/confinedLayersAll.test.ts shows that.
    if (user === 'nobody') return;
    it(`lands in approved folders as the layer showed it, after a hundred random operations (${seeds} seeds)`, async function () {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const bed = makeLayersBed(this, user, by);
        const real = path.join(bed.folder, 'tree');
        for (const folder of ['a/c/d', 'b/e', 'g']) {
          mkdirSync(path.join(real, folder), { recursive: true });
          for (const name of ['f0', 'f1', 'f2', 'f3']) writeFileSync(path.join(real, folder, name), `start ${name}`);
        }
        await new Promise((go) => setTimeout(go, 20));
        const layered = await Layered.make(this, bed, real, ['a', 'b', 'g']);
        await layered.run(process.execPath, script, 'play', `${seed}`, real, layered.merged, '100', 'alone');
        const entries = async (ran: Promise<string>): Promise<readonly string[]> =>
          (JSON.parse(await ran) as Entry[])
            .filter(([at, kind]) => /^[abg](\/|$)/.test(at) && kind !== 'fifo')
            // A folder that was there keeps its mode.
            .map(([at, kind, content, mode]) => [at, kind, content, kind === 'folder' ? 0 : mode].join(' '))
            .sort();
        const shown = await entries(layered.runAnew(process.execPath, script, 'list'));
        const strays = await layered.end();
        assert.deepEqual(await entries(layered.ran([process.execPath, script, 'list', real])), shown, `seed ${seed}`);
        const left = strays?.changes.filter(({ path: at, what }) => /^[abg](\/|$)/.test(at) && what !== 'fifo');
        assert.deepEqual([left ?? [], strays?.trouble ?? null], [[], null], `seed ${seed}`);
        removeBeds();
      }
    });
  });
