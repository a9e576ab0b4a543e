import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { thirdParty } from '../../scripts/third-party.mjs';

describe('the licences of what is bundled', () => {
  it('are beside the programs: the packages of the extension, the command line and the page', () => {
    const text = readFileSync('dist/THIRD-PARTY.txt', 'utf8');
    const names = [...text.matchAll(/^=== (\S+) \d+\.\d+\.\d+\S* \(\S+\)$/gm)].map(([, name]) => name);
    for (const name of ['@dagrejs/dagre', '@dagrejs/graphlib', 'jsonc-parser', 'preact', 'zod'])
      assert.ok(names.includes(name), `${name} is missing in ${names.join(', ')}`);
    assert.match(text, /=== zod .*\n\nMIT License\n\nCopyright /);
  });

  it('are asked for: a package without a licence text stops the build', async () => {
    const root = mkdtempSync(path.join(os.tmpdir(), 'mission-licences-'));
    try {
      mkdirSync(path.join(root, 'node_modules/@a/b'), { recursive: true });
      writeFileSync(path.join(root, 'node_modules/@a/b/package.json'), '{"version": "1.2.3", "license": "MIT"}');
      await assert.rejects(thirdParty(['src/x.ts', 'node_modules/@a/b/index.js'], root), /@a\/b is bundled/);
      writeFileSync(path.join(root, 'node_modules/@a/b/LICENSE.md'), 'Do as you like.\n');
      const text = await thirdParty(['src/x.ts', 'node_modules/@a/b/index.js'], root);
      assert.match(text, /\n=== @a\/b 1\.2\.3 \(MIT\)\n\nDo as you like\.\n$/);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
