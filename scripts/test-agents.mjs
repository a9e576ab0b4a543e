// Runs the tests that start the real agent CLIs (test/agents/) against a model mocked on loopback.
//
//   node scripts/test-agents.mjs [mocha options]   installs test/tools/{agents,vscode} when needed, builds, runs
//   node scripts/test-agents.mjs --record [agent]  records test/workers/transcripts/ again instead
//
// With MC_TEST_REPORT (or MISSION_TEST_RESULTS) set to a path, writes there { passed, failed, skipped: [{ title,
// reason }] }; the last line printed says the same. No account, no key: the homes and environments are made for the
// tests, and nothing but the npm registry and 127.0.0.1 is contacted.
import './project-node.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { bubblewrapForTests } from './bubblewrap.mjs';
import { projectNode } from './project-node.mjs';
import { closingLines, runSideBySide } from './side-by-side.mjs';
import { VscodeToolsError, installVscodeTools } from './vscode-server.mjs';

const root = path.resolve(import.meta.dirname, '..');
const tools = path.join(root, 'test/tools/agents');
process.chdir(root);

const artifacts = path.join(root, '.artifacts/agents');

await main();

async function main() {
  const args = process.argv.slice(2);
  const problem = install() ?? (await installVscode()) ?? build();
  if (problem !== null) {
    report({ passed: 0, failed: 1, skipped: [], failures: [problem] });
    return;
  }
  bubblewrapForTests(root); // Fetched here: that may take longer than a test may.
  // Only what earlier runs left; nothing outside this folder.
  rmSync(artifacts, { recursive: true, force: true });
  mkdirSync(artifacts, { recursive: true });
  if (args[0] === '--record') {
    process.exitCode = run(projectNode, [
      '--enable-source-maps',
      'dist-test/agents/record.program.js',
      ...args.slice(1),
    ]);
    return;
  }
  await runTests(args);
}

/** A process for each file, some at once: most of their time goes into waiting for the CLIs. */
async function runTests(options) {
  const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--require', './dist-test/support/home.js'];
  mocha.push('--enable-source-maps', '--exit', '--forbid-only', '--reporter', 'scripts/mocha-reporter.mjs', ...options);
  const files = readdirSync('dist-test/agents')
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => `dist-test/agents/${name}`);
  const job = (name, chosen) => {
    return { name, kind: 'suite', program: projectNode, args: [...mocha, ...chosen], minutes: 30 };
  };
  // With --grep most files have nothing to run.
  const jobs = options.length > 0 ? [job(options.join(' '), files)] : files.map((file) => job(file, [file]));
  report(await runSideBySide(jobs, Number(process.env.MISSION_TESTS_AT_ONCE ?? 3)));
}

/** Exactly what the lock file says, once. @returns a sentence when it went wrong, else null */
function install() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(tools, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(tools, 'node_modules/.installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return null;
  console.log('test-agents: installing the CLIs and the mock model (about 1.2 GB)');
  // Without scripts: two of the packages would compile or download optional parts nobody here uses.
  const npm = run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', tools], {}, tools);
  if (npm !== 0) return `npm ci in test/tools/agents ended with ${npm}`;
  // Their own scripts put the native binary of this platform in place; without them there is only a stub, or nothing.
  for (const [name, script] of Object.entries({
    '@anthropic-ai/claude-code': 'install.cjs',
    'opencode-ai': 'postinstall.mjs',
  })) {
    const code = run(projectNode, [script], {}, path.join(tools, 'node_modules', name));
    if (code !== 0) return `${script} of ${name} ended with ${code}`;
  }
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
  const code = run(projectNode, ['scripts/build.mjs', '--tests', 'agents', 'support']);
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

function report({ passed, failed, skipped, failures }) {
  for (const file of new Set([process.env.MC_TEST_REPORT, process.env.MISSION_TEST_RESULTS])) {
    if (file !== undefined && file !== '') writeFileSync(file, JSON.stringify({ passed, failed, skipped }, null, 2));
  }
  console.log(closingLines({ passed, failed, skipped, failures }).join('\n'));
  if (failed > 0) process.exitCode = 1;
}
