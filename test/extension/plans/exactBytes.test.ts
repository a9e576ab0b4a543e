import assert from 'node:assert/strict';
import { exactBytesQuestion } from '../../../src/extension/plans/exactBytes';

describe('the question about exact bytes', () => {
  const attributes = { name: '.gitattributes', lines: ['a', 'b'] };
  const prettier = { name: '.prettierignore', lines: ['c'] };

  it('names every file that a yes changes', () => {
    assert.deepEqual(
      [[attributes], [prettier], [attributes, prettier]].map((files) => exactBytesQuestion(files).toString()),
      [
        'Keep the approved bytes exact in Git: add 2 lines to .gitattributes?',
        'Keep the approved bytes exact in Prettier: add a line to .prettierignore?',
        'Keep the approved bytes exact in Git and Prettier: add 2 lines to .gitattributes and a line to .prettierignore?',
      ],
    );
  });
});
