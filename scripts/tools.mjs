// Fetches what tests need beside the packages of the project, once; a later call finds it and returns at once.
//
//   node scripts/tools.mjs vscode | agents | bubblewrap | toolchains | fleet
//
// Exit code 1 where it cannot be had. What only some tests need counts only with CI=true; elsewhere these tests say that
// they are skipped.
import './project-node.mjs';
import path from 'node:path';
import process from 'node:process';
import { installAgentTools } from './agent-tools.mjs';
import { bubblewrapForTests } from './bubblewrap.mjs';
import { fleetTools } from './fleet/tools.mjs';
import { goForTests } from './go.mjs';
import { pipForTests } from './pip.mjs';
import { pnpmForTests } from './pnpm.mjs';
import { tried } from './tried.mjs';
import { VscodeToolsError, installVscodeTools } from './vscode-server.mjs';

const root = path.resolve(import.meta.dirname, '..');
const what = process.argv[2];
const fetching = {
  vscode: fetchVscode,
  agents: () => installAgentTools(root),
  bubblewrap: fetchBubblewrap,
  toolchains: fetchToolchains,
  fleet: async () => (process.platform === 'linux' ? ((await fleetTools(root)).missing ?? null) : null),
};
const failed = await fetching[what]();
if (failed !== null) console.error(`${what}: ${failed}`);
if (failed !== null && (!['bubblewrap', 'toolchains', 'fleet'].includes(what) || process.env.CI === 'true'))
  process.exitCode = 1;

async function fetchVscode() {
  try {
    await installVscodeTools(root, console.log);
    return null;
  } catch (error) {
    if (!(error instanceof VscodeToolsError)) throw error;
    return error.message;
  }
}

function fetchBubblewrap() {
  if (process.platform !== 'linux') return null;
  return tried(() => {
    const found = bubblewrapForTests(root);
    if (found.file !== undefined) console.log(`bubblewrap: ${found.file}`);
    return found.missing ?? null;
  });
}

async function fetchToolchains() {
  if (process.platform !== 'linux') return null;
  const missing = [];
  for (const find of [goForTests, pipForTests, (from) => pnpmForTests(from, 12)])
    missing.push(await tried(() => find(root).missing ?? null));
  return missing.filter((why) => why !== null).join('; ') || null;
}
