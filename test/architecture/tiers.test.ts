import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { chosen, nameInTiers, readTiers } from '../../scripts/tiers.mjs';

/** A name that fits no file would leave out a test without a word; scripts/mocha-reporter.mjs judges the texts. */
describe('test/tiers.json', () => {
  const tiers = readTiers();
  const files = globSync('test/**/*.test.ts')
    .map((file) => file.replaceAll('\\', '/').replace(/^test\//, ''))
    .filter((file) => !/(^|\/)(node_modules|fixtures)\//.test(file));
  const names = files.map(nameInTiers);

  it('names files that are there, each once', () => {
    const all = [...tiers.later, ...Object.keys(tiers.partly)];
    const there = (name: string): boolean =>
      name.endsWith('/') ? names.some((one) => one.startsWith(name)) : names.includes(name);
    assert.deepEqual(
      all.filter((name) => !there(name)),
      [],
    );
    assert.deepEqual(
      all.filter((name, index) => all.indexOf(name) !== index),
      [],
    );
  });

  it('leaves nothing out of the whole run, and only what it names out of the quick one', () => {
    assert.deepEqual(
      chosen(['a/b.test.ts', 'c/d.test.ts'], { later: ['c/'], partly: { 'a/b': ['x (y)'] }, skips: [] }, 'quick'),
      [{ file: 'a/b.test.ts', texts: ['x (y)'] }],
    );
    assert.deepEqual(
      chosen(files, tiers, 'all'),
      files.map((file) => ({ file, texts: null })),
    );
  });
});
