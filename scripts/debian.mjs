// Unpacks packages of the distribution for tests, without installing them and without root. The product holds nothing
// of them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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
  return madeOnce(tools, file, (folder, root) => download(folder, packages) ?? unpack(folder, root) ?? works(root));
}

/**
 * Builds once from the source package of a release, into `unpacked` as above.
 *
 * @param {string} tools the folder, which is made where it is missing
 * @param {{ file: string, suite: string, source: string, packages: () => string[],
 *   build: (source: string, packages: string) => string | null }} what
 *   file: what `build` leaves in the source's folder. packages: what it needs of this distribution, unpacked into a
 *   folder. build: answers what went wrong, or null.
 * @returns {string | null} what went wrong, or null
 */
export function sourcesOnce(tools, { file, suite, source, packages, build }) {
  return madeOnce(tools, file, (folder, root) => {
    const used = path.join(folder, 'packages');
    return (
      download(folder, packages) ??
      unpack(folder, used) ??
      downloadSource(folder, suite, source) ??
      run('mkdir', ['-p', root], folder) ??
      run('tar', ['-xf', `${source}.orig.tar`, '--strip-components=1', '-C', root], folder) ??
      build(root, used)
    );
  });
}

/** `make` fills a folder, beside which it may leave other things. */
function madeOnce(tools, file, make) {
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
    const failed = make(folder, root);
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
  const options = ownLists(folder, 'lists');
  return run('apt-get', [...options, '-q', 'update'], folder) ?? fetched(folder, options, packages);
}

/** Fetches the source of a release, `<source>.orig.tar`, from where this machine has the distribution's packages from. */
function downloadSource(folder, suite, source) {
  const [archive] =
    asking()('apt-get', 'indextargets', '--format', '$(ORIGIN) $(REPO_URI)').match(/(?<=^Debian )\S+/m) ?? [];
  if (archive === undefined) return 'this machine has its packages from no archive of Debian';
  const key = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(path.join(folder, 'sources.list'), `deb-src [signed-by=${key}] ${archive} ${suite} main\n`);
  const options = [...ownLists(folder, 'sources'), '-o', `Dir::Etc::sourcelist=${folder}/sources.list`];
  options.push('-o', 'Dir::Etc::sourceparts=/dev/null');
  const failed = run('apt-get', [...options, '-q', 'update'], folder);
  if (failed !== null) return failed;
  const named = asking(options)('apt-get', 'source', '--print-uris', source);
  const [, address, hash] = /^'(\S+\.orig\.tar\.\w+)' \S+ \d+ (SHA\d+:\w+)/m.exec(named) ?? [];
  if (address === undefined) return `no source of ${source} is known in ${suite}`;
  return run(
    '/usr/lib/apt/apt-helper',
    ['download-file', address, path.join(folder, `${source}.orig.tar`), hash],
    folder,
  );
}

/** Options for lists of packages in the folder, because a fresh container has none and the system's folder takes root. */
function ownLists(folder, name) {
  for (const part of [`${name}/partial`, 'cache/archives/partial'])
    mkdirSync(path.join(folder, part), { recursive: true });
  const own = [`Dir::State::lists=${folder}/${name}`, `Dir::Cache=${folder}/cache`, 'APT::Sandbox::User=root'];
  return own.flatMap((one) => ['-o', one]);
}

function asking(options = []) {
  return (program, ...args) =>
    spawnSync(program, [...options, ...args], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stdout ?? '';
}

function fetched(folder, options, packages) {
  const ask = asking(options);
  return run('apt-get', [...options, '-q', 'download', ...packages(ask)], folder);
}

function unpack(folder, root) {
  const names = readdirSync(folder).filter((one) => one.endsWith('.deb'));
  if (names.length === 0) return 'apt-get brought no package';
  return names.map((name) => run('dpkg-deb', ['-x', name, root], folder)).find((failed) => failed !== null) ?? null;
}
