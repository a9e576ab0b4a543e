import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createWorkspace } from '../../../src/adapters/workspace/workspace';
import { asNobody } from './asNobody';
import { Bed, summary, type Judged } from './bed';

const hook = '#!/bin/sh\n';

/** What a worker changes in git so that another user runs or commits something later: on real repositories. */
describe('workspace: facts of git', () => {
  let bed: Bed;
  beforeEach(() => {
    bed = Bed.repository();
  });
  afterEach(() => bed.remove());

  it('sees a shared folder of git that leads to another repository', async () => {
    bed.gitIn(bed.scratch, 'clone', '-q', '--bare', bed.root, 'other.git');
    await bed.baseline();
    writeFileSync(bed.at('.git/commondir'), path.join(bed.scratch, 'other.git'));
    const judged = await bed.judge();
    assert.equal(judged.verdict.kind, 'scope_violation');
    const fact = judged.changes.find((change) => change.path === '.git/commondir');
    assert.match(fact?.detail ?? '', /other\.git/);
  });

  it('sees it in a linked worktree too; adding and removing worktrees is allowed', async () => {
    const linked = path.join(bed.scratch, 'linked');
    bed.git('worktree', 'add', '-q', '--detach', linked);
    await bed.baseline();
    bed.git('worktree', 'add', '-q', '--detach', path.join(bed.scratch, 'another'));
    assert.deepEqual((await bed.judge()).changes, []);
    writeFileSync(bed.at('.git/worktrees/linked/commondir'), bed.outside);
    violates(await bed.judge(), 'git .git/worktrees/linked/commondir');
  });

  it('knows a tracked and an executable file by more than the name of a leftover', async () => {
    bed.write('notes.md~', 'tracked\n');
    bed.git('add', '-f', 'notes.md~');
    bed.git('commit', '-qm', 'more');
    await bed.baseline();
    bed.write('notes.md~', 'changed\n');
    bed.write('other.md~', 'a leftover\n');
    bed.write('run~', '#!/bin/sh\n');
    chmodSync(bed.at('run~'), 0o755);
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.map(({ path: at, attribution }) => `${at} ${attribution}`),
      ['notes.md~ worker', 'other.md~ external_change', 'run~ worker'],
    );
  });

  it('takes no sample for a hook, because git runs none', async () => {
    bed.write('.git/hooks/pre-push.sample', hook);
    await bed.baseline();
    bed.write('.git/hooks/pre-commit.sample', hook);
    bed.write('.git/hooks/pre-push.sample', `${hook}true\n`);
    assert.deepEqual((await bed.judge()).changes, []);
    bed.write('.git/hooks/pre-push', hook);
    violates(await bed.judge(), 'git .git/hooks/pre-push');
  });

  it('sees that the workspace belongs to another repository now', async () => {
    const linked = path.join(bed.scratch, 'linked');
    bed.git('worktree', 'add', '-q', '--detach', linked);
    bed.gitIn(bed.scratch, 'clone', '-q', bed.root, 'copy');
    const workspace = createWorkspace(linked, bed.kept);
    const request = { mission_id: 'm', forbidden_paths: [], run_dir: path.join(bed.scratch, 'run') };
    const baseline = await workspace.baseline(request);
    assert(baseline.ok);
    writeFileSync(path.join(linked, '.git'), `gitdir: ${path.join(bed.scratch, 'copy/.git')}\n`);
    const { manifest_sha256: baseline_sha256 } = baseline.value;
    const found = await workspace.difference({ ...request, baseline_sha256 });
    assert(found.ok);
    const changes = summary(found.value.changes);
    assert.ok(changes.includes('modified .git') && changes.includes('git .git/commondir'), changes.join('\n'));
  });

  it('sees replaced objects, borrowed ones, and what an interrupted rebase would run', async () => {
    await bed.baseline();
    const commit = bed.headCommit().trim();
    bed.write(`.git/refs/replace/${commit}`, `${commit}\n`);
    bed.write('.git/objects/info/alternates', `${bed.outside}\n`);
    bed.write('.git/rebase-merge/git-rebase-todo', 'exec sh evil.sh\n');
    bed.write('.git/rebase-apply/0001', 'a patch\n');
    bed.write('.git/sequencer/todo', 'pick it\n');
    violates(
      await bed.judge(),
      'git .git/objects/info/alternates',
      'git .git/rebase-apply/0001',
      'git .git/rebase-merge/git-rebase-todo',
      `git .git/refs/replace/${commit}`,
      'git .git/sequencer/todo',
    );
  });

  it('sees a merge that was begun, a stash and notes; gc and packing change none of them', async () => {
    bed.git('config', 'core.attributesFile', path.join(bed.outside, 'attributes'));
    writeFileSync(path.join(bed.outside, 'attributes'), '*.txt text\n');
    const commit = bed.headCommit().trim();
    bed.git('update-ref', 'refs/notes/known', commit);
    await bed.baseline();
    bed.git('pack-refs', '--all');
    bed.git('gc', '-q');
    assert.deepEqual((await bed.judge()).changes, []);
    writeFileSync(path.join(bed.outside, 'attributes'), '*.txt filter=evil\n');
    bed.git('update-ref', 'refs/stash', commit);
    bed.git('update-ref', 'refs/notes/commits', commit);
    bed.write('.git/MERGE_HEAD', `${commit}\n`);
    bed.write('.git/MERGE_MSG', 'not what anybody wrote\n');
    violates(
      await bed.judge(),
      'git .git/MERGE_HEAD',
      'git .git/MERGE_MSG',
      `git .git/config includes ${path.join(bed.outside, 'attributes')}`,
      'git .git/refs/notes/commits',
      'git .git/refs/stash',
    );
  });

  it('sees a line that is added to the todo of a rebase that was interrupted before', async () => {
    bed.write('.git/rebase-merge/git-rebase-todo', 'pick 1\n');
    bed.git('pack-refs', '--all');
    await bed.baseline();
    bed.git('gc', '-q');
    assert.deepEqual((await bed.judge()).changes, []);
    appendFileSync(bed.at('.git/rebase-merge/git-rebase-todo'), 'exec sh evil.sh\n');
    violates(await bed.judge(), 'git .git/rebase-merge/git-rebase-todo');
  });

  it('sees hooks and configuration files that the configuration names, outside the workspace and in ignored folders', async () => {
    bed.write('node_modules/hooks/h', 'x\n');
    bed.git('config', 'core.hooksPath', 'node_modules/hooks');
    bed.git('config', 'include.path', path.join(bed.outside, 'more.config'));
    await bed.baseline();
    bed.write('node_modules/hooks/pre-commit', hook);
    writeFileSync(path.join(bed.outside, 'more.config'), '[core]\n\tpager = evil\n');
    const root = realpathSync(bed.root);
    violates(
      await bed.judge(),
      `git .git/config includes ${bed.outside}/more.config`,
      `git .git/config includes ${bed.outside}/more.config starts programs`,
      `git .git/hooks at ${root}/node_modules/hooks/pre-commit`,
    );
  });

  it('leaves hooks in a folder that a task may write to the rules of the task', async () => {
    bed.git('config', 'core.hooksPath', '.husky');
    await bed.baseline(['.husky']);
    bed.write('.husky/pre-commit', hook);
    const judged = await bed.judge();
    assert.deepEqual(summary(judged.changes), ['added .husky/pre-commit']);
    assert.equal(judged.verdict.kind, 'clean');
  });

  it('sees a hook that is added to a folder that its user may not read', function (this: Mocha.Context) {
    return asNobody(this, 'git', 'a hook that is added to a folder', async () => {
      await bed.baseline();
      bed.write('.git/hooks/post-merge', hook);
      chmodSync(bed.at('.git/hooks'), 0);
      const closed = await bed.judge();
      await bed.baseline();
      const same = await bed.judge();
      chmodSync(bed.at('.git/hooks'), 0o300);
      bed.write('.git/hooks/pre-push', hook);
      chmodSync(bed.at('.git/hooks'), 0);
      const again = await bed.judge();
      chmodSync(bed.at('.git/hooks'), 0o700);
      assert.ok(summary(closed.changes).includes('git .git/hooks'), summary(closed.changes).join('\n'));
      assert.equal(closed.verdict.kind, 'scope_violation');
      assert.deepEqual(same.changes, []);
      violates(again, 'git .git/hooks');
    });
  });

  it('sees the same in nested repositories and submodules', async () => {
    bed.gitIn(bed.scratch, 'init', '-q', 'inner');
    bed.gitIn(`${bed.scratch}/inner`, 'commit', '-q', '--allow-empty', '-m', 'inner');
    bed.git('submodule', '--quiet', 'add', `${bed.scratch}/inner`, 'vendored');
    bed.git('commit', '-q', '-m', 'submodule');
    mkdirSync(bed.at('sub'));
    bed.gitIn(bed.at('sub'), 'init', '-q', '-b', 'main');
    await bed.baseline();
    for (const dotGit of ['.git/modules/vendored', 'sub/.git']) {
      bed.write(`${dotGit}/hooks/pre-commit`, hook);
      appendFileSync(bed.at(`${dotGit}/config`), '[core]\n\tpager = evil\n');
      writeFileSync(bed.at(`${dotGit}/HEAD`), 'ref: refs/heads/other\n');
      bed.write(`${dotGit}/rebase-merge/git-rebase-todo`, 'exec sh evil.sh\n');
      bed.write(`${dotGit}/objects/info/alternates`, bed.outside);
    }
    writeFileSync(bed.at('vendored/.git'), 'gitdir: ../sub/.git\n');
    const facts = ['HEAD', 'config', 'config starts programs', 'hooks/pre-commit', 'objects/info/alternates'];
    facts.push('rebase-merge/git-rebase-todo');
    violates(
      await bed.judge(),
      ...facts.map((fact) => `git .git/modules/vendored/.git/${fact}`),
      ...facts.map((fact) => `git sub/.git/${fact}`),
      'modified vendored/.git',
    );
  });

  it('sees a folder that git takes for a repository by itself, whatever its name is', async () => {
    await bed.baseline();
    bed.gitIn(bed.root, 'init', '-q', '--bare', 'src/lib');
    const made = await bed.judge();
    assert.ok(summary(made.changes).includes('git src/lib/.git/HEAD'), summary(made.changes).join('\n'));
    await bed.baseline();
    assert.deepEqual((await bed.judge()).changes, []);
    bed.gitIn(bed.at('src/lib'), 'config', 'core.bare', 'false');
    bed.gitIn(bed.at('src/lib'), 'config', 'core.worktree', '.');
    bed.gitIn(bed.at('src/lib'), 'config', 'core.fsmonitor', 'touch ran; false');
    const { verdict } = await bed.judge();
    assert.deepEqual(verdict.kind === 'scope_violation' ? summary(verdict.violations) : verdict.kind, [
      'git src/lib/.git/config',
      'git src/lib/.git/config starts programs',
    ]);
  });

  describe('what is staged', () => {
    it('is recorded where it is what the workspace shows, or is taken back', async () => {
      bed.write('src/b.txt', 'staged before\n');
      bed.git('add', 'src/b.txt');
      await bed.baseline(['src']);
      bed.write('src/a.txt', 'changed\n');
      bed.write('src/new.txt', 'new\n');
      bed.git('add', 'src');
      bed.git('restore', '--staged', 'src/b.txt');
      bed.git('config', 'core.autocrlf', 'true');
      bed.git('config', '--unset', 'core.autocrlf');
      const judged = await bed.judge();
      assert.deepEqual(
        summary(judged.changes).filter((line) => line.includes('.git/index')),
        [],
      );
      assert.ok(
        judged.not_observed.some((sentence) =>
          /Staged as it is.*src\/a\.txt, src\/b\.txt, src\/new\.txt/.test(sentence),
        ),
        judged.not_observed.join('\n'),
      );
    });

    it('is recorded where the worker or a person removes a file, from both', async () => {
      await bed.baseline(['src']);
      bed.git('rm', '-q', 'src/a.txt');
      const judged = await bed.judge();
      assert.deepEqual(summary(judged.changes), ['deleted src/a.txt']);
      assert.equal(judged.verdict.kind, 'clean');
    });

    it('is recorded where line ends are converted', async () => {
      await bed.baseline(['src']);
      bed.write('src/a.txt', 'one\r\ntwo\r\n');
      bed.git('-c', 'core.autocrlf=true', 'add', 'src/a.txt');
      assert.deepEqual(summary((await bed.judge()).changes), ['modified src/a.txt']);
    });

    it('asks a person where a commit would take what the workspace does not show', async () => {
      await bed.baseline(['src']);
      bed.write('src/a.txt', 'evil\n');
      bed.git('add', 'src/a.txt');
      bed.write('src/a.txt', 'a\n');
      bed.git('rm', '-q', '--cached', 'src/b.txt');
      const judged = await bed.judge();
      assert.deepEqual(summary(judged.changes), ['git .git/index']);
      assert.match(judged.changes[0]?.detail ?? '', /src\/a\.txt, src\/b\.txt/);
      assert.equal(judged.verdict.kind, 'external_change');
      const standing = await bed.workspace.standing(judged.changes);
      assert.equal(standing.ok && standing.value[0]?.found, 'unknown');
      bed.git('reset', '-q');
      const later = await bed.workspace.standing(judged.changes);
      assert.equal(later.ok && later.value[0]?.found, 'absent');
    });

    it('is recorded in a repository without a commit', async () => {
      const fresh = new Bed();
      try {
        fresh.git('init', '-q');
        fresh.write('a.txt', 'a\n');
        await fresh.baseline(['.']);
        fresh.git('add', 'a.txt');
        const judged = await fresh.judge();
        assert.deepEqual(judged.changes, []);
        assert.ok(judged.not_observed.some((sentence) => /Staged as it is.*a\.txt/.test(sentence)));
      } finally {
        fresh.remove();
      }
    });
  });

  it('does not fail a task for what a person and the editor do: status, staging, autofetch of new commits, gc', async () => {
    bed.gitIn(bed.scratch, 'clone', '-q', '--bare', bed.root, 'remote.git');
    bed.git('remote', 'add', 'origin', `${bed.scratch}/remote.git`);
    bed.git('fetch', '-q');
    bed.gitIn(bed.scratch, 'clone', '-q', `${bed.scratch}/remote.git`, 'colleague');
    bed.write('README.md', 'a person is at work\n');
    await bed.baseline();
    bed.gitIn(`${bed.scratch}/colleague`, 'commit', '-q', '--allow-empty', '-m', 'new');
    bed.gitIn(`${bed.scratch}/colleague`, 'push', '-q', 'origin', 'main');
    bed.git('fetch', '-q', '--all', '--prune');
    bed.git('status');
    bed.git('add', 'README.md');
    bed.git('gc', '-q', '--prune=now');
    bed.git('pack-refs', '--all', '--prune');
    bed.git('maintenance', 'run', '--task=commit-graph');
    const judged = await bed.judge();
    assert.deepEqual(summary(judged.changes), []);
    assert.equal(judged.verdict.kind, 'clean');
  });

  it('does not believe FETCH_HEAD and remote branches, which any process can write', async () => {
    bed.gitIn(bed.scratch, 'clone', '-q', '--bare', bed.root, 'remote.git');
    bed.git('remote', 'add', 'origin', `${bed.scratch}/remote.git`);
    bed.git('fetch', '-q');
    await bed.baseline();
    const forged = bed.git('commit-tree', '-m', 'forged', '-p', 'HEAD', 'HEAD^{tree}').trim();
    bed.write('.git/refs/tags/v9', `${forged}\n`);
    bed.write('.git/refs/remotes/origin/main', `${forged}\n`);
    bed.write('.git/FETCH_HEAD', `${forged}\t\ttag 'v9' of elsewhere\n`);
    const judged = await bed.judge();
    assert.deepEqual(summary(judged.changes), ['git .git/refs/tags/v9']);
    assert.notEqual(judged.verdict.kind, 'clean');
  });
});

function violates(judged: Judged, ...expected: readonly string[]): void {
  assert.deepEqual(summary(judged.changes), expected);
  const { verdict } = judged;
  assert.deepEqual(verdict.kind === 'scope_violation' ? summary(verdict.violations) : verdict.kind, expected);
}
