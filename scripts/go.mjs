// Go for tests, where the machine has none: the distribution's packages, unpacked into test/tools/go and not installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { run, unpackedOnce } from './debian.mjs';

/**
 * @param {string} root the repository root
 * @param {string} searched where an installed one is looked for, as PATH has it
 * @returns {{ folder: string } | { missing: string }} the folder of the program `go`, or why it is missing
 */
export function goForTests(root, searched = process.env.PATH ?? '') {
  // Asks the program itself, because `go` on PATH may be a link or a shim among many other programs.
  const asked = spawnSync('go', ['env', 'GOROOT'], { env: { ...process.env, PATH: searched }, encoding: 'utf8' });
  if (asked.status === 0 && asked.stdout.trim() !== '') return { folder: path.join(asked.stdout.trim(), 'bin') };
  const tools = path.join(root, 'test/tools/go');
  const failed = unpackedOnce(tools, {
    file: 'usr/lib',
    packages: (ask) => {
      // The package golang-go names the release: golang-1.19-go.
      const named = /^ +Depends: (golang-[\d.]+)-go$/m.exec(ask('apt-cache', 'depends', 'golang-go'))?.[1];
      return named === undefined ? ['golang-go'] : [`${named}-go`, `${named}-src`];
    },
    works: (unpacked) => {
      const folder = programs(unpacked);
      return folder === undefined ? 'the packages hold no go' : run(path.join(folder, 'go'), ['version'], tools);
    },
  });
  if (failed !== null) return { missing: `go is not installed, and no package can be had: ${failed}` };
  return { folder: programs(path.join(tools, 'unpacked')) };
}

/** `usr/lib/go-1.19/bin` */
function programs(unpacked) {
  const lib = path.join(unpacked, 'usr/lib');
  const release = existsSync(lib) ? readdirSync(lib).find((name) => name.startsWith('go-')) : undefined;
  return release === undefined ? undefined : path.join(lib, release, 'bin');
}
