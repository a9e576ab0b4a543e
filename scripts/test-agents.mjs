// Runs the tests that start the three real agent CLIs (test/agents/) against a model mocked on loopback.
//
//   node scripts/test-agents.mjs [mocha options]   installs test/tools/{agents,vscode} when needed, builds, runs
//   node scripts/test-agents.mjs --record          records test/workers/transcripts/ again instead
//
// With MC_TEST_REPORT (or MISSION_TEST_RESULTS) set to a path, writes there { passed, failed, skipped: [{ title,
// reason }] }; the last line printed says the same. No account, no key: the homes and environments are made for the
// tests, and nothing but the npm registry and 127.0.0.1 is contacted.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { VscodeToolsError, installVscodeTools } from './vscode-server.mjs';

const root = path.resolve(import.meta.dirname, '..');
const tools = path.join(root, 'test/tools/agents');
process.chdir(root);

// The project's own Node, whatever the machine's is: 20 lacks what the build script uses.
const node = path.join(root, 'node_modules/node/bin/node');
const artifacts = path.join(root, '.artifacts/agents');

await main();

async function main() {
  const args = process.argv.slice(2);
  const problem = install() ?? (await installVscode()) ?? build();
  if (problem !== null) {
    report({ passed: 0, failed: 1, skipped: [] }, problem);
    return;
  }
  // Only what earlier runs left; nothing outside this folder.
  rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });
  if (args[0] === '--record') {
    process.exitCode = run(node, ['--enable-source-maps', 'dist-test/agents/record.program.js']);
    return;
  }
  runTests(args);
}

function runTests(args) {
  const results = path.join(artifacts, 'results.json');
  const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
  const options = [
    '--no-config',
    '--require',
    './dist-test/support/home.js',
    '--exit',
    '--forbid-only',
    '--reporter',
    'scripts/mocha-reporter.mjs',
  ];
  const code = run(node, ['--enable-source-maps', mocha, ...options, ...args, 'dist-test/agents/**/*.test.js'], {
    MISSION_TEST_RESULTS: results,
  });
  if (!existsSync(results)) {
    report({ passed: 0, failed: 1, skipped: [] }, `mocha wrote no results (exit ${code})`);
    return;
  }
  const { passed, failed, skipped } = JSON.parse(readFileSync(results, 'utf8'));
  const unexplained = code !== 0 && failed === 0 ? `mocha ended with ${code} though no test failed` : null;
  report({ passed, failed: unexplained === null ? failed : 1, skipped }, unexplained);
}

/** Exactly what the lock file says, once. @returns a sentence when it went wrong, else null */
function install() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(tools, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(tools, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return null;
  console.log('test-agents: installing the three CLIs and the mock model (about 870 MB)');
  // Without scripts: two of the packages would compile or download optional parts nobody here uses.
  const npm = run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', tools], {}, tools);
  if (npm !== 0) return `npm ci in test/tools/agents ended with ${npm}`;
  // Claude Code's own script puts the native binary of this platform in place; without it there is only a stub.
  const claude = run(node, ['install.cjs'], {}, path.join(tools, 'node_modules/@anthropic-ai/claude-code'));
  if (claude !== 0) return `Claude Code's install.cjs ended with ${claude}`;
  writeFileSync(stamp, lock);
  return null;
}

/** One of the missions runs inside the real VS Code. @returns a sentence when it went wrong, else null */
async function installVscode() {
  try {
    await installVscodeTools(root, console.log);
    return null;
  } catch (error) {
    if (!(error instanceof VscodeToolsError)) throw error;
    return error.message;
  }
}

function build() {
  const code = run(node, ['scripts/build.mjs', '--tests', 'agents', 'support']);
  return code === 0 ? null : `the build ended with ${code}`;
}

function run(command, args, env = {}, cwd = root) {
  const { status, signal, error } = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (error !== undefined) console.error(`test-agents: ${command}: ${error.message}`);
  return status ?? (signal === null ? 1 : 128);
}

function report(results, problem) {
  if (problem !== null) console.error(`test-agents: ${problem}`);
  for (const file of new Set([process.env.MC_TEST_REPORT, process.env.MISSION_TEST_RESULTS])) {
    if (file !== undefined && file !== '') writeFileSync(file, JSON.stringify(results, null, 2));
  }
  const { passed, failed, skipped } = results;
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  if (failed > 0) process.exitCode = 1;
}
