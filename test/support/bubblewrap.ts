import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { bubblewrapForTests, newerBubblewrapForTests } from '../../scripts/bubblewrap.mjs';
import { folderOfProgram, searchedOutside } from './machine';
import { skipWithReason } from './skip';

/** Folder with a bwrap that works here, to be put on PATH; skips where none exists or namespaces are forbidden. */
export function needsBubblewrap(context: Context): string {
  known ??= findOne();
  return known.missing === undefined ? known.folder : skipWithReason(context, known.missing);
}

/** Folder with one that mounts layers by itself, as releases from 0.11 on do; skips where none can be built. */
export function needsNewerBubblewrap(context: Context): string {
  const found = newerBubblewrapForTests(process.cwd());
  if (found.missing !== undefined) return skipWithReason(context, `no toolchain here: ${found.missing}`);
  return path.dirname(found.file);
}

type Found =
  | { readonly folder: string; readonly missing?: never }
  | { readonly missing: string; readonly folder?: never };

/** Tried once in a process: a machine does not change its mind. */
let known: Found | undefined;

function findOne(): Found {
  const found = bubblewrapFolder();
  if (found.missing !== undefined) return found;
  const file = path.join(found.folder, 'bwrap');
  const root = process.geteuid?.() === 0 ? [] : ['--unshare-user'];
  const args = [...root, '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];
  const tried = spawnSync(file, [...args, '--', file, '--version'], { encoding: 'utf8' });
  return tried.status === 0 ? found : { missing: `this machine forbids sandboxes: ${tried.stderr.trim()}` };
}

/** Folder with a bwrap and no other program, or a sentence that says why it is missing. */
export function bubblewrapFolder(): Found {
  const found = bubblewrapForTests(process.cwd(), searchedOutside());
  if (found.missing !== undefined) return found;
  const unpacked = path.resolve('test/tools/sandbox');
  return { folder: found.file.startsWith(unpacked) ? path.dirname(found.file) : folderOfProgram(found.file) };
}
