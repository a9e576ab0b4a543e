import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/*
 * What a test sees of the machine that it runs on: the programs of the distribution, but no sandbox and no agent CLI. A
 * test that wants one of these puts it on PATH itself, so that its outcome does not depend on what is installed.
 */

/** Where a distribution puts programs. */
const distribution = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
const leftOut = ['bwrap', 'claude', 'codex', 'gemini', 'opencode'];
/** Given by the runner, and passed on to what a test starts: each file is bundled with its own copy of this module. */
const madeBefore = 'MISSION_TEST_PROGRAMS';
const searchedBefore = 'MISSION_TEST_SEARCHED';

/** PATH of a bed, beside what it brings itself: links to the programs of the distribution, and this Node as `node`. */
export function machinePath(): string {
  if (process.platform === 'linux') return path.join(programs(), 'bin');
  return [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
}

/** This Node by a name without spaces, which a sandbox shows where `machinePath` is on PATH. */
export function machineNode(): string {
  return process.platform === 'linux' ? path.join(programs(), 'bin', 'node') : process.execPath;
}

/** PATH of the process that started the tests: where to look for what a test asks for by name. */
export function searchedOutside(): string {
  return process.env[searchedBefore] ?? process.env['PATH'] ?? '';
}

/** Gives this process the PATH of a bed, followed by folders of its own PATH that hold nothing that is left out. */
export function searchAsBedsDo(): void {
  const searched = searchedOutside();
  process.env[searchedBefore] = searched;
  if (process.platform !== 'linux') return;
  const linked = new Set(distribution.map(real));
  const kept = searched
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !linked.has(real(folder)))
    .filter((folder) => !leftOut.some((name) => existsSync(path.join(folder, name))));
  process.env['PATH'] = [machinePath(), ...kept].join(path.delimiter);
}

/** A folder that holds one program of the machine and nothing else, to be put on PATH. */
export function folderOfProgram(file: string): string {
  const folder = path.join(programs(), `only-${path.basename(file)}`, 'bin');
  const link = path.join(folder, path.basename(file));
  if (existsSync(link)) return folder;
  mkdirSync(folder, { recursive: true });
  for (const one of [path.dirname(folder), folder]) chmodSync(one, 0o755);
  try {
    symlinkSync(file, link);
  } catch (error) {
    // Another process of this run was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return folder;
}

/**
 * Puts this Node into a folder: a link, or the file where the sandbox of a mission would hide what the link leads to.
 * Its owner must not be changed there: the file can be one with that of the checkout.
 */
export function putNode(folder: string): void {
  const node = path.join(folder, 'node');
  const hidden = ['/tmp', real(os.tmpdir())].some((place) => process.execPath.startsWith(`${place}/`));
  if (!hidden) {
    symlinkSync(process.execPath, node);
    return;
  }
  try {
    linkSync(process.execPath, node);
  } catch {
    copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  }
}

/** Made once for a run of the runner, which says where and removes it; else for this process and what it starts. */
function programs(): string {
  const made = process.env[madeBefore];
  if (made !== undefined && existsSync(made)) return made;
  const folder = realpathSync(
    mkdtempSync(made === undefined ? path.join(os.tmpdir(), 'mission-programs-') : `${made}-`),
  );
  linkPrograms(folder);
  if (made === undefined) {
    process.env[madeBefore] = folder;
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
  try {
    renameSync(folder, made);
  } catch {
    // Another process of this run was first.
    rmSync(folder, { recursive: true, force: true });
  }
  return made;
}

function linkPrograms(folder: string): void {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  putNode(bin);
  const taken = new Set([...leftOut, 'node']);
  for (const source of distribution.filter((one) => existsSync(one)))
    for (const name of readdirSync(source)) {
      if (taken.has(name) || !canRun(path.join(source, name))) continue;
      taken.add(name);
      symlinkSync(path.join(source, name), path.join(bin, name));
    }
  // Another user runs them too.
  for (const one of [folder, bin]) chmodSync(one, 0o755);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function real(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}
