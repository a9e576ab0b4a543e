// `npm run demo` builds, copies examples/ into a temporary folder and runs the sample mission there
// with progress. Then it says where the evidence is and how to look at it. Needs no account and no
// network; leaves the checkout clean.
//
//   npm run demo                 run the sample mission in this terminal
//   npm run demo -- --vscode     open the sample workspace with the extension: in desktop VS Code when `code` is
//                                found, otherwise in the VS Code server, whose address is printed until Ctrl+C
//
// --dir FOLDER (must not exist) instead of a temporary folder; --server: the VS Code server even where `code` is found.
import { spawn } from 'node:child_process';
import { access, constants, cp, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { withoutNode } from './no-node.mjs';

const usage = 'usage: npm run demo -- [--vscode | --server] [--dir FOLDER]';
const flags = read();
const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
const windows = process.platform === 'win32';
/** The Node that the project brings; the machine's own may be older. */
const node = path.join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
const planFile = 'docs/plans/PLAN_sample-001.json';
const planId = 'sample-001';
const decision = '--by NAME --reason TEXT';

process.exitCode = flags === null ? 2 : flags.help ? (console.log(usage), 0) : await main();

/** Null: an option is not known, which was said. */
function read() {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        vscode: { type: 'boolean', default: false },
        server: { type: 'boolean', default: false },
        dir: { type: 'string' },
      },
    }).values;
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    return null;
  }
}

async function main() {
  if (!(await usable(node))) return fail(withoutNode(root));
  if ((await findOnPath('git')) === null) return fail('git is not on PATH: install it first.');
  if (Number(process.versions.node.split('.')[0]) < 22) return run(node, process.argv.slice(1), { cwd: process.cwd() });
  console.log('Building ...');
  if ((await run(node, ['scripts/build.mjs'], { cwd: root })) !== 0) return fail('The build failed.');
  const workspace = await copyExamples();
  console.log(`Sample workspace: ${workspace}\n`);
  return flags.vscode || flags.server ? openInVscode(workspace) : runMission(workspace);
}

async function runMission(workspace) {
  const mission = [path.join(root, 'dist', 'cli.js')];
  const code = await run(node, [...mission, 'run', planFile], { cwd: workspace });
  if (code !== 0) return code;
  const verified = await run(node, [...mission, 'evidence', 'verify', planId], { cwd: workspace });
  const evidence = path.join(workspace, 'docs', 'ops', 'executions', planId);
  console.log(`\nThe evidence is in ${evidence}:`);
  for (const name of (await readdir(evidence)).sort()) console.log(`  ${name}`);
  console.log('\nVerify it again:');
  console.log(`  node ${quoted(mission[0])} evidence verify ${planId} --workspace ${quoted(workspace)}`);
  console.log('Look at the mission and its journal:');
  console.log(`  node ${quoted(mission[0])} status --workspace ${quoted(workspace)}`);
  console.log(`  node ${quoted(mission[0])} journal export ${planId} --workspace ${quoted(workspace)}`);
  console.log('Change something in it, run the plan again, stop a task that runs, and have it tried again:');
  const plan = quoted(path.join(workspace, planFile));
  for (const words of [`run ${plan}`, ...['stop', 'retry'].map((verb) => `${verb} ${planId} inventory ${decision}`)])
    console.log(`  node ${quoted(mission[0])} ${words} --workspace ${quoted(workspace)}`);
  console.log('Open it in VS Code (command palette: Mission Control):');
  console.log(`  code --extensionDevelopmentPath=${quoted(root)} ${quoted(workspace)}`);
  console.log('or, without a desktop VS Code: npm run demo -- --vscode');
  return verified;
}

async function openInVscode(workspace) {
  const code = flags.server ? null : await findOnPath('code');
  if (code !== null) {
    console.log('Opening desktop VS Code with the extension. Command palette: "Mission Control: Run Plan".');
    return run(code, [`--extensionDevelopmentPath=${root}`, '--new-window', workspace], {
      cwd: workspace,
      shell: windows,
    });
  }
  return serveVscode(workspace);
}

/** Keeps the VS Code server until Ctrl+C. Removes the server's own files; the workspace stays. */
async function serveVscode(workspace) {
  console.log('There is no `code` on PATH: starting the VS Code server (downloaded once into test/tools/vscode).');
  const { installVscodeTools, startVscodeServer, windowUrl } = await import('./vscode-server.mjs');
  const serverDataDir = await realpath(await mkdtemp(path.join(os.tmpdir(), 'mission-control-server-')));
  try {
    await installVscodeTools(root, console.log);
    const server = await startVscodeServer({
      root,
      serverDataDir,
      extensionDirs: [root],
      settings: { 'workbench.startupEditor': 'none', 'security.workspace.trust.enabled': false },
    });
    try {
      console.log(`\nOpen this address in a browser:\n\n  ${windowUrl(server, workspace)}\n`);
      console.log('Then press F1 and choose "Mission Control: Run Plan". Ctrl+C here ends the server.');
      await new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
        // A timer, because the server is no child that keeps this process alive.
        setInterval(() => {}, 60_000);
      });
      console.log('\nEnding the VS Code server ...');
    } finally {
      await server.stop();
    }
  } catch (error) {
    return fail(`The VS Code server cannot be started: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await rm(serverDataDir, { recursive: true, force: true });
  }
  console.log(`The sample workspace stays in ${workspace}`);
  process.exit(0);
}

async function copyExamples() {
  const wanted =
    flags.dir === undefined ? await mkdtemp(path.join(os.tmpdir(), 'mission-control-demo-')) : path.resolve(flags.dir);
  await cp(path.join(root, 'examples'), wanted, {
    recursive: true,
    errorOnExist: flags.dir !== undefined,
    force: false,
  });
  const workspace = await realpath(wanted);
  const git = [
    '-c',
    'user.name=Mission Control demo',
    '-c',
    'user.email=demo@example.invalid',
    '-c',
    'commit.gpgsign=false',
  ];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-q', '-m', 'Sample workspace'],
  ]) {
    if ((await run('git', [...git, ...args], { cwd: workspace })) !== 0)
      throw new Error(`git ${args[0]} failed in ${workspace}`);
  }
  return workspace;
}

function run(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', ...options });
    // Ignores Ctrl+C and waits, because the child decides what it means.
    const ignore = () => {};
    process.on('SIGINT', ignore);
    child.once('error', reject);
    child.once('exit', (code) => {
      process.off('SIGINT', ignore);
      resolve(code ?? 1);
    });
  });
}

async function findOnPath(name) {
  const names = windows ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const candidate of names)
      if (folder !== '' && (await usable(path.join(folder, candidate)))) return path.join(folder, candidate);
  }
  return null;
}

function usable(file) {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function quoted(text) {
  return /^[\w@%+=:,./\\-]+$/.test(text) ? text : JSON.stringify(text);
}

function fail(message) {
  console.error(message);
  return 1;
}
