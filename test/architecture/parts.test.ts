import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { parts } from '../../scripts/parts.mjs';

describe('what a call of a program seldom needs', () => {
  it('is a file of its own, so that no start reads it', () => {
    for (const program of ['mission', 'activation', 'workspaceThread']) {
      const code = readFileSync(`dist/${program}.js`, 'utf8');
      for (const held of [
        'node_modules/ajv',
        'node_modules/execa/',
        'node_modules/string-width/',
        'schemas/plan.schema',
      ])
        assert.ok(!code.includes(`\n// ${held}`), `${program}.js holds ${held}`);
    }
    for (const name of Object.keys(parts)) assert.ok(existsSync(`dist/${name}.js`), name);
  });
});
