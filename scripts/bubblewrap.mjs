// Finds bubblewrap for tests on a machine that has none: the distribution's package, unpacked into test/tools/sandbox
// and not installed. The product holds nothing of it.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { run, unpackedOnce } from './debian.mjs';

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
