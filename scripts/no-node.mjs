// Uses only what an older Node has, because project-node.mjs imports it.
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Says why `node_modules/node` holds no program, and what to do: the install script of that package puts it there. */
export function withoutNode(root) {
  return existsSync(path.join(root, 'node_modules/node/package.json'))
    ? 'node_modules/node holds no program, because install scripts are switched off. Run `npm rebuild node --ignore-scripts=false`.'
    : 'node_modules holds no Node: run `npm ci` first.';
}
