// Unpacks packages of the distribution for tests, without installing them and without root. The product holds nothing
// of them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * Unpacks once into `unpacked` below a folder of test/tools. Other processes may do the same at the same time.
 *
 * @param {string} tools the folder, which is made where it is missing
 * @param {{ file: string, packages: (ask: (program: string, ...args: string[]) => string) => string[],
 *   works: (unpacked: string) => string | null }} what
 *   file: what is there afterwards, below `unpacked`. packages: names; `ask` answers what apt-get or apt-cache prints.
 *   works: tries the unpacked program, and answers what went wrong, or null.
 * @returns {string | null} what went wrong, or null
 */
export function unpackedOnce(tools, { file, packages, works }) {
  if (process.platform !== 'linux') return 'packages of a distribution are for Linux';
  const unpacked = path.join(tools, 'unpacked');
  if (existsSync(path.join(unpacked, file))) return null;
  try {
    mkdirSync(tools, { recursive: true });
  } catch (error) {
    return `${tools} cannot be made: ${error.message}`;
  }
  const folder = mkdtempSync(path.join(tools, 'unpacking-'));
  try {
    const root = path.join(folder, 'root');
    const failed = download(folder, packages) ?? unpack(folder, root) ?? works(root);
    if (failed !== null) return failed;
    try {
      renameSync(root, unpacked);
    } catch (error) {
      // Another process was first, and has unpacked the same.
      if (!existsSync(path.join(unpacked, file))) throw error;
    }
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {string | null} what went wrong, or null. */
export function run(program, args, cwd) {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 300_000 });
  if (error !== undefined) return `${program}: ${error.message}`;
  return status === 0 ? null : `${program} ${args.at(-1)} ended with ${status}: ${stderr.trim().slice(-300)}`;
}

function download(folder, packages) {
  if (fetched(folder, [], packages) === null) return null;
  // Fetches lists of packages into the folder, because a fresh container has none and the system's folder takes root.
  for (const part of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(path.join(folder, part), { recursive: true });
  }
  const own = [`Dir::State::lists=${folder}/lists`, `Dir::Cache=${folder}/cache`, 'APT::Sandbox::User=root'];
  const options = own.flatMap((one) => ['-o', one]);
  return run('apt-get', [...options, '-q', 'update'], folder) ?? fetched(folder, options, packages);
}

function fetched(folder, options, packages) {
  const ask = (program, ...args) =>
    spawnSync(program, [...options, ...args], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stdout ?? '';
  return run('apt-get', [...options, '-q', 'download', ...packages(ask)], folder);
}

function unpack(folder, root) {
  const names = readdirSync(folder).filter((one) => one.endsWith('.deb'));
  if (names.length === 0) return 'apt-get brought no package';
  return names.map((name) => run('dpkg-deb', ['-x', name, root], folder)).find((failed) => failed !== null) ?? null;
}
