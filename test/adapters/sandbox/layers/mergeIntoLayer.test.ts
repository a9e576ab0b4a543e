import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { readEntry, type ManifestEntry } from '../../../../src/adapters/files/entry';
import type { Manifest } from '../../../../src/adapters/workspace/manifest/manifest';
import { sha256Of } from '../../../../src/adapters/files/bytes/sha256';
import type { TreeLayer } from '../../../../src/contracts/launch';
import { added, compareEntries, deleted } from '../../../../src/adapters/workspace/manifest/compare';
import { mergeIntoLayer } from '../../../../src/adapters/workspace/mergeIntoLayer';
import type { RawChange } from '../../../../src/core/observation/change';
import type { LandFacts } from '../../../../src/engine/ports/workspace';
import { usersOfTier } from '../../../support/users';
import { layersOf, makeLayersBed, removeBeds } from '../bed';
import { Layered } from './layered';

const large_file_bytes = 1 << 20;

for (const { user, by } of layersOf(usersOfTier.filter((one) => one !== 'nobody')))
  describe(`what another task landed, merged into a layer, as ${user}, bubblewrap: ${by}`, function () {
    this.timeout(120_000);
    afterEach(removeBeds);

    const old = '1\n2\n3\n4\n5\n';
    const ours = "sed -i 's/5/five/'";
    const theirs = old.replace('1', 'one');
    const both = theirs.replace('5', 'five');

    /** Merges what another task did to `src` into the layer in which a script ran. */
    async function merged(context: Context, script: string, other: (at: (name: string) => string) => void, text = old) {
      const bed = makeLayersBed(context, user, by);
      const real = path.join(bed.folder, 'tree');
      const at = (name: string): string => path.join(real, name);
      mkdirSync(at('src'), { recursive: true });
      const before = new Map<string, Buffer>();
      const entries = new Map<string, ManifestEntry>();
      const entryOf = (name: string): Promise<ManifestEntry | null> => readEntry(at(name), name, { large_file_bytes });
      for (const name of ['src/a', 'src/b']) {
        writeFileSync(at(name), text);
        before.set(name, readFileSync(at(name)));
        const entry = await entryOf(name);
        if (entry) entries.set(name, entry);
      }
      await new Promise((go) => setTimeout(go, 20));
      const layered = await Layered.make(context, bed, real, ['src']);
      await layered.run('/bin/sh', '-ec', `cd "$0"; ${script}`, layered.merged);
      other(at);
      const merges: RawChange[] = [];
      for (const name of new Set([
        ...entries.keys(),
        ...readdirSync(at('src'), { recursive: true }).map((one) => `src/${String(one)}`),
      ])) {
        const [was, now] = [entries.get(name), await entryOf(name)];
        const change = !now ? was && deleted(was, null) : was ? compareEntries(was, now) : added(now, null);
        if (change) merges.push(change);
      }
      const layer = layered.made.tree;
      const copies = path.join(bed.state, 'copies');
      const kept = (name: string, sha256: string): Buffer | null => {
        const bytes = before.get(name);
        if (bytes && sha256Of(bytes) === sha256) return bytes;
        return existsSync(path.join(copies, sha256)) ? readFileSync(path.join(copies, sha256)) : null;
      };
      const merge = (
        some: readonly RawChange[] = merges,
        taken: NonNullable<TreeLayer['merged']> = [],
      ): Promise<LandFacts> =>
        mergeIntoLayer({
          ...{ layer: { ...layer, merged: taken }, merges: some, copies },
          baseline: { entries } as unknown as Manifest,
          before: (name, sha256) => Promise.resolve(kept(name, sha256)),
        });
      const read = (name: string): string | null =>
        existsSync(path.join(layer.up, name)) ? readFileSync(path.join(layer.up, name), 'utf8') : null;
      return { merge, merges, read, at, copies };
    }

    it('is the same after each merge that was killed on the way and made again', async function () {
      const { merge, merges, read, at, copies } = await merged(this, `${ours} src/a src/b`, (name) => {
        for (const one of ['src/a', 'src/b']) writeFileSync(name(one), theirs);
      });
      // As a kill between two files leaves it.
      assert.deepEqual((await merge(merges.slice(0, 1))).conflicts, undefined);
      assert.deepEqual([read('src/a'), read('src/b')], [both, old.replace('5', 'five')]);
      for (let time = 0; time < 2; time += 1) {
        const facts = await merge();
        assert.equal(facts.merged?.length, 2);
        assert.deepEqual([read('src/a'), read('src/b')], [both, both]);
      }
      assert.equal(readFileSync(at('src/a'), 'utf8'), theirs);
      assert.ok(readdirSync(copies).includes(sha256Of(theirs)));
    });

    it('gets no line twice by a merge that was killed and made again, where lines repeat', async function () {
      const other = (at: (name: string) => string): void => writeFileSync(at('src/a'), '\n\n');
      const { merge, read } = await merged(this, "printf 'x\\n\\n' > src/a", other, '\n');
      for (let time = 0; time < 2; time += 1) {
        assert.equal((await merge()).merged?.length, 1);
        assert.equal(read('src/a'), 'x\n\n\n');
      }
    });

    it('loses nothing that a later task put back as it was', async function () {
      const { merge, merges, read, at } = await merged(this, `${ours} src/a`, (name) =>
        writeFileSync(name('src/a'), theirs),
      );
      const [was] = (await merge()).merged ?? [];
      assert.ok(was && merges[0]);
      assert.equal(read('src/a'), both);
      writeFileSync(at('src/a'), old);
      await merge([{ ...merges[0], after_sha256: sha256Of(old) }], [{ name: 'src/a', was }]);
      assert.equal(read('src/a'), old.replace('5', 'five'));
    });

    const unclean: Readonly<Record<string, readonly [string, (at: (name: string) => string) => void]>> = {
      'lines that both changed': ["sed -i 's/1/eins/' src/a", (at) => writeFileSync(at('src/a'), theirs)],
      'bytes that are no text': ["printf 'x\\0' > src/a", (at) => writeFileSync(at('src/a'), 'y\0')],
      'a removed file': ['rm src/a', (at) => writeFileSync(at('src/a'), theirs)],
      'a file that the other one removed': [`${ours} src/a`, (at) => rmSync(at('src/a'))],
      'another mode': [`${ours} src/a; chmod 755 src/a`, (at) => writeFileSync(at('src/a'), theirs)],
      'a mode of the other one': [
        `${ours} src/a`,
        (at) => {
          writeFileSync(at('src/a'), theirs);
          chmodSync(at('src/a'), 0o755);
        },
      ],
      'a link': ['ln -sf b src/a', (at) => writeFileSync(at('src/a'), theirs)],
      'a link of the other one': [
        `${ours} src/a`,
        (at) => {
          rmSync(at('src/a'));
          symlinkSync('b', at('src/a'));
        },
      ],
      'a folder of the other one in its place': [
        `${ours} src/a`,
        (at) => {
          rmSync(at('src/a'));
          mkdirSync(at('src/a'));
          writeFileSync(at('src/a/x'), 'x');
        },
      ],
      'a file that both made': ['echo x > src/new', (at) => writeFileSync(at('src/new'), 'y\n')],
      'a folder that it removed': ['rm -r src', (at) => writeFileSync(at('src/a'), theirs)],
      'a folder in place of the file': [
        'rm src/a; mkdir src/a; echo x > src/a/x',
        (at) => writeFileSync(at('src/a'), theirs),
      ],
    };
    for (const [what, [script, other]] of Object.entries(unclean))
      it(`has no clean merge: ${what}`, async function () {
        const { merge, read } = await merged(this, script, other);
        const before = read('src/b');
        const { conflicts, merged: taken, changed } = await merge();
        assert.deepEqual([(conflicts ?? []).length > 0, taken, changed], [true, undefined, []]);
        assert.equal(read('src/b'), before);
      });

    it('takes nothing in where one of two files does not merge, or something else changed one since', async function () {
      const { merge, read, at } = await merged(this, `${ours} src/b; sed -i 's/1/eins/' src/a`, (name) => {
        for (const one of ['src/a', 'src/b']) writeFileSync(name(one), theirs);
      });
      assert.deepEqual((await merge()).conflicts, ['src/a']);
      writeFileSync(at('src/b'), 'saved\n');
      assert.deepEqual((await merge()).changed, ['src/b']);
      assert.equal(read('src/b'), old.replace('5', 'five'));
    });

    it('is in conflict without git', async function () {
      const { merge, read } = await merged(this, `${ours} src/a`, (at) => writeFileSync(at('src/a'), theirs));
      const { PATH } = process.env;
      process.env['PATH'] = '/nowhere';
      try {
        assert.deepEqual((await merge()).conflicts, ['src/a']);
      } finally {
        process.env['PATH'] = PATH;
      }
      assert.equal(read('src/a'), old.replace('5', 'five'));
    });

    it('is nothing where both made the same', async function () {
      const { merge } = await merged(this, "sed -i 's/1/one/' src/a", (at) => writeFileSync(at('src/a'), theirs));
      assert.equal((await merge()).merged?.length, 1);
    });
  });
