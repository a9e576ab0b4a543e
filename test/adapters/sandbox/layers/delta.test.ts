import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { readDelta } from '../../../../src/adapters/sandbox/layers/delta';
import {
  aroundLayers,
  findLayerMeans,
  layerArguments,
  makeTreeLayer,
  shownInTree,
} from '../../../../src/adapters/sandbox/layers/layers';
import { bubblewrapFolder } from '../../../support/bubblewrap';
import { skipWithReason } from '../../../support/skip';
import { usersOfTier } from '../../../support/users';
import type { StrayChange } from '../../../../src/contracts/launch';
import { makeBed, own, removeBeds, type Bed } from '../bed';

const script = path.resolve('test/adapters/sandbox/randomTree.mjs');
const seeds = process.env['MISSION_TESTS_TIER'] === 'quick' ? 3 : 20;

/** A tree with a layer over it, and what a program in either sees. */
class Layered {
  readonly merged: string;

  private constructor(
    private readonly bed: Bed,
    readonly real: string,
    private readonly made: Awaited<ReturnType<typeof makeTreeLayer>>,
    private readonly around: readonly string[],
  ) {
    this.merged = path.join(bed.folder, 'merged');
  }

  static async make(context: Context, bed: Bed, real: string): Promise<Layered> {
    const bwrap = path.join(bed.environment['PATH']?.split(':')[0] ?? bubblewrapFolder().folder ?? '', 'bwrap');
    const root = bed.user === 'root';
    const means = await findLayerMeans({ bwrap, root, environment: bed.environment, folder: bed.state });
    if ('why' in means) return skipWithReason(context, `no layer can be mounted here: ${means.why}`);
    const folder = path.join(bed.state, 'launch');
    for (const one of [folder, path.join(bed.folder, 'merged')]) mkdirSync(one);
    const by = { bwrap, means, root };
    const made = await makeTreeLayer({ workspace: real, folder }, by);
    const mount = { ...made.mount, at: path.join(bed.folder, 'merged') };
    const line = [
      ...aroundLayers(bwrap, [mount], by),
      ...[bwrap, ...(root ? [] : ['--unshare-user']), '--dev-bind', '/', '/', ...layerArguments(mount, means), '--'],
    ];
    if (bed.user === 'nobody') for (const one of [bed.folder, bed.state]) own(one);
    return new Layered(bed, real, made, line);
  }

  /** Runs a program that sees the layer at `merged`. */
  async run(...argv: readonly string[]): Promise<string> {
    return this.ran([...this.around, ...argv]);
  }

  /** What a new mount shows. */
  async seen(): Promise<readonly Entry[]> {
    const { seen_by, seen_at } = this.made.tree;
    return JSON.parse(await this.ran([...seen_by, process.execPath, script, 'list', seen_at])) as Entry[];
  }

  async realEntries(): Promise<readonly Entry[]> {
    return JSON.parse(await this.ran([process.execPath, script, 'list', this.real])) as Entry[];
  }

  delta(): Promise<readonly StrayChange[]> {
    const { tree } = this.made;
    const shows = (paths: readonly string[]): Promise<readonly boolean[]> =>
      shownInTree(tree, paths, async (line) => ({ code: 0, stdout: await this.ran(line), stderr: '' }));
    return readDelta({ up: tree.up, lower: tree.at, shows });
  }

  private async ran(argv: readonly string[]): Promise<string> {
    const { code, output } = await this.bed.spawn(argv);
    assert.equal(code, 0, output);
    return output;
  }
}

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

for (const user of usersOfTier)
  describe(`what a layer changes, as ${user}`, function () {
    this.timeout(240_000);
    afterEach(removeBeds);

    it('is each change, named once, and nothing that was only touched', async function () {
      const bed = makeBed(this, user);
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

    it(`is what a new mount shows, after a thousand random operations of a worker and a person (${seeds} seeds)`, async function () {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const bed = makeBed(this, user);
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
        const seen = await layered.seen();
        const expected = new Map(seen.map(([at, kind, content]) => [at, `${kind} ${kind === 'file' ? content : ''}`]));
        assert.deepEqual(sorted(changed(await layered.realEntries(), delta)), sorted(expected), `seed ${seed}`);
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
  });
