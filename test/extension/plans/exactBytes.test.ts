import assert from 'node:assert/strict';
import { exactBytesQuestion } from '../../../src/extension/plans/exactBytes';

describe('the question about exact bytes', () => {
  const attributes = { name: '.gitattributes', lines: ['a', 'b'] };
  const prettier = { name: '.prettierignore', lines: ['c'] };

  it('names every file that a yes changes', () => {
    assert.deepEqual(
      [[attributes], [prettier], [attributes, prettier]].map((files) => exactBytesQuestion(files).toString()),
      [
        'Git may change line ends, and then an approval no longer fits its file. Add 2 lines to .gitattributes?',
        'Prettier may change the layout, and then an approval no longer fits its file. Add a line to .prettierignore?',
        'Git may change line ends and Prettier the layout, and then an approval no longer fits its file. Add 2 lines to .gitattributes and a line to .prettierignore?',
      ],
    );
  });

  it('says for which start of Prettier it holds, and what another one needs', () => {
    const elsewhere = { name: '.prettierignore', lines: ['docs/a', 'docs/b/'] };
    assert.equal(
      exactBytesQuestion([{ name: '../../.prettierignore', lines: ['c'], elsewhere }]).toString(),
      'Prettier may change the layout, and then an approval no longer fits its file. Add a line to ../../.prettierignore? Prettier reads ../../.prettierignore only where it starts in the folder of that file. For a start in the workspace folder, add docs/a and docs/b/ to .prettierignore as well.',
    );
    assert.match(
      exactBytesQuestion([{ ...prettier, elsewhere: { name: '../../.prettierignore', lines: ['p/c'] } }]).toString(),
      / For a start in \.\.\/\.\., add p\/c to \.\.\/\.\.\/\.prettierignore as well\.$/,
    );
  });
});
