import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Bed, summary } from './bed';

/**
 * A repository whose refs lie in a reftable, which git 2.46 and later make of another. With an older git a stand-in for it: the
 * files are laid down as git does, and a `git` on PATH keeps the refs in a repository elsewhere.
 */
describe('workspace: a repository with a reftable', () => {
  const { PATH } = process.env;
  let bed: Bed;
  let git: (...args: readonly string[]) => string;
  beforeEach(() => {
    bed = Bed.repository();
    git = isMadeByGit() ? withGit(bed) : withStandIn(bed);
    git('branch', 'other');
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    bed.remove();
  });

  it('tells of a HEAD that names another branch at the same commit, and of which', async () => {
    await bed.baseline();
    assert.deepEqual((await bed.judge()).changes, []);
    git('symbolic-ref', 'HEAD', 'refs/heads/other');
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.map(({ path: fact, detail }) => [fact, detail]),
      [['.git/HEAD', 'ref: refs/heads/main -> ref: refs/heads/other']],
    );
    const standing = await bed.workspace.standing(changes);
    assert.equal(standing.ok && standing.value[0]?.says, 'ref: refs/heads/other');
  });

  it('tells of a HEAD that is detached, and of a commit on its branch alone', async () => {
    const commit = git('rev-parse', 'HEAD').trim();
    await bed.baseline();
    git('update-ref', 'refs/heads/main', git('commit-tree', '-m', 'next', '-p', 'HEAD', 'HEAD^{tree}').trim());
    assert.deepEqual(summary((await bed.judge()).changes), ['git .git/refs/heads/main']);
    git('update-ref', 'refs/heads/main', commit);
    git('update-ref', '--no-deref', 'HEAD', commit);
    git('checkout', '-q', '--detach');
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.map(({ path: fact, detail }) => [fact, detail]),
      [['.git/HEAD', `ref: refs/heads/main -> ${commit}`]],
    );
  });

  it('tells of a symbolic ref by what it names, and not when that moves', async () => {
    git('symbolic-ref', 'refs/heads/alias', 'refs/heads/other');
    await bed.baseline();
    git('update-ref', 'refs/heads/other', git('commit-tree', '-m', 'next', '-p', 'HEAD', 'HEAD^{tree}').trim());
    assert.deepEqual(summary((await bed.judge()).changes), ['git .git/refs/heads/other']);
    git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    assert.deepEqual(summary((await bed.judge()).changes), ['git .git/refs/heads/alias', 'git .git/refs/heads/other']);
  });

  it('tells when a branch went by the time of the table that held it', async () => {
    await bed.baseline();
    git('branch', '-q', '-D', 'other');
    const { ctimeMs } = statSync(bed.at('.git/reftable/tables.list'));
    const { changes } = await bed.difference();
    assert.deepEqual(
      changes.map(({ path: fact, changed_at }) => [fact, changed_at]),
      [['.git/refs/heads/other', new Date(Math.floor(ctimeMs)).toISOString()]],
    );
  });
});

function isMadeByGit(): boolean {
  try {
    execFileSync('git', ['refs', 'migrate', '-h'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return false;
  } catch (error) {
    // Git ends with 129 after it has listed its options, and with 1 where it has no such command.
    return (error as { readonly status?: unknown }).status === 129;
  }
}

function withGit(bed: Bed): (...args: readonly string[]) => string {
  // Some versions migrate no reflogs.
  rmSync(bed.at('.git/logs'), { recursive: true });
  bed.git('refs', 'migrate', '--ref-format=reftable');
  return (...args) => bed.git(...args);
}

/** Moves the repository out of the workspace and leaves what git shows of one with a reftable. */
function withStandIn(bed: Bed): (...args: readonly string[]) => string {
  const kept = path.join(bed.scratch, 'kept');
  renameSync(bed.at('.git'), kept);
  mkdirSync(bed.at('.git/refs'), { recursive: true });
  mkdirSync(bed.at('.git/reftable'));
  writeFileSync(bed.at('.git/HEAD'), 'ref: refs/heads/.invalid\n');
  writeFileSync(bed.at('.git/refs/heads'), 'this repository uses the reftable format\n');
  writeFileSync(bed.at('.git/reftable/tables.list'), '0x000000000001-0x000000000001-00000000.ref\n');
  for (const name of ['objects', 'index']) symlinkSync(path.join(kept, name), bed.at(`.git/${name}`));
  for (const name of ['config', 'info', 'hooks'])
    cpSync(path.join(kept, name), bed.at(`.git/${name}`), { recursive: true });
  rmSync(path.join(kept, 'hooks'), { recursive: true });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const program = path.join(bed.scratch, 'bin/git');
  mkdirSync(path.dirname(program));
  const seen = bed.at('.git');
  writeFileSync(
    program,
    `#!/bin/sh\nfor one do\n  shift\n  [ "$one" = '--git-dir=${seen}' ] && one='--git-dir=${kept}'\n  set -- "$@" "$one"\ndone\nexec ${real} "$@"\n`,
  );
  chmodSync(program, 0o755);
  process.env['PATH'] = `${path.dirname(program)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  let written = 1;
  return (...args) => {
    const answer = bed.git(`--git-dir=${kept}`, `--work-tree=${bed.root}`, ...args);
    // Git writes another table for each change of a ref.
    if (!['rev-parse', 'commit-tree'].includes(args[0] ?? ''))
      writeFileSync(bed.at('.git/reftable/tables.list'), `0x${String(++written).padStart(12, '0')}.ref\n`);
    return answer;
  };
}
