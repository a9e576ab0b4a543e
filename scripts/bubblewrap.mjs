// Finds bubblewrap for tests on a machine that has none: the distribution's package, unpacked into test/tools/sandbox
// and not installed. The product holds nothing of it.
import { accessSync, constants, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { run, sourcesOnce, unpackedOnce } from './debian.mjs';

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
  const file = 'usr/bin/bwrap';
  const failed = unpackedOnce(tools, {
    file,
    packages: () => ['bubblewrap'],
    works: (unpacked) => run(path.join(unpacked, file), ['--version'], tools),
  });
  if (failed !== null) return { missing: `bubblewrap is not installed, and no package can be had: ${failed}` };
  return { file: path.join(tools, 'unpacked', file) };
}

/**
 * Builds a bubblewrap that mounts layers by itself, from the source of a later release than this distribution's.
 *
 * @param {string} root the repository root
 * @returns {{ file: string } | { missing: string }} the program, or a sentence that says why it is missing
 */
export function newerBubblewrapForTests(root) {
  if (process.platform !== 'linux') return { missing: 'bubblewrap is for Linux' };
  const tools = path.join(root, 'test/tools/newer-sandbox');
  const failed = sourcesOnce(tools, {
    file: 'bwrap',
    suite: 'trixie',
    source: 'bubblewrap',
    packages: () => ['libcap-dev'],
    build: (source, packages) => built(source, path.join(packages, 'usr')),
  });
  if (failed !== null) return { missing: `no bubblewrap that mounts layers can be built: ${failed}` };
  return { file: path.join(tools, 'unpacked', 'bwrap') };
}

/** Compiles it without its build system, which would take more packages. */
function built(source, usr) {
  const library = readdirSync(path.join(usr, 'lib'))
    .map((name) => path.join(usr, 'lib', name, 'libcap.a'))
    .find((file) => existsSync(file));
  if (library === undefined) return 'the package libcap-dev holds no libcap.a';
  const version = /version\s*:\s*'([\d.]+)'/.exec(readFileSync(path.join(source, 'meson.build'), 'utf8'))?.[1];
  writeFileSync(path.join(source, 'config.h'), `#define PACKAGE_STRING "bubblewrap ${version}"\n`);
  const files = readdirSync(source).filter((name) => name.endsWith('.c'));
  const options = ['-O1', '-D_GNU_SOURCE', '-DENABLE_REQUIRE_USERNS=0', '-I.', `-I${path.join(usr, 'include')}`];
  const compiled = run('gcc', [...options, '-o', 'bwrap', ...files, library], source);
  return compiled ?? run('./bwrap', ['--overlay-src', '/', '--tmp-overlay', '/', '--version'], source);
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
