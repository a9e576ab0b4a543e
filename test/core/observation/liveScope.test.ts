import assert from 'node:assert/strict';
import { judgeLiveChange, type LiveScope } from '../../../src/core/observation/liveScope';

const posix: LiveScope = {
  roots: ['/var/work', '/private/var/work'],
  form: 'posix',
  comparison: { case_insensitive: false },
  paths: ['src', 'docs'],
  forbidden_paths: ['src/secret'],
  granted: ['/var/work/.mission-control/runs/1', '/srv/shared'],
};
const windows: LiveScope = {
  ...posix,
  roots: ['C:\\Work\\repo'],
  form: 'windows',
  comparison: { case_insensitive: true },
  granted: [],
};

describe('live file changes', () => {
  it('are inside in every spelling of a path in scope', () => {
    for (const reported of [
      'src/a.ts',
      './src/a.ts',
      'lib/../src/a.ts',
      '/var/work/src/a.ts',
      '/private/var/work/src//a.ts',
      'file:///var/work/src/a.ts',
    ]) {
      assert.deepEqual(judgeLiveChange(reported, posix), { kind: 'inside', path: 'src/a.ts' }, reported);
    }
    for (const reported of [
      'src\\a.ts',
      'src/a.ts',
      'c:\\work\\REPO\\src\\a.ts',
      'C:/Work/repo/src/a.ts',
      'file:///C:/Work/repo/src/a.ts',
    ]) {
      assert.deepEqual(judgeLiveChange(reported, windows), { kind: 'inside', path: 'src/a.ts' }, reported);
    }
  });

  it('are inside in granted folders', () => {
    assert.equal(judgeLiveChange('.mission-control/runs/1/result.json', posix).kind, 'inside');
    assert.equal(judgeLiveChange('/srv/shared/x', posix).kind, 'inside');
    assert.equal(judgeLiveChange('/srv/shared2/x', posix).kind, 'outside');
  });

  it('are outside elsewhere, with a path and a reason', () => {
    for (const [reported, path] of [
      ['README.md', 'README.md'],
      ['src/../README.md', 'README.md'],
      ['src2/a.ts', 'src2/a.ts'],
      ['src/secret/key', 'src/secret/key'],
      ['docs/plans/PLAN_x.json', 'docs/plans/PLAN_x.json'],
      ['.git/hooks/pre-commit', '.git/hooks/pre-commit'],
      ['.mission-control/state.db', '.mission-control/state.db'],
      ['../elsewhere/x', '/var/elsewhere/x'],
      ['/etc/passwd', '/etc/passwd'],
      ['/var/workshop/src/a.ts', '/var/workshop/src/a.ts'],
      ['file:///etc/%70asswd', '/etc/passwd'],
      ['src\\a.ts', 'src\\a.ts'],
    ] as const) {
      const verdict = judgeLiveChange(reported, posix);
      assert.equal(verdict.kind, 'outside', reported);
      assert.equal(verdict.path, path);
    }
    for (const reported of ['D:\\x', 'C:x', '\\Work\\repo\\src\\a', '\\\\server\\share\\x', '/src/a.ts', '..\\x']) {
      assert.equal(judgeLiveChange(reported, windows).kind, 'outside', reported);
    }
  });
});
