import assert from 'node:assert/strict';
import { likelyMakers } from '../../../src/core/observation/likelyMakers';

describe('which programs write such files', () => {
  const of = (...paths: string[]): readonly string[] =>
    likelyMakers(paths.map((path) => ({ path, kind: path.startsWith('.git/') ? 'git' : 'modified' })));

  it('is one line for each kind of program, with the files', () => {
    assert.deepEqual(
      of(
        '.git/HEAD',
        '.notes.md.swp',
        '.idea/workspace.xml',
        'package-lock.json',
        'a/__pycache__/b.pyc',
        'log/dev.log',
      ),
      [
        'may come from git, such as a commit, a fetch, another worktree or an editor that runs git: .git/HEAD',
        'may come from an editor or the desktop: .notes.md.swp and .idea/workspace.xml',
        'may come from a package manager: package-lock.json',
        'may come from a build, a watcher or an interpreter: a/__pycache__/b.pyc',
        'may come from a program that keeps a log: log/dev.log',
      ],
    );
    assert.deepEqual(of('dist/app.js', 'docs/plans/PLAN_a.json'), [
      'may come from a build, a watcher or an interpreter: dist/app.js',
      'may come from a draft of a plan: docs/plans/PLAN_a.json',
    ]);
  });

  it('says nothing of files that anything may write', () => {
    assert.deepEqual(of('notes.md', 'src/app.ts', '.env'), []);
    assert.deepEqual(of(), []);
  });

  it('names a few of many', () => {
    const [line = ''] = of(...Array.from({ length: 500 }, (_, n) => `dist/${n}.js`));
    assert.ok(line.length < 300, line);
  });
});
