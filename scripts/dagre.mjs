// The layout of the page's graph without what the page does not use of it.
//
// @dagrejs/dagre is published in one minified piece, out of which no bundler can leave anything: it ends in an object
// that names all of its algorithms. Its sources come with its source map, so the page is bundled from those.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const mapFile = 'node_modules/@dagrejs/dagre/dist/dagre.esm.js.map';
const graphs = '../node_modules/@dagrejs/graphlib/lib';
/** Modules that the sources import by the name of a package. */
const packages = {
  '@dagrejs/dagre': "export { Graph } from '../lib/graph-lib'; export { layout } from '../lib/layout';",
  // Takes two algorithms, because the layout needs no more of the dozen.
  '@dagrejs/graphlib': `
    import { preorder } from '${graphs}/alg/preorder';
    import { postorder } from '${graphs}/alg/postorder';
    export { Graph } from '${graphs}/graph';
    export const alg = { preorder, postorder };`,
};
/** Modules for graphs that the page never draws: with groups, or with cycles broken by weight (`acyclicer`). */
const unused = ['../lib/parent-dummy-chains.ts', '../lib/add-border-segments.ts', '../lib/greedy-fas.ts'];
const nothing = 'export default () => {};';

/** Gives esbuild dagre's sources in place of its bundle. */
export const dagreSources = {
  name: 'sources of dagre',
  setup: (build) => {
    const namespace = 'dagre';
    let sources;
    build.onStart(async () => {
      sources = await readSources();
    });
    build.onResolve({ filter: /^@dagrejs\// }, ({ path: name }) => ({ path: name, namespace, sideEffects: false }));
    build.onResolve({ filter: /^\./, namespace }, ({ path: name, importer }) => {
      const stem = path.posix.join(importer in packages ? '' : path.posix.dirname(importer), name);
      const file = [`${stem}.ts`, `${stem}/index.ts`].find((one) => sources.has(one));
      if (file === undefined) return { errors: [{ text: `${mapFile} holds no ${stem}` }] };
      return { path: file, namespace, sideEffects: false };
    });
    build.onLoad({ filter: /^/, namespace }, ({ path: file }) => ({
      contents: packages[file] ?? sources.get(file),
      loader: 'ts',
    }));
  },
};

/** Fails if another version names them otherwise, because the page would silently hold more again. */
async function readSources() {
  const { sources, sourcesContent } = JSON.parse(await readFile(mapFile, 'utf8'));
  const found = new Map(sources.map((file, index) => [file, sourcesContent[index]]));
  for (const file of unused) {
    if (!found.has(file)) throw new Error(`${mapFile} holds no ${file}, which scripts/dagre.mjs leaves out`);
    found.set(file, nothing);
  }
  return found;
}
