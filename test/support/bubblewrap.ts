import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Context } from 'mocha';
import { bubblewrapForTests } from '../../scripts/bubblewrap.mjs';
import { skipWithReason } from './skip';

/** Folder with a bwrap that works here, to be put on PATH; skips where there is none or namespaces are forbidden. */
export function needsBubblewrap(context: Context): string {
  const found = bubblewrapForTests(process.cwd());
  if (found.missing !== undefined) return skipWithReason(context, found.missing);
  const root = process.geteuid?.() === 0 ? [] : ['--unshare-user'];
  const args = [...root, '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];
  const tried = spawnSync(found.file, [...args, '--', found.file, '--version'], { encoding: 'utf8' });
  if (tried.status !== 0) skipWithReason(context, `this machine forbids sandboxes: ${tried.stderr.trim()}`);
  return path.dirname(found.file);
}
