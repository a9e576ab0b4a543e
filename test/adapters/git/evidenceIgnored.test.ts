import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { evidenceIgnoredBy } from '../../../src/adapters/git/evidence';
import { removeScratch, scratch } from '../scratch';

describe('the rule by which git ignores evidence', () => {
  const own = { HOME: process.env['HOME'], XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] };
  let home: string;
  let top: string;
  beforeEach(async () => {
    [home, top] = [await scratch(), await scratch()];
    process.env['HOME'] = home;
    delete process.env['XDG_CONFIG_HOME'];
    git('init', '-q');
  });
  afterEach(async () => {
    for (const [name, value] of Object.entries(own))
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    await removeScratch();
  });

  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: top });
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  const inRepository = (file: string, text: string): Promise<void> => put(path.join(top, file), text);

  it('does not exist without a repository, without rules, and where a later rule keeps it', async () => {
    assert.equal(await evidenceIgnoredBy(home, 'P1'), null);
    assert.equal(await evidenceIgnoredBy(top, 'P1'), null);
    await inRepository('.gitignore', 'ops\n!ops\n*.log\n');
    assert.equal(await evidenceIgnoredBy(top, 'P1'), null);
  });

  it('is named by file, line and pattern, also of a folder above the workspace', async () => {
    await inRepository('.gitignore', '# built\n/sub/docs/*\n');
    await mkdir(path.join(top, 'sub'));
    const rule = { file: '.gitignore', line: 2, pattern: '/sub/docs/*' };
    assert.deepEqual(await evidenceIgnoredBy(path.join(top, 'sub'), 'P1'), rule);
    assert.equal(await evidenceIgnoredBy(top, 'P1'), null);
    await inRepository('sub/docs/ops/.gitignore', '*.md\n');
    await inRepository('.gitignore', '');
    const deeper = { file: 'sub/docs/ops/.gitignore', line: 1, pattern: '*.md' };
    assert.deepEqual(await evidenceIgnoredBy(path.join(top, 'sub'), 'P1'), deeper);
  });

  it('may lie in the repository’s own excludes', async () => {
    await inRepository('.git/info/exclude', 'executions/\n');
    const rule = { file: '.git/info/exclude', line: 1, pattern: 'executions/' };
    assert.deepEqual(await evidenceIgnoredBy(top, 'P1'), rule);
  });

  it('may lie in a file of the user: the usual one, and the one that the settings name', async () => {
    const usual = path.join(home, '.config/git/ignore');
    await put(usual, 'ops/\n');
    assert.deepEqual(await evidenceIgnoredBy(top, 'P1'), { file: usual, line: 1, pattern: 'ops/' });
    await put(path.join(home, '.gitconfig'), '[core]\n\texcludesFile = ~/.ignored\n');
    assert.equal(await evidenceIgnoredBy(top, 'P1'), null);
    const named = path.join(home, '.ignored');
    await put(named, '\nTASK_*\n');
    assert.deepEqual(await evidenceIgnoredBy(top, 'P1'), { file: named, line: 2, pattern: 'TASK_*' });
    // A repository that names another file leaves the user's out.
    git('config', 'core.excludesFile', path.join(home, 'none'));
    assert.equal(await evidenceIgnoredBy(top, 'P1'), null);
  });

  it('does not exist for files that git tracks', async () => {
    await inRepository('.gitignore', 'docs/\n');
    for (const name of ['EXECUTION_HEADER.json', 'EXECUTION_SUMMARY.md', 'PLAN.locked.json', 'TASK_T1.json'])
      await inRepository(`docs/ops/executions/P1/${name}`, '');
    git('add', '--force', 'docs');
    assert.equal(await evidenceIgnoredBy(top, 'P1'), null);
    assert.deepEqual(await evidenceIgnoredBy(top, 'P2'), { file: '.gitignore', line: 1, pattern: 'docs/' });
  });
});
