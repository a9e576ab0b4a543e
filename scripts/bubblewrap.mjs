// bubblewrap for tests, where the machine has none: the distribution's package, unpacked into test/tools/sandbox and
// not installed. Nothing of it is in the product.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/**
 * @param {string} root the repository root
 * @param {string} searched where an installed one is looked for, as PATH has it
 * @returns {{ file: string } | { missing: string }} the program, or a sentence that says why it is missing
 */
export function bubblewrapForTests(root, searched = process.env.PATH ?? '') {
  if (process.platform !== 'linux') return { missing: 'bubblewrap is for Linux' };
  const installed = foundIn(searched);
  if (installed !== null) return { file: installed };
  const tools = path.join(root, 'test/tools/sandbox');
  const file = path.join(tools, 'unpacked/usr/bin/bwrap');
  if (existsSync(file)) return { file };
  try {
    mkdirSync(tools, { recursive: true });
  } catch (error) {
    return { missing: `bubblewrap is not installed, and ${tools} cannot be made: ${error.message}` };
  }
  const folder = mkdtempSync(path.join(tools, 'unpacking-'));
  try {
    const failed = unpack(folder);
    if (failed !== null) return { missing: `bubblewrap is not installed, and no package can be had: ${failed}` };
    try {
      renameSync(path.join(folder, 'root'), path.join(tools, 'unpacked'));
    } catch (error) {
      // Another process was first; what it unpacked is the same.
      if (!existsSync(file)) throw error;
    }
    return { file };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function foundIn(searched) {
  const folders = searched.split(':').filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    try {
      accessSync(path.join(folder, 'bwrap'), constants.X_OK);
      return path.join(folder, 'bwrap');
    } catch {
      // not in this folder
    }
  }
  return null;
}

/** @returns what went wrong, or null */
function unpack(folder) {
  if (download(folder, []) !== null) {
    // A fresh container has no lists of packages; these are fetched into the folder, so that it takes no root.
    for (const part of ['lists/partial', 'cache/archives/partial']) {
      mkdirSync(path.join(folder, part), { recursive: true });
    }
    const own = [`Dir::State::lists=${folder}/lists`, `Dir::Cache=${folder}/cache`, 'APT::Sandbox::User=root'];
    const options = own.flatMap((one) => ['-o', one]);
    const failed = run('apt-get', [...options, '-q', 'update'], folder) ?? download(folder, options);
    if (failed !== null) return failed;
  }
  const name = readdirSync(folder).find((one) => one.endsWith('.deb'));
  if (name === undefined) return 'apt-get brought no package';
  const failed = run('dpkg-deb', ['-x', name, 'root'], folder);
  if (failed !== null) return failed;
  return run(path.join(folder, 'root/usr/bin/bwrap'), ['--version'], folder);
}

function download(folder, options) {
  return run('apt-get', [...options, '-q', 'download', 'bubblewrap'], folder);
}

function run(program, args, cwd) {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 120_000 });
  if (error !== undefined) return `${program}: ${error.message}`;
  return status === 0 ? null : `${program} ${args.at(-1)} ended with ${status}: ${stderr.trim().slice(-300)}`;
}
