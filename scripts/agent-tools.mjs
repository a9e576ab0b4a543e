// The real agent CLIs for tests, and how mocha is started for the tests that use them (test/agents/).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { projectNode } from './project-node.mjs';
import { tried } from './tried.mjs';

/** The folder for files of the tests with the real CLIs, emptied for each run. */
const artifacts = '.artifacts/agents';

/** Program arguments of the tests' Node, without the files. */
export const agentMocha = [
  ...['scripts/mocha.mjs', '--no-config', '--require', './dist-test/support/home.js'],
  ...['--exit', '--forbid-only', '--reporter', 'scripts/mocha-reporter.mjs'],
];

/**
 * Installs exactly what the lock file says, once, and empties the folder of artifacts.
 *
 * @param {string} root the repository root
 * @returns {Promise<string | null>} a sentence when it went wrong, else null
 */
export async function installAgentTools(root) {
  rmSync(path.join(root, artifacts), { recursive: true, force: true });
  mkdirSync(path.join(root, artifacts), { recursive: true });
  const tools = path.join(root, 'test/tools/agents');
  const lock = createHash('sha256')
    .update(readFileSync(path.join(tools, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(tools, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return null;
  console.log('installing the agent CLIs and the mock model (about 1.2 GB)');
  const failed = await tried(() => install(tools));
  if (failed === null) writeFileSync(stamp, lock);
  return failed;
}

/** @returns {string | null} what went wrong */
function install(tools) {
  // Without scripts, because two of the packages would compile or download optional parts that these tests do not use.
  const npm = run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', tools], tools);
  if (npm !== 0) return `npm ci in test/tools/agents ended with ${npm}`;
  // Runs their own scripts, because they put the native binary of this platform in place; without them there is only a
  // stub.
  for (const [name, script] of Object.entries({
    '@anthropic-ai/claude-code': 'install.cjs',
    'opencode-ai': 'postinstall.mjs',
  })) {
    const code = run(projectNode, [script], path.join(tools, 'node_modules', name));
    if (code !== 0) return `${script} of ${name} ended with ${code}`;
  }
  return null;
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', env: process.env });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  return status ?? 1;
}
