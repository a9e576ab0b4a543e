// Imported first by scripts that need the Node that the project brings (node_modules/node): a person types `node
// scripts/x.mjs`, and the machine's own Node may be older. Then the script runs once more with the right one, and this
// process ends as that one does.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { withoutNode } from './no-node.mjs';

const oldest = 24;
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The Node that the project brings. */
export const projectNode = path.join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');

if (Number(process.versions.node.split('.')[0]) < oldest) {
  if (!existsSync(projectNode)) {
    console.error(`This needs Node ${oldest}: ${withoutNode(root)}`);
    process.exit(1);
  }
  const { status, error } = spawnSync(projectNode, process.argv.slice(1), { stdio: 'inherit' });
  if (error) console.error(error.message);
  process.exit(status ?? 1);
}
