import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { missingPrettierLines } from '../../../src/adapters/files/prettierIgnore';
import { removeScratch, scratch } from '../scratch';

const all = ['docs/plans/*.json', 'docs/ops/executions/'];

describe('the lines of .prettierignore', () => {
  afterEach(removeScratch);

  const missing = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const folder = await scratch();
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    return missingPrettierLines(folder);
  };

  it('are of no use where the repository does not use Prettier', async () => {
    assert.deepEqual(await missing({}), []);
    assert.deepEqual(await missing({ 'package.json': '{"devDependencies": {"eslint": "10"}}' }), []);
    assert.deepEqual(await missing({ 'package.json': 'no JSON', '.prettierignore': 'dist/\n' }), []);
    assert.deepEqual(await missing({ 'package.json': '{"devDependencies": ["prettier"]}' }), []);
  });

  for (const [name, text] of [
    ['.prettierrc', '{}'],
    ['.prettierrc.yaml', ''],
    ['prettier.config.mjs', 'export default {};'],
    ['package.json', '{"prettier": "@house/prettier"}'],
    ['package.json', '{"devDependencies": {"prettier": "3.10.1"}}'],
  ] as const)
    it(`are missing beside ${name} ${text}`, async () => assert.deepEqual(await missing({ [name]: text }), all));

  it('are missing only where no line ignores as much', async () => {
    const beside = (lines: string): Promise<readonly string[]> =>
      missing({ '.prettierrc': '{}', '.prettierignore': lines });
    assert.deepEqual(await beside('dist/\n'), all);
    for (const lines of ['docs\n', '/docs/\r\n', 'docs/**', 'docs/*']) assert.deepEqual(await beside(lines), [], lines);
    assert.deepEqual(await beside('docs/ops\n'), ['docs/plans/*.json']);
    assert.deepEqual(await beside('# docs\ndoc\ndocs/op\n!docs\n\n/\n'), all);
    assert.deepEqual(await beside(all.join('\n')), []);
  });
});
