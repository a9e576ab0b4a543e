import assert from 'node:assert/strict';
import { signLines, type MakerSign } from '../../../src/core/observation/likelyMakers';

describe('signs of who may have made a change', () => {
  const editor = { kind: 'editor', path: 'notes.md', lock: '.lock' } as const;

  it('are one line for each maker, with its files', () => {
    const signs: readonly MakerSign[] = [
      { kind: 'open', path: 'a.log', pid: 5, program: 'node' },
      { kind: 'open', path: 'b.log', pid: 5, program: 'node' },
      { ...editor, editor: 'vim', process: 7 },
      { ...editor, editor: 'Emacs', process: 'of_another_machine' },
      { ...editor, editor: 'LibreOffice', process: null },
      { kind: 'worktree', path: '.git/refs/heads/b', branch: 'b', folder: '../b' },
      { kind: 'here', pid: 8, program: 'zsh' },
      { kind: 'here', pid: 9, program: 'tail' },
    ];
    assert.deepEqual(signLines(signs, new Set(['a.log', 'b.log', 'notes.md', '.git/refs/heads/b'])), [
      'may come from node (process 5), which has it open now: a.log and b.log',
      'may come from vim, because .lock says that process 7 has it open: notes.md',
      'may come from Emacs, because .lock says that a process of another machine has it open: notes.md',
      'may come from LibreOffice, because .lock says that a person has it open: notes.md',
      'may come from the worktree ../b, where branch b is checked out: .git/refs/heads/b',
      'works in this folder now: zsh (process 8) and tail (process 9)',
    ]);
  });

  it('name what a person decides about, and of nothing else', () => {
    const signs: readonly MakerSign[] = [
      { ...editor, editor: 'vim', process: 7 },
      { kind: 'here', pid: 8, program: 'zsh' },
    ];
    assert.deepEqual(signLines(signs, new Set(['other.md'])), ['works in this folder now: zsh (process 8)']);
    assert.deepEqual(signLines(signs, new Set()), []);
    assert.deepEqual(signLines([], new Set(['notes.md'])), []);
  });

  it('are few of many', () => {
    const many = Array.from({ length: 500 }, (_, pid): MakerSign => ({ kind: 'open', path: 'a', pid, program: 'p' }));
    assert.equal(signLines(many, new Set(['a'])).length, 10);
  });
});
