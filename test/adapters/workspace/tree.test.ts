import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWorkspace } from '../../../src/adapters/workspace/workspace';
import { asNobody } from './asNobody';
import { Bed } from './bed';

/** What an acceptance holds for: the digest of a workspace's content. */
describe('the content of a workspace', () => {
  const treeOf = async (bed: Bed, root = bed.root): Promise<string> => {
    // A new owner each time, which knows nothing from before.
    const read = await createWorkspace(root, { ...bed.kept, large_file_bytes: 100 }).tree(request);
    if (!read.ok) assert.fail(read.refusal.reason);
    return read.value.tree_sha256;
  };
  const inBed = async (bed: Bed, test: (bed: Bed) => Promise<void>): Promise<void> => {
    try {
      await test(bed);
    } finally {
      bed.remove();
    }
  };
  const changes = async (bed: Bed, change: () => void): Promise<boolean> => {
    const before = await treeOf(bed);
    change();
    return (await treeOf(bed)) !== before;
  };

  it('is another one with each change of a name, a text, a link or the right to be executed', () =>
    inBed(Bed.repository(), async (bed) => {
      bed.write('src/new.txt', 'new\n');
      symlinkSync('a.txt', bed.at('src/link'));
      for (const [what, change] of [
        ['text', () => bed.write('src/a.txt', 'b\n')],
        ['untracked', () => bed.write('src/new.txt', 'newer\n')],
        ['name', () => bed.git('mv', 'src/b.txt', 'src/c.txt')],
        ['mode', () => chmodSync(bed.at('src/a.txt'), 0o755)],
        ['link', () => symlinkSync('c.txt', bed.at('src/link2'))],
      ] as const)
        assert.equal(await changes(bed, change), true, what);
    }));

  it('is the same after a commit, with what git ignores, and with plans and evidence', () =>
    inBed(Bed.repository(), async (bed) => {
      bed.write('src/new.txt', 'new\n');
      for (const [what, change] of [
        ['commit', () => bed.git('add', '.') + bed.git('commit', '-q', '-m', 'second')],
        ['ignored', () => bed.write('dist/out.js', 'out\n')],
        ['ignored by name', () => bed.write('src/build.log', 'log\n')],
        ['evidence', () => bed.write('docs/ops/executions/p/TASK_T1.json', '{}\n')],
        ['plan', () => bed.write('docs/plans/PLAN_x.json', '{ }\n')],
      ] as const)
        assert.equal(await changes(bed, change), false, what);
    }));

  it('counts all of an approved place that git ignores, also of one in a submodule', () =>
    inBed(Bed.repository(), async (bed) => {
      bed.write('.gitignore', 'dist/\ngenerated/*\n!generated/.keep\n*.bin\n__pycache__/\n');
      bed.write('generated/.keep', '');
      const inner = path.join(bed.scratch, 'inner');
      mkdirSync(inner);
      bed.gitIn(inner, 'init', '-q', '-b', 'main');
      writeFileSync(path.join(inner, '.gitignore'), 'out/\n');
      bed.gitIn(inner, 'add', '.');
      bed.gitIn(inner, 'commit', '-q', '-m', 'inner');
      bed.git('submodule', '--quiet', 'add', inner, 'vendored');
      const approved = ['src', 'dist', 'generated', 'data/x.bin', 'vendored/out'];
      const read = async (): Promise<string> => {
        const tree = await createWorkspace(bed.root, bed.kept).tree({ ...request, paths: approved });
        if (!tree.ok) assert.fail(tree.refusal.reason);
        return tree.value.tree_sha256;
      };
      for (const [file, isContent] of [
        ['dist/deep/app.js', true],
        ['generated/a.ts', true],
        ['data/x.bin', true],
        ['vendored/out/built.txt', true],
        ['data/y.bin', false],
        ['src/__pycache__/a.pyc', false],
        ['src/x.bin', false],
      ] as const) {
        const before = await read();
        bed.write(file, 'made\n');
        const made = await read();
        bed.write(file, 'made otherwise\n');
        assert.deepEqual([made !== before, (await read()) !== made], [isContent, isContent], file);
      }
    }));

  it('counts a file that git tracks although it would ignore it', () =>
    inBed(Bed.repository(), async (bed) => {
      bed.write('kept.log', 'one\n');
      bed.git('add', '-f', 'kept.log');
      assert.equal(await changes(bed, () => bed.write('kept.log', 'two\n')), true);
    }));

  it('counts every byte of a very large file, also where size and times are as they were', () =>
    inBed(Bed.repository(), async (bed) => {
      const file = bed.at('src/large.bin');
      writeFileSync(file, 'a'.repeat(5000));
      utimesSync(file, 1_700_000_000, 1_700_000_000);
      const workspace = createWorkspace(bed.root, { ...bed.kept, large_file_bytes: 100 });
      const read = async (): Promise<string> => {
        const tree = await workspace.tree(request);
        if (!tree.ok) assert.fail(tree.refusal.reason);
        return tree.value.tree_sha256;
      };
      const before = await read();
      assert.equal(await read(), before);
      writeFileSync(file, 'b'.repeat(5000));
      utimesSync(file, 1_700_000_000, 1_700_000_000);
      assert.notEqual(await read(), before);
      assert.notEqual(await treeOf(bed), before);
      truncateSync(file, 50);
      assert.notEqual(await read(), before);
    }));

  it('is not known while a file or a folder of it cannot be read, and the report names it', async function () {
    const bed = Bed.repository();
    try {
      await asNobody(this, 'tree', 'cannot be read', async () => {
        for (const [name, make] of [
          ['src/secret.txt', () => bed.write('src/secret.txt', 'x')],
          ['src/closed', () => mkdirSync(bed.at('src/closed'))],
        ] as const) {
          make();
          chmodSync(bed.at(name), 0o000);
          const read = await bed.workspace.tree(request);
          chmodSync(bed.at(name), 0o700);
          assert.ok(!read.ok, name);
          assert.match(read.refusal.reason, new RegExp(`${name} could not be read`));
          assert.match(read.refusal.reason, /let git ignore it/);
        }
        bed.write('ignored.log', 'x');
        chmodSync(bed.at('ignored.log'), 0o000);
        assert.ok((await bed.workspace.tree(request)).ok, 'what git ignores does not count');
      });
    } finally {
      bed.remove();
    }
  });

  it('is the same in a clone, in a worktree, and without git', () =>
    inBed(Bed.repository(), async (bed) => {
      const here = await treeOf(bed);
      const clone = path.join(bed.scratch, 'clone');
      bed.gitIn(bed.scratch, 'clone', '-q', bed.root, clone);
      const worktree = path.join(bed.scratch, 'worktree');
      bed.git('worktree', 'add', '-q', worktree);
      const plain = path.join(bed.scratch, 'plain');
      mkdirSync(plain);
      execFileSync('cp', ['-R', ...['src', 'docs', 'README.md', '.gitignore'].map((name) => bed.at(name)), plain]);
      for (const place of [clone, worktree, plain]) assert.equal(await treeOf(bed, place), here, place);
    }));

  it('counts the files of a submodule, and not what its repository ignores', () =>
    inBed(Bed.repository(), async (bed) => {
      const inner = path.join(bed.scratch, 'inner');
      mkdirSync(inner);
      bed.gitIn(inner, 'init', '-q', '-b', 'main');
      writeFileSync(path.join(inner, 'inner.txt'), 'inner\n');
      writeFileSync(path.join(inner, '.gitignore'), 'out/\n');
      bed.gitIn(inner, 'add', '.');
      bed.gitIn(inner, 'commit', '-q', '-m', 'inner');
      bed.git('submodule', '--quiet', 'add', inner, 'vendored');
      bed.git('commit', '-q', '-m', 'submodule');
      assert.equal(await changes(bed, () => bed.write('vendored/inner.txt', 'changed\n')), true);
      assert.equal(await changes(bed, () => bed.write('vendored/out/built.txt', 'built\n')), false);
      assert.notEqual(await treeOf(bed, bed.at('vendored')), await treeOf(bed));
    }));

  it('counts in a folder of a repository what that folder holds', () =>
    inBed(Bed.repository(), async (bed) => {
      const src = bed.at('src');
      const before = await treeOf(bed, src);
      bed.write('README.md', 'changed\n');
      bed.write('src/build.log', 'ignored\n');
      assert.equal(await treeOf(bed, src), before);
      bed.write('src/a.txt', 'changed\n');
      assert.notEqual(await treeOf(bed, src), before);
    }));
});

const request = { mission_id: 'm', forbidden_paths: [], paths: ['src'] };
