import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { areIgnored, gitStandings } from '../../../src/adapters/git/ignored';
import { removeScratch, scratch } from '../scratch';

describe('what git knows of a path', () => {
  let top: string;
  beforeEach(async () => {
    top = await scratch();
    repository('.');
    put('.gitignore', 'dist/\n*.log\nclones/\n');
    put('src/a.ts', 'a\n');
  });
  afterEach(removeScratch);

  const git = (folder: string, ...args: readonly string[]): void =>
    void execFileSync(
      'git',
      [...['-c', 'user.name=S', '-c', 'user.email=s@example.invalid', '-c', 'protocol.file.allow=always'], ...args],
      { cwd: path.join(top, folder), stdio: 'ignore' },
    );
  const put = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(top, file)), { recursive: true });
    writeFileSync(path.join(top, file), text);
  };
  const repository = (folder: string): void => {
    mkdirSync(path.join(top, folder), { recursive: true });
    git(folder, 'init', '-q');
  };
  const commit = (folder: string): void => {
    git(folder, 'add', '--force', '.');
    git(folder, 'commit', '-q', '-m', 'one');
  };
  const standings = async (expected: Readonly<Record<string, string | null>>): Promise<void> => {
    const found = await gitStandings(top, Object.keys(expected));
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name, at) => [name, found[at]])), expected);
  };

  it('is the same of a few paths and of many', async () => {
    commit('.');
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`src/${n}.ts`, 'new']));
    const few = { 'src/a.ts': 'tracked', 'src/': 'tracked', 'src/a.log': 'ignored', 'dist/': 'ignored', b: 'new' };
    await standings(few);
    await standings({ ...few, ...many });
    assert.deepEqual(await gitStandings(top, []), []);
  });

  it('is what the repository around it knows: a submodule, a nested one, one without a commit, a worktree', async () => {
    repository('of-sub');
    put('of-sub/.cargo/config.toml', 'a\n');
    put('of-sub/.gitignore', 'out/\n');
    commit('of-sub');
    git('.', 'submodule', '--quiet', 'add', path.join(top, 'of-sub'), 'vendor/sub');
    rmSync(path.join(top, 'of-sub'), { recursive: true });
    repository('staged');
    put('staged/.cargo/config.toml', 'a\n');
    git('staged', 'add', '.');
    repository('clones/tool');
    put('clones/tool/a', 'a\n');
    commit('clones/tool');
    git('.', 'add', '.gitignore');
    commit('src');
    git('.', 'worktree', 'add', '-q', 'tree');
    await standings({
      'vendor/sub': 'tracked',
      'vendor/sub/': 'tracked',
      'vendor/sub/.cargo/': 'tracked',
      'vendor/sub/.cargo/config.toml': 'tracked',
      'vendor/sub/out/x': 'ignored',
      // The rules of the outer repository end where another one begins.
      'vendor/sub/x.log': 'new',
      'vendor/sub/.cargo/other': 'new',
      'staged/.cargo/config.toml': 'tracked',
      'staged/other': 'new',
      // What the outer repository ignores, tools fetched.
      'clones/tool/a': 'ignored',
      'clones/tool/b': 'ignored',
      'tree/src/a.ts': 'tracked',
      'tree/x.log': 'ignored',
      'src/a.ts': 'tracked',
      'src/x.log': 'ignored',
    });
  });

  it('stays known where a worker makes a repository, or one that git cannot read', async () => {
    put('src/.cargo/config.toml', 'a\n');
    commit('.');
    repository('src');
    put('broken/.git/HEAD', 'no\n');
    await standings({ 'src/.cargo/config.toml': 'tracked', 'src/new': 'new', 'src/a.ts': 'tracked', 'broken/x': null });
  });

  it('stays known beside a link, and beside what is behind a link', async () => {
    symlinkSync('src', path.join(top, 'link'));
    symlinkSync('src', path.join(top, 'x.log'));
    commit('.');
    git('.', 'rm', '-q', '--cached', 'x.log');
    await standings({
      link: 'tracked',
      'link/': 'tracked',
      'link/a.ts': 'new',
      'x.log': 'ignored',
      'x.log/a/b': 'ignored',
      'src/a.ts/below/a': 'new',
      'src/a.ts': 'tracked',
      'src/x.log': 'ignored',
    });
    assert.deepEqual(await areIgnored(top, ['link', 'src/x.log']), [false, true]);
  });

  it('is that of a file where a rule is for folders only', async () => {
    await standings({ dist: 'new', 'dist/': 'ignored', 'dist/a': 'ignored' });
    assert.deepEqual(await areIgnored(top, ['dist', 'src']), [true, false]);
  });
});
