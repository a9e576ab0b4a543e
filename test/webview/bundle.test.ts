import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** What the extension ships of the page, without compression. Buttons, the folded axis and news need 5.9 kB of it. */
const bytesAtMost = 126_000;

describe('the files of the page', () => {
  it('stay small', async () => {
    const [script, style] = await Promise.all(
      ['js', 'css'].map((kind) => readFile(`dist/webview/page.${kind}`, 'utf8')),
    );
    const small = await transform(script ?? '', { minify: true, target: 'es2023', legalComments: 'none' });
    const smallStyle = await transform(style ?? '', { minify: true, loader: 'css' });
    const bytes = Buffer.byteLength(small.code) + Buffer.byteLength(smallStyle.code);
    assert.ok(bytes < bytesAtMost, `page.js and page.css have ${bytes} bytes`);
  });

  it('use variables of VS Code that its themes know, or say what stands for them', async () => {
    const style = await readFile('dist/webview/page.css', 'utf8');
    const known = Object.keys(JSON.parse(await readFile('test/webview/themes/dark.json', 'utf8')) as object);
    const bare = [...style.matchAll(/var\((--vscode-[\w-]+)\)/g)].map(([, name]) => name ?? '');
    assert.deepEqual(
      bare.filter((name) => !known.includes(name)),
      [],
    );
  });
});
