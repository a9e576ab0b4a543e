// pnpm for tests: the releases of test/tools/pnpm, installed there exactly as its lock file says. The product holds
// nothing of them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** The programs by the major release; the package of the newest one is a binary of the platform. */
const programs = {
  10: () => 'pnpm-10/bin/pnpm.cjs',
  12: () => `@pnpm/exe.${process.platform}-${process.arch}/pnpm`,
};

/** Other platforms have no binary: there a test says that it is skipped. */
const isSupported = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

/**
 * @param {string} root the repository root
 * @param {10 | 12} major
 * @returns {{ file: string } | { missing: string }} the program `pnpm`, or why it is missing
 */
export function pnpmForTests(root, major) {
  const tools = path.join(root, 'test/tools/pnpm');
  const failed = installed(tools);
  if (failed !== null) return { missing: `pnpm cannot be had: ${failed}` };
  const file = path.join(tools, 'node_modules', programs[major]());
  return existsSync(file) ? { file } : { missing: `pnpm ${major} has no program for this machine` };
}

/** Installs once, beside its place, because other processes may do the same at the same time. */
function installed(tools) {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(tools, 'package-lock.json')))
    .digest('hex');
  const modules = path.join(tools, 'node_modules');
  if (stampOf(modules) === lock) return null;
  const folder = mkdtempSync(`${tools}-`);
  const making = `${folder}.lock`;
  renameSync(folder, making);
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(path.join(tools, name), path.join(making, name));
    // Without scripts, because the one of pnpm only puts the binary of this platform elsewhere.
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, stderr, error } = spawnSync('npm', args, { cwd: making, encoding: 'utf8', timeout: 300_000 });
    if (error !== undefined) return `npm: ${error.message}`;
    if (status !== 0) return `npm ci ended with ${status}: ${stderr.trim().slice(-300)}`;
    // npm ends well where the binary, an optional package, could not be fetched.
    if (!existsSync(path.join(making, 'node_modules', programs[12]())) && isSupported)
      return 'npm did not fetch the program of pnpm 12';
    writeFileSync(path.join(making, 'node_modules/.installed'), lock);
    if (stampOf(modules) === lock) return null;
    rmSync(modules, { recursive: true, force: true });
    renameSync(path.join(making, 'node_modules'), modules);
    return null;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** What is installed, as a digest of the lock file. */
function stampOf(modules) {
  const stamp = path.join(modules, '.installed');
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
}
