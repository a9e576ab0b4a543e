import assert from 'node:assert/strict';
import { namedPath } from '../../../src/core/paths/namedPath';

describe('the path by which a worker names a file', () => {
  it('is without what Markdown, links and editors write around it', () => {
    for (const text of [
      'src/a.ts',
      ' src/a.ts ',
      '`src/a.ts`',
      '```src/a.ts```',
      '"src/a.ts"',
      "'src/a.ts'",
      'src/a.ts:12',
      'src/a.ts:12:5',
      'src/a.ts:12-20',
      'src/a.ts#L12',
      'src/a.ts#L12-L20',
      '`src/a.ts:12`',
    ])
      assert.equal(namedPath(text, 'posix'), 'src/a.ts', text);
    assert.equal(namedPath('file:///w/src/a%20b.ts#L3', 'posix'), '/w/src/a b.ts');
    assert.equal(namedPath('file:///C:/w/a.ts:3', 'windows'), 'C:/w/a.ts');
  });

  it('stays as it is where these are a part of the name', () => {
    for (const text of [
      'src/`a`.ts',
      'src/a:b.ts',
      'src/#L1x',
      ':12',
      'src/:12',
      '`',
      '``',
      '"',
      'C:\\w\\a.ts',
      'a`b` -> `c`',
    ])
      assert.equal(namedPath(text, 'posix'), text);
    assert.equal(namedPath('file:///w/100%', 'posix'), '/w/100%');
  });

  it('is found in a hostile text without delay', () => {
    for (const text of ['`'.repeat(100_000), ':1'.repeat(100_000), '"'.repeat(100_000)])
      assert.equal(typeof namedPath(text, 'posix'), 'string');
  });
});
