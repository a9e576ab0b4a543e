import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/getting-started.md',
  ...globSync('docs/guide/*.md').map((file) => file.split(path.sep).join('/')),
];
const sources = /\w\.(ts|mjs|cjs)$/;
/** What a build or an installation makes: named, and in no list of the repository. */
const made = new Set(['supervisor.cjs', 'dist/supervisor.cjs', 'node_modules/node', 'test/tools/sandbox']);

/** The files and folders of the sources that a text names in backticks and that are not there; a name may begin anywhere in the path. */
function missingOf(text: string, files: readonly string[]): readonly string[] {
  const names = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*)\/?`/g)]
    .map(([, name = '']) => name)
    .filter((name) => sources.test(name) || /^[\w-]+(\/[\w-]+)+$/.test(name));
  const isThere = (name: string): boolean =>
    files.some((file) => `/${file}/`.includes(`/${name}/`) || file.endsWith(`/${name}.ts`));
  return names.filter((name) => !made.has(name) && !isThere(name));
}

describe('the documents', () => {
  const files = globSync('{*,{.ci,docs,examples,media,schemas,scripts,src,test,webview-ui}/**/*}', {
    exclude: (name) => name === 'node_modules',
  }).map((file) => file.split(path.sep).join('/'));

  for (const document of documents)
    it(`${document} names no file that is gone`, () => {
      assert.deepEqual(missingOf(readFileSync(document, 'utf8'), files), []);
    });

  it('a file and a folder that are gone are found', () => {
    const text =
      'See `core/view/gone.ts`, `core/gone`, `core/view/eventLine.ts`, `core/view/`, `mission.json` and `a b/c.ts`.';
    assert.deepEqual(missingOf(text, files), ['core/view/gone.ts', 'core/gone']);
  });
});
