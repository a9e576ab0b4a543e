import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { inAscii } from '../../scripts/ascii.mjs';

describe('programs in ASCII', () => {
  it('is every program of Node that the build makes', () => {
    const programs = globSync('dist/*.{js,cjs}');
    assert.ok(programs.length > 6, programs.join());
    const others = programs.filter((file) => readFileSync(file).some((byte) => byte > 0x7f));
    assert.deepEqual(others, []);
  });

  it('find with a regular expression what they found before', () => {
    for (const expression of [
      '/["“”«»]+/.exec("a“»b")',
      '/[à-ü]{2}…$/u.exec("xäö…")',
      '/[😀-😎]/u.exec("a😃")',
      '/(?<word>é)\\1/i.exec("xÉé")',
      '/* … */ /[^…]+/v.exec("ab…")',
    ])
      assert.deepEqual(
        [...(runInNewContext(inAscii(expression)) as string[])],
        [...(runInNewContext(expression) as string[])],
        expression,
      );
  });

  it('are refused where the escape of such a character would be read as a text', () => {
    for (const code of ['/\\…/', 'String.raw`a…`']) assert.throws(() => inAscii(code), /cannot be written in ASCII/);
  });
});
