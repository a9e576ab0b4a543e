import { statSync } from 'node:fs';
import path from 'node:path';
import type { Context } from 'mocha';
import { skipWithReason } from './skip';

/** Skips where another user cannot get at this checkout or its Node, for example below root's home. */
export function needsReachableCheckout(context: Context): void {
  for (const start of [process.cwd(), path.dirname(process.execPath)]) {
    const closed = foldersAbove(start).find((folder) => (statSync(folder).mode & 0o005) !== 0o005);
    if (closed !== undefined)
      skipWithReason(context, `an unprivileged user cannot enter ${closed}, where this checkout is`);
  }
}

function foldersAbove(start: string): readonly string[] {
  const parent = path.dirname(start);
  return parent === start ? [start] : [start, ...foldersAbove(parent)];
}
