// `npm test`: every check of the project that needs no agent account, in order, none skipped because another failed.
//
// A gate (a program that judges) counts as one test. A suite counts its own tests: it gets MISSION_TEST_RESULTS, a
// path, and leaves there what scripts/mocha-reporter.mjs describes. A suite that leaves no file, ran no test or ends
// with another exit code than its numbers say is one more failure. The last line is `N passed, N failed[, N skipped]`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
process.chdir(root);
const binFolder = path.join(root, 'node_modules/.bin');
/** The Node that the project brings; the machine's own may be older. */
const node = path.join(binFolder, process.platform === 'win32' ? 'node.exe' : 'node');

const minutes = 60_000;
const stages = [
  { name: 'types of every room', kind: 'gate', script: 'typecheck', limit: 10 * minutes },
  { name: 'lint', kind: 'gate', script: 'lint:eslint', limit: 10 * minutes },
  { name: 'format', kind: 'gate', script: 'lint:format', limit: 5 * minutes },
  { name: 'import table', kind: 'gate', script: 'lint:imports', limit: 5 * minutes },
  { name: 'generated files', kind: 'gate', script: 'generate:check', limit: 5 * minutes },
  { name: 'build', kind: 'gate', args: ['scripts/build.mjs', '--tests'], limit: 5 * minutes },
  {
    name: 'tests without VS Code',
    kind: 'suite',
    args: ['node_modules/mocha/bin/mocha.js', 'dist-test/**/*.test.js'],
    limit: 35 * minutes,
  },
  { name: 'tests in the real VS Code', kind: 'suite', args: ['scripts/test-vscode.mjs'], limit: 35 * minutes },
];

if (!existsSync(node)) {
  console.error('node_modules holds no Node: run `npm ci` first.');
  console.log('0 passed, 1 failed');
  process.exit(1);
}

const scratch = await mkdtemp(path.join(os.tmpdir(), 'mission-test-'));
const total = { passed: 0, failed: 0, skipped: [], failures: [] };
const times = [];
for (const [index, stage] of stages.entries()) {
  console.log(`\n=== ${stage.name}`);
  const started = Date.now();
  const result = await runStage(stage, path.join(scratch, `${index}.json`));
  times.push(`${stage.name} ${((Date.now() - started) / 1000).toFixed(1)} s`);
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped.push(...result.skipped);
  total.failures.push(...result.failures.map((title) => `${stage.name}: ${title}`));
}
await rm(scratch, { recursive: true, force: true });

console.log(`\n${times.join(', ')}`);
for (const { title, reason } of total.skipped) console.log(`skipped: ${title}: ${reason}`);
for (const title of total.failures) console.log(`failed: ${title}`);
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** @returns {Promise<{ passed: number, failed: number, skipped: { title: string, reason: string }[], failures: string[] }>} */
async function runStage(stage, resultsFile) {
  const end = await run(stage.script === undefined ? [node, stage.args] : await commandOf(stage.script), stage.limit, {
    ...process.env,
    PATH: `${binFolder}${path.delimiter}${process.env.PATH}`,
    MISSION_TEST_RESULTS: stage.kind === 'suite' ? resultsFile : '',
  });
  if (stage.kind === 'gate') {
    return end === 'exit code 0'
      ? { passed: 1, failed: 0, skipped: [], failures: [] }
      : { passed: 0, failed: 1, skipped: [], failures: [end] };
  }
  const results = await readResults(resultsFile);
  const broken = (why) => ({ ...results, failed: results.failed + 1, failures: [...results.failures, why] });
  if (results.passed + results.failed + results.skipped.length === 0) return broken(`no test ran (${end})`);
  if (end !== 'exit code 0' && results.failed === 0) return broken(`every test passed, but ${end}`);
  return results;
}

/** The command of an npm script; gates have one place, package.json. */
async function commandOf(script) {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const [program, ...args] = scripts[script].split(' ');
  return program === 'node' ? [node, args] : [path.join(binFolder, program), args];
}

/** Runs one stage with its output shown. @returns how it ended, as a phrase. */
function run([program, args], limit, env) {
  return new Promise((resolve) => {
    // A process group of its own, so that a stage over its limit goes with everything it started.
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env, detached: true });
    const stop = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    };
    const interrupted = (signal) => {
      stop(signal);
      process.exit(130);
    };
    process.on('SIGINT', interrupted).on('SIGTERM', interrupted);
    let overdue = false;
    const deadline = setTimeout(() => {
      overdue = true;
      stop('SIGKILL');
    }, limit);
    const done = (how) => {
      clearTimeout(deadline);
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      resolve(overdue ? `stopped after ${limit / minutes} minutes` : how);
    };
    child.on('error', (error) => done(error.message));
    child.on('exit', (code, signal) => done(signal === null ? `exit code ${code}` : `ended by ${signal}`));
  });
}

async function readResults(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { passed: 0, failed: 0, skipped: [], failures: [] };
  }
}
