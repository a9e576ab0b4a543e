import assert from 'node:assert/strict';
import { fileName, folderName } from '../../../src/extension/window/folderName';

describe('what people tell a file by', () => {
  const folder = { name: 'app', uri: { path: '/work/app' } };
  const copy = { name: 'app', uri: { path: '/copy/app' } };

  it('is its path, in the only folder of a window', () => {
    assert.equal(fileName(folder, 'docs/a.json', [folder]), 'docs/a.json');
  });

  it('has its folder in front, which no other one is called', () => {
    assert.equal(fileName(folder, 'docs/a.json', [folder, copy]), 'work/app/docs/a.json');
    assert.equal(fileName(copy, 'docs/a.json', [folder, copy]), 'copy/app/docs/a.json');
  });
});

describe('what people tell the folders of a window by', () => {
  const cases: readonly (readonly [string, readonly (readonly [string, string])[], readonly string[]])[] = [
    [
      'its name, where no other one has it',
      [
        ['app', '/home/ada/app'],
        ['docs', '/home/ada/docs'],
      ],
      ['app', 'docs'],
    ],
    [
      'the folder above as well',
      [
        ['app', '/work/app'],
        ['app', '/copy/app'],
      ],
      ['work/app', 'copy/app'],
    ],
    [
      'as many as it takes',
      [
        ['app', '/a/x/app'],
        ['app', '/b/x/app'],
      ],
      ['a/x/app', 'b/x/app'],
    ],
    [
      'its place, beside a name that the window gave it',
      [
        ['app', '/a/one'],
        ['app', '/a/two'],
      ],
      ['app (one)', 'app (two)'],
    ],
    [
      'all of it, where one lies in the other',
      [
        ['app', '/app'],
        ['app', '/x/app'],
      ],
      ['/app', 'x/app'],
    ],
    ['its name, alone in the window', [['app', '/app']], ['app']],
  ];
  for (const [name, folders, expected] of cases)
    it(name, () => {
      const all = folders.map(([of, path]) => ({ name: of, uri: { path } }));
      assert.deepEqual(
        all.map((folder) => folderName(folder, all)),
        expected,
      );
    });
});
