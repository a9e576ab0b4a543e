import assert from 'node:assert/strict';
import { exactBytesQuestion } from '../../../src/extension/plans/exactBytes';

describe('the question about exact bytes', () => {
  const attributes = { name: '.gitattributes', lines: ['a', 'b'] };
  const prettier = { name: '.prettierignore', lines: ['c'] };

  it('names every file that a yes changes', () => {
    assert.deepEqual(
      [[attributes], [prettier], [attributes, prettier]].map((files) => exactBytesQuestion(files).toString()),
      [
        'Keep the approved bytes exact in Git: add 2 line(s) to .gitattributes?',
        'Keep the approved bytes exact in Prettier: add 1 line(s) to .prettierignore?',
        'Keep the approved bytes exact in Git and Prettier: add 2 line(s) to .gitattributes and 1 line(s) to .prettierignore?',
      ],
    );
  });
});
