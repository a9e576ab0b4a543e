import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileClockTicks } from '../files/fileClock';
import { Bed, summary, type Judged } from './bed';

/** What a worker may not do, on real files. */
describe('workspace: what a worker may not do', () => {
  let bed: Bed;
  beforeEach(() => {
    bed = Bed.repository();
  });
  afterEach(() => bed.remove());

  it('writes an ignored .env', async () => {
    bed.write('.env', 'A=1\n');
    await bed.baseline();
    bed.write('.env', 'A=2\n');
    violates(await bed.judge(), 'modified .env');
  });

  it('adds a file out of scope, tracked or not, empty or not', async () => {
    await bed.baseline();
    bed.write('other.txt', '');
    bed.write('debug.log', 'ignored\n');
    violates(await bed.judge(), 'added debug.log', 'added other.txt');
  });

  it('deletes and renames out of scope', async () => {
    bed.write('keep/x.txt', 'x\n');
    await bed.baseline();
    unlinkSync(bed.at('README.md'));
    renameSync(bed.at('keep'), bed.at('kept'));
    violates(await bed.judge(), 'deleted README.md', 'deleted keep/x.txt', 'added kept/x.txt');
  });

  it('renames by case only', async () => {
    await bed.baseline();
    renameSync(bed.at('README.md'), bed.at('Readme.md'));
    violates(await bed.judge(), 'deleted README.md', 'added Readme.md');
  });

  it('makes a file executable out of scope', async () => {
    await bed.baseline();
    chmodSync(bed.at('README.md'), 0o755);
    violates(await bed.judge(), 'mode_changed README.md');
  });

  it('opens a file for every user out of scope', async () => {
    await bed.baseline();
    chmodSync(bed.at('README.md'), 0o666);
    violates(await bed.judge(), 'mode_changed README.md');
  });

  it('replaces a file by a link, a link by a file, a file by a folder', async () => {
    symlinkSync('README.md', bed.at('link'));
    await bed.baseline([]);
    unlinkSync(bed.at('link'));
    bed.write('link', 'file now\n');
    unlinkSync(bed.at('src/a.txt'));
    symlinkSync('b.txt', bed.at('src/a.txt'));
    unlinkSync(bed.at('README.md'));
    bed.write('README.md/inner', 'x\n');
    violates(
      await bed.judge(),
      'deleted README.md',
      'added README.md/inner',
      'type_changed link',
      'type_changed src/a.txt',
    );
  });

  it('leaves a named pipe, which the runner never opens', async () => {
    await bed.baseline();
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [bed.at('pipe')]);
    const judged = await bed.judge();
    violates(judged, 'added pipe');
    assert.equal(judged.changes[0]?.detail, 'fifo');
  });

  it('adds or changes a git hook', async () => {
    await bed.baseline();
    bed.write('.git/hooks/pre-commit', '#!/bin/sh\n');
    violates(await bed.judge(), 'git .git/hooks/pre-commit');
    await bed.baseline();
    chmodSync(bed.at('.git/hooks/pre-commit'), 0o755);
    violates(await bed.judge(), 'git .git/hooks/pre-commit');
  });

  it('edits the configuration, the excludes or the attributes of the repository', async () => {
    await bed.baseline();
    appendFileSync(bed.at('.git/config'), '[core]\n\tfsmonitor = /bin/false\n');
    appendFileSync(bed.at('.git/info/exclude'), 'secret\n');
    writeFileSync(bed.at('.git/info/attributes'), '* filter=x\n');
    const programs = 'git .git/config starts programs';
    violates(await bed.judge(), 'git .git/config', programs, 'git .git/info/attributes', 'git .git/info/exclude');
  });

  it('commits, also after a clean-up packed the branches', async () => {
    await bed.baseline();
    bed.write('src/a.txt', 'changed\n');
    bed.git('commit', '-q', '-a', '-m', 'by the worker');
    bed.git('pack-refs', '--all');
    const judged = await bed.judge();
    assert.deepEqual(summary(judged.changes), ['git .git/refs/heads/main', 'modified src/a.txt']);
    assert.match(judged.changes[0]?.violation ?? '', /a mission allows no commit/);
  });

  it('makes, switches or deletes a branch, or makes a tag', async () => {
    bed.git('branch', 'old');
    await bed.baseline();
    bed.git('checkout', '-q', '-b', 'new/branch');
    bed.git('branch', '-q', '-D', 'old');
    bed.git('tag', 'mine');
    violates(
      await bed.judge(),
      'git .git/HEAD',
      'git .git/refs/heads/new/branch',
      'git .git/refs/heads/old',
      'git .git/refs/tags/mine',
    );
  });

  it('hides an edit from git by assume-unchanged or skip-worktree', async () => {
    await bed.baseline();
    bed.git('update-index', '--assume-unchanged', 'README.md');
    bed.write('README.md', 'hidden\n');
    bed.git('update-index', '--skip-worktree', 'src/a.txt');
    assert.equal(bed.git('status', '--porcelain'), '');
    violates(await bed.judge(), 'index_flag README.md', 'modified README.md', 'index_flag src/a.txt');
  });

  it('edits a file that was hidden from git before the baseline', async () => {
    bed.git('update-index', '--assume-unchanged', 'README.md');
    await bed.baseline();
    bed.write('README.md', 'hidden\n');
    violates(await bed.judge(), 'modified README.md');
  });

  it('writes through a linked folder to another place inside: reported at the real place', async () => {
    mkdirSync(bed.at('lib'));
    bed.write('lib/x.txt', 'x\n');
    symlinkSync('../lib', bed.at('src/link'));
    await bed.baseline();
    bed.write('src/link/x.txt', 'through the link\n');
    bed.write('src/link/y.txt', 'new\n');
    violates(await bed.judge(), 'modified lib/x.txt', 'added lib/y.txt');
  });

  it('writes through a linked folder to a place outside', async () => {
    writeFileSync(path.join(bed.outside, 'x.txt'), 'x\n');
    symlinkSync(bed.outside, bed.at('src/link'));
    await bed.baseline();
    bed.write('src/link/x.txt', 'through the link\n');
    bed.write('src/link/new.txt', 'new\n');
    const judged = await bed.judge();
    violates(judged, 'added src/link/new.txt', 'modified src/link/x.txt');
    assert.equal(judged.changes[1]?.resolved_path, path.join(bed.outside, 'x.txt'));
    assert.match(judged.changes[1].violation ?? '', /leads out of the workspace/);
  });

  it('writes through a linked file to a place outside, and removes the link', async () => {
    writeFileSync(path.join(bed.outside, 'x.txt'), 'x\n');
    symlinkSync(path.join(bed.outside, 'x.txt'), bed.at('src/x.txt'));
    await bed.baseline();
    bed.write('src/x.txt', 'through the link\n');
    unlinkSync(bed.at('src/x.txt'));
    const judged = await bed.judge();
    assert.deepEqual(summary(judged.changes), ['deleted src/x.txt', 'modified src/x.txt']);
    assert.equal(judged.verdict.kind, 'scope_violation');
  });

  it('links out of the workspace, or to what is reserved; a link inside is no violation', async () => {
    await bed.baseline();
    symlinkSync(bed.outside, bed.at('src/out'));
    symlinkSync('../.git', bed.at('src/reserved'));
    symlinkSync('../README.md', bed.at('src/inside'));
    symlinkSync('../../nowhere/x', bed.at('src/dangling'));
    const judged = await bed.judge();
    assert.deepEqual(
      judged.changes.map((change) => [change.path, change.resolved_path, change.violation === null]),
      [
        ['src/dangling', path.join(bed.scratch, 'nowhere/x'), false],
        ['src/inside', 'README.md', true],
        ['src/out', bed.outside, false],
        ['src/reserved', '.git', false],
      ],
    );
  });

  it('puts a link on the way to a forbidden path, there or not, also where git ignores it', async () => {
    bed.write('node_modules/a/b/index.js', 'x\n');
    bed.write('src/keep/x.txt', 'x\n');
    symlinkSync('keep', bed.at('src/alias'));
    await bed.baseline(['src'], ['src/later/deep.txt', 'src/alias/y.txt', 'src/alias2', 'node_modules/a/b']);
    bed.write('src/mine/deep.txt', 'mine\n');
    symlinkSync('mine', bed.at('src/later'));
    unlinkSync(bed.at('src/alias'));
    cpSync(bed.at('node_modules/a'), path.join(bed.outside, 'a'), { recursive: true });
    rmSync(bed.at('node_modules/a'), { recursive: true });
    symlinkSync(path.join(bed.outside, 'a'), bed.at('node_modules/a'));
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.flatMap(({ path: name, violation }) => (violation === null ? [] : [[name, violation]])),
      [
        ['node_modules/a', 'is a link on the way to node_modules/a/b, a forbidden path of the task'],
        ['src/alias', 'is a link on the way to src/alias/y.txt, a forbidden path of the task'],
        ['src/later', 'is a link on the way to src/later/deep.txt, a forbidden path of the task'],
      ],
    );
    assert.ok(summary(changes).includes('added src/mine/deep.txt'));
  });

  it('makes a repository of a folder, at the time at which it is moved there', async () => {
    bed.write('src/pkg/HEAD', 'ref: refs/heads/main\n');
    bed.write('src/pkg/hooks/pre-commit', '#!/bin/sh\n');
    await bed.baseline();
    const own = lstatSync(bed.at('src/pkg/HEAD')).ctime.toISOString();
    await fileClockTicks(bed.outside);
    renameSync(bed.at('src/pkg'), bed.at('src/.git'));
    const { changes } = await bed.judge();
    assert.deepEqual(summary(changes), [
      'git src/.git/HEAD',
      'git src/.git/hooks/pre-commit',
      'deleted src/pkg/HEAD',
      'deleted src/pkg/hooks/pre-commit',
    ]);
    for (const change of changes) assert.ok((change.changed_at ?? '') > own, `${own}: ${JSON.stringify(change)}`);
  });

  it('edits a plan or evidence, although its scope holds docs', async () => {
    await bed.baseline(['docs']);
    bed.write('docs/plans/PLAN_x.json', '{"x":1}\n');
    bed.write('docs/ops/executions/other/TASK_a.json', '{}\n');
    bed.write('docs/guide.md', 'fine\n');
    const judged = await bed.judge();
    assert.deepEqual(
      judged.changes.map((change) => [change.path, change.violation !== null]),
      [
        ['docs/guide.md', false],
        ['docs/ops/executions/other/TASK_a.json', true],
        ['docs/plans/PLAN_x.json', true],
      ],
    );
  });

  it('writes a forbidden path, also in scope and in a dependency folder', async () => {
    bed.write('node_modules/left-pad/index.js', 'x\n');
    await bed.baseline(['src'], ['src/b.txt', 'node_modules/left-pad']);
    bed.write('src/b.txt', 'changed\n');
    bed.write('node_modules/left-pad/index.js', 'changed\n');
    bed.write('node_modules/right-pad/index.js', 'not observed\n');
    const judged = await bed.judge();
    violates(judged, 'modified node_modules/left-pad/index.js', 'modified src/b.txt');
    assert.ok(judged.not_observed.some((sentence) => sentence.includes('node_modules')));
  });

  it('writes in a repository inside the workspace, its hooks included', async () => {
    mkdirSync(bed.at('sub'));
    bed.gitIn(bed.at('sub'), 'init', '-q');
    bed.write('sub/x.txt', 'x\n');
    bed.write('sub/build/y.txt', 'y\n');
    await bed.baseline();
    bed.write('sub/x.txt', 'changed\n');
    bed.write('sub/build/y.txt', 'changed\n');
    bed.write('sub/.git/hooks/post-checkout', '#!/bin/sh\n');
    violates(await bed.judge(), 'git sub/.git/hooks/post-checkout', 'modified sub/build/y.txt', 'modified sub/x.txt');
  });

  it('writes in a submodule and in its repository', async () => {
    bed.gitIn(bed.scratch, 'init', '-q', 'inner');
    bed.gitIn(`${bed.scratch}/inner`, 'commit', '-q', '--allow-empty', '-m', 'inner');
    bed.git('submodule', '--quiet', 'add', `${bed.scratch}/inner`, 'vendored');
    bed.git('commit', '-q', '-m', 'submodule');
    await bed.baseline();
    bed.write('vendored/new.txt', 'x\n');
    writeFileSync(bed.at('.git/modules/vendored/hooks/pre-push'), '#!/bin/sh\n');
    violates(await bed.judge(), 'git .git/modules/vendored/.git/hooks/pre-push', 'added vendored/new.txt');
  });

  it('makes a repository of its own, or hides files in a folder that only looks like one', async () => {
    await bed.baseline();
    bed.write('src/fake/.git/hidden.txt', 'x\n');
    mkdirSync(bed.at('mine'));
    bed.gitIn(bed.at('mine'), 'init', '-q', '--template=');
    violates(await bed.judge(), 'git mine/.git/HEAD', 'git mine/.git/config', 'added src/fake/.git/hidden.txt');
  });

  it('breaks or removes the repository', async () => {
    await bed.baseline();
    rmSync(bed.at('.git'), { recursive: true });
    const judged = await bed.judge();
    assert.equal(judged.verdict.kind, 'scope_violation');
    assert.ok(summary(judged.changes).includes('git .git/HEAD'));
    assert.ok(summary(judged.changes).includes('index_flag .git'));
  });
});

function violates(judged: Judged, ...expected: readonly string[]): void {
  assert.deepEqual(summary(judged.changes), expected);
  const { verdict } = judged;
  assert.deepEqual(verdict.kind === 'scope_violation' ? summary(verdict.violations) : verdict.kind, expected);
}
