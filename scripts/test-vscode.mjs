// The tests in the real VS Code: those that drive it from outside (dist-test/vscode/**/*.test.js), then the
// suite inside its extension host (dist-test/vscode/suite). Run `node scripts/build.mjs --tests` first.
//
//   node scripts/test-vscode.mjs [--electron] [--only driver|suite] [--grep text] [file ...]
//
// --electron runs the suite in a downloaded desktop build through @vscode/test-electron instead.
// The script reports the suite as skipped where it can download no build. The outcome goes to the
// path in MISSION_TEST_RESULTS (scripts/mocha-reporter.mjs); the last line is
// `N passed, N failed[, N skipped]`.
import './project-node.mjs';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { VscodeToolsError, findBrowser, installVscodeTools, startVscodeServer, windowUrl } from './vscode-server.mjs';

const { values: flags, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { electron: { type: 'boolean', default: false }, only: { type: 'string' }, grep: { type: 'string' } },
});
const root = path.resolve(import.meta.dirname, '..');
process.chdir(root);
const suiteLimit = 15 * 60_000;
const suiteModule = path.join(root, 'dist-test/vscode/suite/index.js');

const scratch = await realpath(await mkdtemp(path.join(os.tmpdir(), 'mission-vscode-run-')));
const total = { passed: 0, failed: 0, skipped: [], failures: [], files: {} };
const add = ({ passed = 0, failed = 0, skipped = [], failures = [], files = {} }) => {
  Object.assign(total.files, files);
  total.passed += passed;
  total.failed += failed;
  total.skipped.push(...skipped);
  total.failures.push(...failures);
};

if (flags.electron) {
  add(await runSuiteInElectron());
} else {
  const problem = await prepare();
  if (problem !== undefined) add(problem);
  else {
    if (flags.only !== 'suite') add(await runDriverTests());
    if (flags.only !== 'driver' && files.length === 0 && flags.grep === undefined) add(await runSuiteInServer());
  }
}
await rm(scratch, { recursive: true, force: true });
if (process.env.MISSION_TEST_RESULTS) await writeFile(process.env.MISSION_TEST_RESULTS, JSON.stringify(total, null, 2));
for (const { title, reason } of total.skipped) console.log(`skipped: ${title}: ${reason}`);
for (const title of total.failures) console.log(`failed: ${title}`);
const skipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** A tool that cannot be installed is a failure. A machine on which no browser runs is a skip with its reason. */
async function prepare() {
  const title = 'tests in the real VS Code';
  try {
    await installVscodeTools(root, console.log);
  } catch (error) {
    if (!(error instanceof VscodeToolsError)) throw error;
    return { failed: 1, failures: [`${title}: ${error.message}`] };
  }
  try {
    console.log(`browser: ${(await findBrowser(root)).name}`);
  } catch (error) {
    if (!(error instanceof VscodeToolsError)) throw error;
    return { skipped: [{ title, reason: error.message }] };
  }
  return undefined;
}

async function runDriverTests() {
  const results = path.join(scratch, 'driver.json');
  const args = [
    '--no-config',
    '--require',
    './dist-test/support/home.js',
    '--require',
    './dist-test/support/poison.js',
  ];
  args.push('--reporter', 'scripts/mocha-reporter.mjs', '--timeout', '300000', '--slow', '60000');
  args.push('--forbid-only', '--exit', '--ignore', 'dist-test/vscode/suite/**');
  if (flags.grep !== undefined) args.push('--grep', flags.grep);
  args.push(...(files.length > 0 ? files : ['dist-test/vscode/**/*.test.js']));
  const code = await new Promise((resolve) => {
    const env = { ...process.env, MISSION_TEST_RESULTS: results };
    const child = spawn(process.execPath, ['scripts/mocha.mjs', ...args], { stdio: 'inherit', env });
    child.once('exit', resolve);
  });
  const found = await readResults(results);
  if (found === undefined) return { failed: 1, failures: [`driver tests left no result (exit code ${code})`] };
  return found;
}

async function runSuiteInServer() {
  const workspaceDir = path.join(scratch, 'workspace');
  const results = path.join(scratch, 'suite.json');
  await mkdir(workspaceDir);
  const server = await startVscodeServer({
    root,
    serverDataDir: path.join(scratch, 'server'),
    development: true,
    env: { MISSION_SUITE_RESULTS: results },
  });
  const { executablePath, env } = await findBrowser(root);
  const { chromium } = createRequire(path.join(root, 'test/tools/vscode/package.json'))('playwright-core');
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    await page.goto(
      windowUrl(server, workspaceDir, { extensionDevelopmentPath: root, extensionTestsPath: suiteModule }),
    );
    const found = await awaitResults(results);
    if (found !== undefined) return showSuite(found);
    const picture = path.join(root, '.artifacts/screenshots/failure-suite.png');
    await page.screenshot({ path: picture });
    console.error((await readFile(server.logFile, 'utf8')).split('\n').slice(-40).join('\n'));
    return {
      failed: 1,
      failures: [`the suite in the extension host left no result in ${suiteLimit} ms, see ${picture}`],
    };
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Desktop VS Code, downloaded by @vscode/test-electron into .vscode-test/. */
async function runSuiteInElectron() {
  const title = 'suite in desktop VS Code';
  const electron = await import('@vscode/test-electron');
  let vscodeExecutablePath;
  try {
    vscodeExecutablePath = await electron.downloadAndUnzipVSCode({ timeout: 60_000 });
  } catch (error) {
    return { skipped: [{ title, reason: `no desktop build can be downloaded: ${error.message}` }] };
  }
  const results = path.join(scratch, 'electron.json');
  const workspaceDir = path.join(scratch, 'workspace');
  await mkdir(workspaceDir);
  try {
    await electron.runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: root,
      extensionTestsPath: suiteModule,
      extensionTestsEnv: { MISSION_SUITE_RESULTS: results },
      launchArgs: [
        workspaceDir,
        '--user-data-dir',
        path.join(scratch, 'user'),
        '--disable-workspace-trust',
        '--no-sandbox',
      ],
    });
  } catch (error) {
    // Ignores the suite's error, because its result file says which test failed. Without one, VS Code itself did not
    // start.
    const found = await readResults(results);
    return found === undefined ? { failed: 1, failures: [`${title}: ${error.message ?? error}`] } : showSuite(found);
  }
  return showSuite(await readResults(results));
}

async function awaitResults(file) {
  const end = Date.now() + suiteLimit;
  while (Date.now() < end) {
    const found = await readResults(file);
    if (found !== undefined) return found;
    await delay(200);
  }
  return undefined;
}

/** @returns undefined while the file is missing or half written. */
async function readResults(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function showSuite(results) {
  for (const line of results.log) console.log(`  ${line}`);
  return results;
}
