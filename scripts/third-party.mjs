// dist/THIRD-PARTY.txt: the licences of the packages whose code the bundles hold, because most of them ask for that.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * @param {Iterable<string>} inputs the files of bundles, as esbuild's metafiles name them
 * @param {string} root the repository root
 * @returns {Promise<string>} the text; a bundled package without a licence file is an error
 */
export async function thirdParty(inputs, root) {
  const names = [...new Set([...inputs].flatMap((file) => packageOf(file) ?? []))].sort();
  const parts = await Promise.all(names.map((name) => licenceOf(name, root)));
  return `The programs of Mission Control hold code of these packages.\n\n${parts.join('\n')}`;
}

/** `zod` of `node_modules/zod/v4/core.js`; null: a file of this repository. */
function packageOf(file) {
  const inside = /.*node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(file)?.[1];
  if (inside !== undefined) return inside;
  // The sources of dagre come from its source map (scripts/dagre.mjs).
  return file.startsWith('dagre:') ? '@dagrejs/dagre' : null;
}

async function licenceOf(name, root) {
  const folder = path.join(root, 'node_modules', name);
  const { version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((one) => /^(licen[cs]e|copying)/i.test(one));
  if (file === undefined) throw new Error(`${name} is bundled, and its package holds no licence text`);
  const text = (await readFile(path.join(folder, file), 'utf8')).trim();
  return `=== ${name} ${version} (${license})\n\n${text}\n`;
}
