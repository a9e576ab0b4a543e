import assert from 'node:assert/strict';
import { Bed, summary } from './bed';

/** jj beside git, as `jj git init --colocate` lays it down: its folder, its refs, and HEAD that it moves. */
describe('workspace: jj beside git', () => {
  let bed: Bed;
  beforeEach(() => {
    bed = Bed.repository();
    bed.write('.jj/.gitignore', '/*\n');
    bed.write('.jj/repo/config.toml', '');
    bed.write('.jj/repo/store/type', 'git');
    bed.write('.jj/repo/store/git_target', '../../../.git');
    bed.write('.jj/repo/op_heads/heads/0f', '');
    bed.write('.jj/repo/op_store/operations/0f', 'first');
    bed.write('.jj/working_copy/type', 'local');
    bed.write('.jj/working_copy/tree_state', 'first');
    bed.git('checkout', '-q', '--detach');
  });
  afterEach(() => bed.remove());

  /** What any jj command does: it records the working copy, and keeps the commit of it by a ref. */
  function snapshot(): void {
    bed.write('.jj/repo/op_store/operations/1f', 'next');
    bed.write('.jj/repo/op_store/views/1f', 'next');
    bed.write('.jj/repo/op_heads/heads/1f', '');
    bed.write('.jj/repo/index/segments/1f', 'next');
    bed.write('.jj/working_copy/tree_state', 'next');
    const commit = bed.git('commit-tree', '-m', 'working copy', '-p', 'HEAD', 'HEAD^{tree}').trim();
    bed.git('update-ref', `refs/jj/keep/${commit}`, commit);
    bed.git('add', '--intent-to-add', '.');
  }

  for (const paths of [['src'], ['.'], ['.jj/repo/mine']])
    it(`reports no snapshot while a worker writes ${paths.join()}`, async () => {
      await bed.baseline(paths);
      bed.write('src/new.txt', 'by the worker\n');
      snapshot();
      const { changes, not_observed } = await bed.judge();
      assert.deepEqual(summary(changes), ['added src/new.txt']);
      assert.ok(not_observed.includes('Of jj’s own folder only its settings and where it leads were compared: .jj.'));
    });

  it('reports HEAD, which a working-copy commit moves, and branches that it moves with it', async () => {
    await bed.baseline();
    snapshot();
    const commit = bed.git('commit-tree', '-m', 'described', '-p', 'HEAD', 'HEAD^{tree}').trim();
    bed.git('update-ref', 'refs/heads/bookmark', commit);
    bed.git('update-ref', '--no-deref', 'HEAD', commit);
    assert.deepEqual(summary((await bed.judge()).changes), ['git .git/HEAD', 'git .git/refs/heads/bookmark']);
  });

  it('reports its settings, which start programs, and where it leads', async () => {
    await bed.baseline(['.']);
    bed.write('.jj/repo/config.toml', '[ui]\neditor = "evil"\n');
    bed.write('.jj/repo/store/git_target', '/elsewhere/.git');
    bed.write('.jj/workspace-config.toml', '[aliases]\nst = ["util", "exec", "evil"]\n');
    assert.deepEqual(summary((await bed.judge()).changes), [
      'modified .jj/repo/config.toml',
      'modified .jj/repo/store/git_target',
      'added .jj/workspace-config.toml',
    ]);
  });

  it('reports every file in a folder of that name that is new, or that jj did not make', async () => {
    bed.write('src/.jj/notes', 'a person’s\n');
    await bed.baseline();
    bed.write('src/.jj/notes', 'changed\n');
    bed.write('lib/.jj/repo/hidden', 'x\n');
    bed.write('lib/.jj/working_copy/hidden', 'x\n');
    assert.deepEqual(summary((await bed.judge()).changes), [
      'added lib/.jj/repo/hidden',
      'added lib/.jj/working_copy/hidden',
      'modified src/.jj/notes',
    ]);
  });

  it('reports what a task was approved to write in it', async () => {
    await bed.baseline(['.jj/repo/mine']);
    bed.write('.jj/repo/mine/a', 'x\n');
    assert.deepEqual(summary((await bed.judge()).changes), ['added .jj/repo/mine/a']);
  });
});
