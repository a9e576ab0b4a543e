import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { parts as onDemand } from '../../scripts/parts.mjs';
import type { Line } from './measure';

const parts = [
  { name: 'extension, what VS Code loads first', files: ['extension.js'], aim: 10 },
  { name: 'extension, the rest', files: ['activation.js'], aim: null },
  { name: 'page', files: ['webview/page.js', 'webview/page.css'], aim: 120 },
  { name: 'command line', files: ['cli.js', 'mission.js'], aim: null },
  { name: 'supervisor', files: ['supervisor.cjs'], aim: null },
  { name: 'mission tools', files: ['mcp.js'], aim: null },
  { name: 'threads', files: ['journalThread.js', 'workspaceThread.js'], aim: null },
  {
    name: 'parts that programs share and load on demand',
    files: Object.keys(onDemand).map((name) => `${name}.js`),
    aim: null,
  },
] satisfies readonly { readonly name: string; readonly files: readonly string[]; readonly aim: number | null }[];

/**
 * Measures each program as it is packed: without white space and comments. The limit is what is left of it compressed.
 */
export async function sizeBench(): Promise<readonly Line[]> {
  return Promise.all(
    parts.map(async ({ name, files, aim }): Promise<Line> => {
      const packed = await Promise.all(files.map(minified));
      const bytes = packed.reduce((sum, code) => sum + Buffer.byteLength(code), 0);
      const compressed = packed.reduce((sum, code) => sum + gzipSync(code).byteLength, 0);
      return {
        ...{ name: `size of the ${name}`, unit: 'kB', ours: bytes / 1000, limit: compressed / 1000 },
        against: 'the same, compressed',
        aim: aim === null ? null : { of: 'value', is: 'at_most', value: aim },
      };
    }),
  );
}

async function minified(file: string): Promise<string> {
  const code = await readFile(path.join('dist', file), 'utf8');
  const loader = file.endsWith('.css') ? 'css' : 'js';
  return (await transform(code, { minify: true, legalComments: 'none', loader })).code;
}
