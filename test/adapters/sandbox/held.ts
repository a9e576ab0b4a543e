import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** What a folder holds, one line for each entry: kind, permissions, and content or target. */
export function contents(folder: string, leftOut: (at: string) => boolean): readonly string[] {
  const lines: string[] = [];
  const walk = (at: string): void => {
    if (leftOut(at)) return;
    const stats = lstatSync(at);
    const mode = (stats.mode & 0o7777).toString(8);
    const name = path.relative(folder, at);
    if (stats.isSymbolicLink()) lines.push(`${name} -> ${readlinkSync(at)}`);
    else if (stats.isFile())
      lines.push(`${name} ${mode} ${createHash('sha256').update(readFileSync(at)).digest('hex')}`);
    else lines.push(`${name} ${mode} ${stats.isDirectory() ? 'folder' : stats.isSocket() ? 'socket' : 'other'}`);
    if (stats.isDirectory()) for (const one of readdirSync(at).sort()) walk(path.join(at, one));
  };
  walk(folder);
  return lines;
}
