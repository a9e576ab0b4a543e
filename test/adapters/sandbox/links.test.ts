import assert from 'node:assert/strict';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { decideHardLinks } from '../../../src/adapters/sandbox/links/hardLinks';
import { scanWritable } from '../../../src/adapters/sandbox/links/findHardLinks';
import { look } from '../../../src/adapters/sandbox/look';
import { layOut } from '../../../src/adapters/sandbox/bubblewrap/mounts';
import { createSandboxes } from '../../../src/adapters/sandbox/sandboxes';
import { usersOfTier } from '../../support/users';
import { idsOf, makeBed, removeBeds, type Asked, type Bed } from './bed';

/** Hard links in what a launch may write: which are read-only in it, and that the others stay as they are. */
describe('hard links in a sandbox', function () {
  this.timeout(120_000);
  after(removeBeds);

  for (const user of usersOfTier) {
    describe(`as ${user}`, () => {
      it('are named where they lead out, and nothing else is read-only', async function () {
        const bed = makeBed(this, user);
        bed.put({ 'out/own.txt': '', 'out/deep/own.txt': '' });
        link(bed, 'out/deep/a', '../outside/a');
        link(bed, 'app/one.txt', 'src/one.txt');
        const asked: Asked = { writable: ['out', 'app/one.txt', '../../outside'], granted: [] };
        assert.deepEqual(await heldIn(bed, asked), ['app/one.txt', 'out/deep/a']);
        await bed.confined(
          asked,
          'for f in out/own.txt out/deep/own.txt out/new out/deep/a app/one.txt; do echo x >> $f; done',
        );
        for (const name of ['out/own.txt', 'out/deep/own.txt', 'out/new']) assert.equal(textOf(bed, name), 'x\n');
        for (const name of ['../outside/a', 'src/one.txt']) assert.equal(textOf(bed, name), 'shared\n');
      });

      it('are left alone where all their names may be written', async function () {
        const bed = makeBed(this, user);
        link(bed, 'out/a', 'out/deep/b');
        link(bed, 'out/c', 'other/c');
        const given = path.join(bed.outside, 'given');
        link(bed, 'out/d', path.join(given, 'd'));
        const asked: Asked = { writable: ['out', 'other'], granted: [given] };
        assert.deepEqual(await heldIn(bed, asked), []);
        await bed.confined(asked, 'for f in a c d; do echo x >> out/$f; done');
        for (const name of ['out/deep/b', 'other/c', path.join(given, 'd')])
          assert.equal(textOf(bed, name), 'shared\nx\n', name);
        // Of a task that may write less, the same ones lead out.
        assert.deepEqual(await heldIn(bed, { writable: ['out'] }), ['out/c', 'out/d']);
        assert.deepEqual(await heldIn(bed, { ...asked, sealed: ['out/deep', 'other/c'] }), ['out/a', 'out/c']);
      });

      it('in a folder that was granted', async function () {
        const bed = makeBed(this, user);
        const given = path.join(bed.outside, 'given');
        link(bed, path.join(given, 'a'), '../outside/a');
        assert.deepEqual(await heldIn(bed, { granted: [given] }), [path.join(given, 'a')]);
        await bed.confined({ granted: [given] }, `echo x >> '${given}/a'; echo x > '${given}/new'`);
        assert.equal(textOf(bed, '../outside/a'), 'shared\n');
        assert.ok(existsSync(path.join(given, 'new')));
      });

      it('where links of folders lead is not looked at', async function () {
        const bed = makeBed(this, user);
        link(bed, '../outside/folder/a', '../outside/a');
        bed.put({ 'out/': '' });
        symlinkSync(path.join(bed.outside, 'folder'), path.join(bed.workspace, 'out/folder'));
        symlinkSync('.', path.join(bed.workspace, 'out/circle'));
        assert.deepEqual(await heldIn(bed, { writable: ['out'] }), []);
      });

      it('cannot be replaced, and no further ones can be made of what is read-only', async function () {
        const bed = makeBed(this, user);
        link(bed, 'out/a', '../outside/a');
        bed.put({ 'src/b': '', 'out/own': 'own\n' });
        const { output } = await bed.confined(
          { writable: ['out'] },
          'mv out/own out/a; rm -f out/a; ln out/a out/again; ln src/b out/b; ln "$HOME/../outside/a" out/c; ls out',
        );
        assert.equal(output.match(/Device or resource busy/g)?.length, 2, output);
        // The last one is not there inside where the sandbox's own /tmp lies over it.
        assert.equal(output.match(/Invalid cross-device link|No such file or directory/g)?.length, 3, output);
        assert.match(output, /\na\nown\n$/);
      });

      it('whatever they are called', async function () {
        const bed = makeBed(this, user);
        const odd = ['with blanks', 'quo\'te"s', 'ümläut', 'line\nend', '-rf', '--', '$(HOME)', '*', 'a\\b', '%s'];
        odd.forEach((name, n) => link(bed, `out/${name}/${name}`, `../outside/${n}`));
        assert.equal((await heldIn(bed, { writable: ['out'] })).length, odd.length);
        await bed.confined({ writable: ['out'] }, 'for f in out/*/*; do echo x >> "$f"; done');
        odd.forEach((name, n) => assert.equal(textOf(bed, `../outside/${n}`), 'shared\n', name));
      });

      it('one that is gone before the start keeps nothing from starting', async function () {
        const bed = makeBed(this, user);
        link(bed, 'out/a', '../outside/a');
        const composed = (): void => rmSync(path.join(bed.workspace, 'out/a'));
        const { output } = await bed.confined({ writable: ['out'] }, 'echo x > out/a; cat out/a', composed);
        assert.equal(output, 'x\n');
      });

      it('a store of hundreds, as pnpm lays it: its folder is read-only, and a cache beside it is not', async function () {
        const bed = makeBed(this, user);
        for (let n = 0; n < 320; n += 1)
          link(bed, `node_modules/.pnpm/p${n}/node_modules/p${n}/index.js`, `../home/store/${n}`);
        bed.put({ 'node_modules/.pnpm/lock.yaml': '', 'node_modules/.pnpm/p1/node_modules/.bin/p': '' });
        bed.put({ 'node_modules/.cache/x': '', 'node_modules/.modules.yaml': '' });
        symlinkSync('.pnpm/p1/node_modules/p1', path.join(bed.workspace, 'node_modules/p1'));
        const asked: Asked = { writable: ['.'] };
        assert.deepEqual(await heldIn(bed, asked), ['node_modules/.pnpm']);
        await bed.confined(
          asked,
          'for f in node_modules/.pnpm/p*/node_modules/p*/index.js node_modules/p1/index.js node_modules/.cache/x; do echo x >> $f; done',
        );
        for (let n = 0; n < 320; n += 1) assert.equal(textOf(bed, `../home/store/${n}`), 'shared\n', `${n}`);
        assert.equal(textOf(bed, 'node_modules/.cache/x'), 'x\n');
      });

      it('too many to hold refuse the launch, with a path and what mends it', async function () {
        const bed = makeBed(this, user);
        for (let n = 0; n < 301; n += 1) link(bed, `node_modules/p${n}.js`, `../home/store/${n}`);
        const { environment, home } = bed;
        const answer = await createSandboxes({ environment, home, user: idsOf(user) }).line(
          bed.boundary({ writable: ['node_modules'] }),
        );
        assert.ok(!answer.ok);
        assert.equal(answer.refusal.code, 'HARD_LINKS_LEAD_OUT');
        assert.match(
          answer.refusal.reason,
          /^301 files .* such as node_modules\/p\d+\.js\. .*`package-import-method=copy`.*`bun install --backend=copyfile`/,
        );
      });
    });
  }

  it('more than is looked through is reported, and is nothing that a required sandbox holds', async function () {
    const bed = makeBed(this, usersOfTier[0] ?? 'myself');
    bed.put({ 'out/a': '', 'out/b': '', 'out/c': '' });
    const out = path.join(bed.workspace, 'out');
    const mounts = [{ at: out, kind: 'write', from: out }] as const;
    assert.equal((await scanWritable(mounts, 3)).complete, true);
    const scan = await scanWritable(mounts, 2);
    const facts = await look(bed.boundary({ writable: ['out'] }), {
      bwrap: '/bwrap',
      environment: {},
      home: bed.home,
      user: idsOf(bed.user),
      layering: { means: null, why: 'none' },
    });
    const { coarser, unheld } = layOut({ ...facts, hardLinks: decideHardLinks(scan) });
    const told = 'There are too many files to look through for hard links: not all that lead out are read-only.';
    assert.ok(coarser.includes(told) && unheld.includes(told), coarser.join());
  });
});

/** A file with the content `shared` at two places; absolute ones, or by their path in the workspace. */
function link(bed: Bed, name: string, other: string): void {
  const [at, from] = [path.resolve(bed.workspace, name), path.resolve(bed.workspace, other)];
  if (!existsSync(from)) bed.put({ [from]: 'shared\n' });
  mkdirSync(path.dirname(at), { recursive: true });
  linkSync(from, at);
  assert.ok(statSync(at).nlink > 1);
}

async function heldIn(bed: Bed, asked: Asked): Promise<readonly string[]> {
  return [...(await bed.line(asked)).heldLinks].sort();
}

function textOf(bed: Bed, name: string): string {
  return readFileSync(path.resolve(bed.workspace, name), 'utf8');
}
