// The real VS Code without a desktop: the VS Code server of the npm package `code-server`, and a headless
// browser for it. Shared by the VS Code tests and by `npm run demo -- --vscode`.
//
// Nothing of it is in the product's own lock file: test/tools/vscode has its own package.json and lock, and
// everything installed or unpacked stays below test/tools/vscode/node_modules.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const TOOLS = 'test/tools/vscode';
const SERVER_MAIN = 'code-server/lib/vscode/out/server-main.js';
const BUILT_IN = 'code-server/lib/vscode/extensions';

/** Says why this machine cannot have VS Code; the message is a sentence for a person. */
export class VscodeToolsError extends Error {
  name = 'VscodeToolsError';
}

/**
 * Installs the VS Code server, the browser driver and the packed browser, once: a later call with the same
 * lock file returns at once. Two callers at the same time take turns.
 */
export async function installVscodeTools(root, log = () => {}) {
  const folder = path.join(root, TOOLS);
  const modules = path.join(folder, 'node_modules');
  const stampFile = path.join(modules, '.mission-control-stamp');
  const hash = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json']) hash.update(await readFile(path.join(folder, file)));
  const stamp = `${hash.digest('hex')} ${process.platform} ${process.arch} 2\n`;
  const installed = async () => (await readFile(stampFile, 'utf8').catch(() => '')) === stamp;
  if (await installed()) return modules;
  await withFolderLock(`${folder}.lock`, async () => {
    if (await installed()) return;
    log('installing the VS Code server and the browser for tests (once, about 700 MB on disk) ...');
    await runNpm(['ci', '--ignore-scripts'], folder);
    // Installs them here, because code-server's shrinkwrap pins them and `npm ci` refuses it for one missing peer
    // dependency.
    await runNpm(['install', '--omit=dev', '--ignore-scripts'], path.join(modules, 'code-server/lib/vscode'));
    await unpackChromium(modules);
    await writeFile(stampFile, stamp);
  });
  return modules;
}

/**
 * A browser that starts on this machine: `{ executablePath, env, name }`.
 * Order: MC_BROWSER, the packed headless Chromium (with its own shared libraries where the system lacks
 * them), an installed Chromium or Chrome. Throws VscodeToolsError with what was tried.
 */
export async function findBrowser(root) {
  const unpacked = path.join(root, TOOLS, 'node_modules/.chromium');
  const packed = path.join(unpacked, 'chromium');
  const fonts = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: path.join(unpacked, 'fonts') };
  const candidates = [
    { executablePath: process.env['MC_BROWSER'] ?? '', env: {} },
    { executablePath: packed, env: { ...fonts } },
    { executablePath: packed, env: { ...fonts, LD_LIBRARY_PATH: path.join(unpacked, 'al2023/lib') } },
    ...[
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/opt/google/chrome/chrome',
      '/snap/bin/chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ].map((executablePath) => ({ executablePath, env: {} })),
  ].filter(({ executablePath }) => executablePath !== '' && existsSync(executablePath));
  const failures = [];
  for (const candidate of candidates) {
    const { code, output } = await runToEnd(candidate.executablePath, ['--version'], { env: candidate.env });
    if (code === 0) return { ...candidate, name: output.trim() };
    failures.push(`${candidate.executablePath}: ${output.trim().split('\n').at(-1) ?? `exit ${code}`}`);
  }
  throw new VscodeToolsError(
    `no browser starts on this machine (${failures.join('; ') || `none found for ${process.platform} ${process.arch}`}). ` +
      'Install Chromium or Chrome (Debian: apt-get install chromium), or set MC_BROWSER to its executable.',
  );
}

/**
 * Starts a VS Code server on a free port of 127.0.0.1 and resolves when it answers.
 * Options and result: vscode-server.d.mts.
 */
export async function startVscodeServer(options) {
  const { root, serverDataDir, extensionDirs = [], settings = {}, trust = 'off', development = false } = options;
  const home = path.join(serverDataDir, 'home');
  await mkdir(path.join(serverDataDir, 'extensions'), { recursive: true });
  await mkdir(home, { recursive: true });
  await writeSettings(root, path.join(serverDataDir, 'data'), { ...QUIET_SETTINGS, ...settings });
  if (options.vsix !== undefined) await installVsix(root, options.vsix, serverDataDir);
  else if (!development) await registerExtensions(path.join(serverDataDir, 'extensions'), extensionDirs);

  const main = path.join(root, TOOLS, 'node_modules', SERVER_MAIN);
  const flags = ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--without-connection-token'];
  flags.push('--accept-server-license-terms', '--server-data-dir', serverDataDir, '--disable-telemetry');
  if (trust === 'off') flags.push('--disable-workspace-trust');
  if (options.builtIn === 'few') flags.push('--builtin-extensions-dir', await fewBuiltIn(root, serverDataDir));
  if (development) flags.push('--enable-smoke-test-driver');
  if (options.reconnectionGraceSeconds !== undefined) {
    flags.push('--reconnection-grace-time', String(options.reconnectionGraceSeconds));
  }
  const env = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    ...options.env,
  };
  const logFile = path.join(serverDataDir, `server-${Date.now()}.log`);
  const child = spawn(process.execPath, [main, ...flags], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(logFile);
  // Ends the server with a caller that ends without stop() (an exception, Ctrl+C).
  const endWithCaller = () => child.kill('SIGTERM');
  process.once('exit', endWithCaller);
  child.once('exit', () => process.off('exit', endWithCaller));
  let output = '';
  const port = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      log.write(chunk);
      if (output.length > 100_000) return;
      output += chunk;
      const match = /Web UI available at https?:\/\/[^\s:]+:(\d+)/.exec(output);
      if (match) resolve(Number(match[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new VscodeToolsError(`the VS Code server ended at once (${code ?? signal}): ${output.slice(-2000)}`)),
    );
  });
  const url = `http://127.0.0.1:${port}`;
  // A caller's HOME marks no process as ours, because it may be a person's own.
  const mark = options.env?.HOME === undefined ? `HOME=${home}` : undefined;
  return {
    url,
    port,
    pid: child.pid,
    logFile,
    serverDataDir,
    processes: () => serverProcesses(child.pid, mark),
    stop: () => stopServer(child, mark, log),
  };
}

/** The address that opens `workspaceDir`, or a `.code-workspace` file, in a server started by startVscodeServer. */
export function windowUrl(server, workspaceDir, { extensionDevelopmentPath, extensionTestsPath } = {}) {
  const url = new URL(server.url);
  // Asks for an empty window, because VS Code opens the last folder otherwise.
  if (workspaceDir === '') url.searchParams.set('ew', 'true');
  else if (workspaceDir !== undefined)
    url.searchParams.set(workspaceDir.endsWith('.code-workspace') ? 'workspace' : 'folder', workspaceDir);
  const remote = (file) => `vscode-remote://127.0.0.1:${server.port}${file}`;
  const payload = [];
  if (extensionDevelopmentPath !== undefined)
    payload.push(['extensionDevelopmentPath', remote(extensionDevelopmentPath)]);
  if (extensionTestsPath !== undefined) payload.push(['extensionTestsPath', remote(extensionTestsPath)]);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/** Settings that suppress what a first start shows: welcome pages, tips, AI sign-in, marketplace checks. */
const QUIET_SETTINGS = {
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  // The desktop's default, because VS Code saves by itself in a browser.
  'files.autoSave': 'off',
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

/**
 * Writes settings of the scope `machine` into the machine's own file. In the user's file they last only until VS Code
 * knows their scope and reads the file again.
 */
async function writeSettings(root, dataDir, settings) {
  if (existsSync(path.join(dataDir, 'User/settings.json'))) return;
  const ofMachine = await machineSettings(root);
  for (const [owner, isOwn] of [
    ['User', (name) => !ofMachine.has(name)],
    ['Machine', (name) => ofMachine.has(name)],
  ]) {
    const own = Object.fromEntries(Object.entries(settings).filter(([name]) => isOwn(name)));
    await mkdir(path.join(dataDir, owner), { recursive: true });
    await writeFile(path.join(dataDir, owner, 'settings.json'), JSON.stringify(own, null, 2));
  }
}

/** The settings of the product that VS Code takes from the machine's file only. */
async function machineSettings(root) {
  const { contributes } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const all = [contributes.configuration].flat().flatMap(({ properties }) => Object.entries(properties));
  return new Set(all.filter(([, { scope }]) => scope === 'machine').map(([name]) => name));
}

/** The extensions that the stories use, of the hundred that VS Code brings. */
const FEW_BUILT_IN = [
  ...['configuration-editing', 'git', 'git-base', 'json', 'json-language-features'],
  ...['markdown-basics', 'markdown-language-features', 'theme-defaults', 'theme-seti'],
];

async function fewBuiltIn(root, serverDataDir) {
  const folder = path.join(serverDataDir, 'built-in');
  const all = path.resolve(root, TOOLS, 'node_modules', BUILT_IN);
  if (existsSync(folder)) return folder;
  await mkdir(folder);
  for (const name of FEW_BUILT_IN) await symlink(path.join(all, name), path.join(folder, name));
  return folder;
}

/** Does what a person does with `code --install-extension`. */
async function installVsix(root, vsix, serverDataDir) {
  const main = path.join(root, TOOLS, 'node_modules', SERVER_MAIN);
  const args = [main, '--install-extension', vsix, '--server-data-dir', serverDataDir];
  const env = { PATH: process.env['PATH'] ?? '', HOME: path.join(serverDataDir, 'home') };
  const { code, output } = await runToEnd(process.execPath, [...args, '--accept-server-license-terms'], { env });
  if (code !== 0) throw new VscodeToolsError(`${vsix} could not be installed: ${output.slice(-2000)}`);
}

/**
 * Lists extensions as installed, each from where it lies: an entry of extensions.json may name any folder
 * (VS Code's extensionsProfileScannerService), so nothing is packed or copied.
 */
async function registerExtensions(extensionsFolder, extensionDirs) {
  const entries = [];
  for (const folder of extensionDirs) {
    const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    entries.push({
      identifier: { id: `${manifest.publisher}.${manifest.name}`.toLowerCase() },
      version: manifest.version,
      // Decoded, because a URI object encodes nothing.
      location: { $mid: 1, path: decodeURIComponent(pathToFileURL(folder).pathname), scheme: 'file' },
      metadata: { installedTimestamp: Date.now(), source: 'vsix', isApplicationScoped: false },
    });
  }
  await writeFile(path.join(extensionsFolder, 'extensions.json'), JSON.stringify(entries));
}

/**
 * The chromium package unpacks into the temporary folder. A variable makes it unpack the shared libraries that the
 * machine lacks, too. Both are kept next to it.
 */
async function unpackChromium(modules) {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const target = path.join(modules, '.chromium');
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const entry = pathToFileURL(path.join(modules, '@sparticuz/chromium/build/index.js')).href;
  const program = `const { default: chromium } = await import(${JSON.stringify(entry)}); await chromium.executablePath();`;
  const { code, output } = await runToEnd(process.execPath, ['--input-type=module', '--eval', program], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: target, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  if (code !== 0) throw new VscodeToolsError(`the browser could not be unpacked: ${output.slice(-1000)}`);
  const fontFolder = path.join(target, 'fonts');
  await writeFile(
    path.join(fontFolder, 'fonts.conf'),
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${fontFolder}</dir>` +
      `<cachedir>${path.join(target, 'fonts-cache')}</cachedir></fontconfig>\n`,
  );
}

/** Runs npm up to three times, because a registry hiccup must not cost the test run. */
async function runNpm(args, cwd) {
  const npm = process.env['npm_execpath'];
  const [file, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  let last = '';
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const full = [...prefix, ...args, '--no-audit', '--no-fund', '--no-update-notifier'];
    const { code, output } = await runToEnd(file, full, { cwd, env: process.env });
    if (code === 0) return;
    last = output.trim().slice(0, 2000);
    if (attempt < 3) await delay(2000 * attempt);
  }
  throw new VscodeToolsError(`npm ${args.join(' ')} failed three times in ${cwd}:\n${last}`);
}

function runToEnd(file, args, options) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => resolve({ code: -1, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** mkdir is atomic, so it serves as the lock; a lock whose holder is gone is taken over. */
async function withFolderLock(folder, work) {
  for (;;) {
    try {
      await mkdir(folder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(await readFile(path.join(folder, 'pid'), 'utf8').catch(() => 'NaN'));
      const age =
        Date.now() -
        (await stat(folder).then(
          (found) => found.mtimeMs,
          () => Date.now(),
        ));
      const gone = Number.isNaN(holder) ? age > 10_000 : !isAlive(holder);
      if (gone) await rm(folder, { recursive: true, force: true });
      else await delay(500);
    }
  }
  try {
    await writeFile(path.join(folder, 'pid'), String(process.pid));
    return await work();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Finds the live server and every live process that it started: its descendants, and those with its
 * private HOME. A detached supervisor or a daemonised grandchild has left the tree, but still has
 * that HOME in its environment. Only Linux has /proc, so elsewhere it finds none.
 */
async function serverProcesses(serverPid, mark) {
  const all = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const [status, command, environment] = await Promise.all(
      ['stat', 'cmdline', 'environ'].map((file) => readFile(`/proc/${name}/${file}`, 'latin1').catch(() => '')),
    );
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (status === '' || fields[0] === 'Z') continue;
    const marked = mark !== undefined && environment.split('\0').includes(mark);
    all.push({ pid: Number(name), parent: Number(fields[1]), marked, command: command.replaceAll('\0', ' ').trim() });
  }
  const tree = new Set([serverPid]);
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return all
    .filter(({ pid, marked }) => marked || tree.has(pid))
    .map(({ pid, parent, command }) => ({ pid, parent, command }));
}

/** Asks the server to end, then ends what is left of its processes. Resolves when none is alive. */
async function stopServer(child, mark, log) {
  const ended = child.exitCode !== null || child.signalCode !== null;
  const exited = ended ? Promise.resolve() : new Promise((resolve) => child.once('exit', resolve));
  const before = await serverProcesses(child.pid, mark);
  if (!ended) child.kill('SIGTERM');
  await Promise.race([exited, delay(3000, undefined, { ref: false })]);
  for (let left = before; ;) {
    const now = new Map((await serverProcesses(child.pid, mark)).map((found) => [found.pid, found.command]));
    for (const { pid, command } of left) if (readAlive(pid, command, await commandOf(pid))) now.set(pid, command);
    if (now.size === 0) break;
    for (const pid of now.keys()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    }
    left = [];
    await delay(50);
  }
  await exited;
  await new Promise((resolve) => log.end(resolve));
}

/** A pid counts as the same process only while it runs the same command line. */
function readAlive(pid, commandBefore, commandNow) {
  return isAlive(pid) && commandNow !== '' && commandNow === commandBefore;
}

async function commandOf(pid) {
  return (await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')).replaceAll('\0', ' ').trim();
}
