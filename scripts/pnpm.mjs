// pnpm for tests: the releases of test/tools/pnpm. The product holds nothing of them.
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { installedOnce } from './npm-tools.mjs';

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
  // npm ends well where the binary, an optional package, could not be fetched.
  const failed = installedOnce(tools, (modules) =>
    existsSync(path.join(modules, programs[12]())) || !isSupported ? null : 'npm did not fetch the program of pnpm 12',
  );
  if (failed !== null) return { missing: `pnpm cannot be had: ${failed}` };
  const file = path.join(tools, 'node_modules', programs[major]());
  return existsSync(file) ? { file } : { missing: `pnpm ${major} has no program for this machine` };
}
