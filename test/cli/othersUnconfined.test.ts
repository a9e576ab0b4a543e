import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decision, start } from './cliBed';
import { LanesBed } from './lanesBed';

/** What other worktrees, jj and builds do beside a worker that nothing confines: it is never called a violation. */
describe('others that write beside an unconfined worker', function () {
  this.timeout(180_000);
  let bed: LanesBed;
  beforeEach(() => {
    bed = new LanesBed();
  });
  afterEach(() => bed.dispose());

  /** Runs a mission whose only worker does its work, while the commands run and `more` is done. */
  function runBeside(planId: string, commands: readonly (readonly string[])[], more = '') {
    const lines = commands.map((args) => `git(${JSON.stringify(args)});`).join('\n');
    const person = ['-c', 'user.name=S', '-c', 'user.email=s@example.invalid'];
    const script = `${start}import { execFileSync } from 'node:child_process';
const git = (args) => execFileSync('git', [...${JSON.stringify(person)}, ...args], { stdio: 'pipe', encoding: 'utf8' }).trim();
${lines}
${more}
fs.writeFileSync('docs/out/a', 'work');
`;
    return bed.mission('run', bed.plan(planId, [{ script }]));
  }

  it('completes where jj records the working copy, and a build that only this user ignores is made again', async () => {
    mkdirSync(path.join(bed.scratch, '.config/git'), { recursive: true });
    writeFileSync(path.join(bed.scratch, '.config/git/ignore'), 'build/\n');
    for (const [file, text] of [
      ['build/app.js', '1'],
      ['.jj/.gitignore', '/*\n'],
      ['.jj/repo/store/git_target', '../../../.git'],
      ['.jj/repo/op_heads/heads/0f', ''],
      ['.jj/working_copy/tree_state', 'first'],
    ] as const)
      bed.write(file, text);
    bed.git('checkout', '-q', '--detach');
    const run = await runBeside(
      'jj',
      [['add', '--intent-to-add', '.']],
      `fs.writeFileSync('build/app.js', '2');
fs.writeFileSync('build/new.js', '2');
fs.writeFileSync('.jj/repo/op_heads/heads/1f', '');
fs.writeFileSync('.jj/working_copy/tree_state', 'next');
const commit = git(['commit-tree', '-m', 'working copy', '-p', 'HEAD', 'HEAD^{tree}']);
git(['update-ref', 'refs/jj/keep/' + commit, commit]);`,
    );
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const evidence = bed.read('docs/ops/executions/jj/TASK_T1.json');
    assert.match(evidence, /Of jj’s own folder only its settings and where it leads were compared: \.jj\./);
    assert.equal((await bed.mission('evidence', 'verify', 'jj')).code, 0);
  });

  for (const [what, args] of [
    ['a commit', ['commit', '-q', '--allow-empty', '-m', 'by a person']],
    ['a stash', ['stash']],
    ['a fetch', ['fetch', '-q', '.', 'HEAD:fetched']],
  ] as const)
    it(`accuses no worker of ${what} in a sibling worktree`, async () => {
      const sibling = path.join(bed.scratch, 'sibling');
      bed.git('worktree', 'add', '-q', '-b', 'side', sibling);
      writeFileSync(path.join(sibling, 'README.md'), 'by a person');
      const run = await runBeside('beside', [['-C', sibling, ...args]]);
      assert.deepEqual([run.code, run.json.code], [3, 'CONCURRENCY_CONFLICT'], run.stdout);
      assert.doesNotMatch(run.stdout, /The worker changed/);
      const accepted = (await bed.view('beside')).blocks.flatMap(({ acceptable }) =>
        acceptable.map(({ name }) => name),
      );
      assert.ok(accepted.length > 0, run.stdout);
      assert.equal((await bed.mission('accept', 'beside', 'T1', ...accepted, ...decision)).code, 0);
      const again = await bed.mission('rerun-validation', 'beside', 'T1', ...decision);
      assert.equal(again.json.mission.status, 'completed', again.stdout);
    });

  for (const [what, args] of [
    ['a setting that is taken away', ['config', '--unset', 'alias.x']],
    ['the watcher of git that is switched', ['config', 'core.fsmonitor', 'true']],
    ['an address in a file that the configuration includes', ['config', '-f', 'INCLUDED', 'user.email', 'b@x']],
  ] as const)
    it(`does not fail for ${what}`, async () => {
      const included = path.join(bed.scratch, 'included');
      writeFileSync(included, '[user]\n\temail = a@x\n');
      if (what.startsWith('a setting')) bed.git('config', 'alias.x', '!true');
      else bed.git('config', 'include.path', included);
      const run = await runBeside('setting', [args.map((word) => (word === 'INCLUDED' ? included : word))]);
      assert.deepEqual([run.code, run.json.code], [3, 'CONCURRENCY_CONFLICT'], run.stdout);
      assert.doesNotMatch(run.stdout, /The worker changed/);
    });

  it('fails for a program that an included file gives git', async () => {
    const included = path.join(bed.scratch, 'included');
    writeFileSync(included, '[user]\n\temail = a@x\n');
    bed.git('config', 'include.path', included);
    const run = await runBeside('planted', [['config', '-f', included, 'core.pager', 'evil']]);
    assert.deepEqual([run.code, run.json.code], [1, 'SCOPE_VIOLATION'], run.stdout);
  });

  it('blocks by what is done with refs and in other worktrees, and names the worktree that has a branch', async () => {
    const sibling = path.join(bed.scratch, 'sibling');
    bed.git('worktree', 'add', '-q', '-b', 'side', sibling);
    const there = ['-C', sibling];
    const run = await runBeside(
      'refs',
      [
        [...there, 'commit', '-q', '--allow-empty', '-m', 'by a person'],
        [...there, 'bisect', 'start'],
        [...there, 'stash'],
        ['remote', 'add', 'other', 'https://example.invalid/x.git'],
        ['branch', 'free'],
        ['tag', 'v1'],
        ['worktree', 'add', '-q', '--detach', path.join(bed.scratch, 'another')],
      ],
      `git(['update-ref', 'refs/stash', git(['rev-parse', 'HEAD'])]);`,
    );
    assert.deepEqual([run.code, run.json.status, run.json.code], [3, 'blocked', 'CONCURRENCY_CONFLICT'], run.stdout);
    assert.doesNotMatch(run.stdout, /The worker changed/);
    const [packet] = run.json.packets;
    assert.equal((await bed.mission('check', 'recovery-packet', packet!.path)).code, 0);
    const text = bed.read(packet!.path);
    for (const fact of ['config', 'refs/heads/free', 'refs/heads/side', 'refs/stash', 'refs/tags/v1'])
      assert.ok(text.includes(`git .git/${fact}: `), fact);
    assert.doesNotMatch(text, /git \.git\/(worktrees|refs\/bisect|HEAD)/);
    assert.match(
      text,
      /may come from the worktree \.\.\/sibling, where branch side is checked out: \.git\/refs\/heads\/side/,
    );
  });
});
