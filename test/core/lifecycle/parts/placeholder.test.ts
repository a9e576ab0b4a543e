import assert from 'node:assert/strict';
import { isPlaceholder } from '../../../../src/core/lifecycle/judge/judgeClaim';

describe('a placeholder', () => {
  it('is a text that only stands where another one belongs', () => {
    for (const text of ['TODO', 'todo.', 'TODO: run it', 'fixme: later', '...', '…', 'TBD', 'xxx', '<evidence>'])
      assert.equal(isPlaceholder(text), true, text);
  });

  it('is no sentence about a list of things to do', () => {
    for (const text of ['Todo: the list renders three items', 'TODO list renders', 'todo.test.ts passes: 3 of 3', ''])
      assert.equal(isPlaceholder(text), false, text);
  });
});
