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
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { agentMocha, installAgentTools } from './agent-tools.mjs';
import { bubblewrapForTests } from './bubblewrap.mjs';
import { projectNode } from './project-node.mjs';
import { closingLines, runSideBySide } from './side-by-side.mjs';
import { VscodeToolsError, installVscodeTools } from './vscode-server.mjs';

const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);

await main();

async function main() {
  const args = process.argv.slice(2);
  const problem = (await installAgentTools(root)) ?? (await installVscode()) ?? build();
  if (problem !== null) {
    report({ passed: 0, failed: 1, skipped: [], failures: [problem] });
    return;
  }
  bubblewrapForTests(root); // Fetched here, because that may take longer than a test may.
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

/** Runs a process for each file, some at once, because most of their time is waiting for the CLIs. */
async function runTests(options) {
  const files = readdirSync('dist-test/agents')
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => `dist-test/agents/${name}`);
  const job = (name, chosen) => {
    return { name, kind: 'suite', program: projectNode, args: [...agentMocha, ...options, ...chosen], minutes: 30 };
  };
  // One job with --grep, because most files then have no test to run.
  const jobs = options.length > 0 ? [job(options.join(' '), files)] : files.map((file) => job(file, [file]));
  report(await runSideBySide(jobs, Number(process.env.MISSION_TESTS_AT_ONCE ?? 3)));
}

/**
 * Installs the real VS Code, because one of the missions runs inside it. @returns a sentence if it went wrong, else
 * null
 */
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

function run(command, args) {
  const { status, signal, error } = spawnSync(command, args, { stdio: 'inherit' });
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
