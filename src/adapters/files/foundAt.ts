import { lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Left } from '../../base/fileState';
import { errorCode, modeOf, readEntry } from './entry';
import { placeInWorkspace } from './place';

/** Returns what lies at a POSIX path relative to the workspace root; follows no link. Never rejects. */
export async function foundAt(workspaceRoot: string, name: string): Promise<Left> {
  // This name may stand for bytes that are not UTF-8, or be a text that looks the same.
  if (/\\x[0-9a-f]{2}/.test(name)) return { kind: 'unknown', why: 'its name is no text' };
  try {
    const place = await placeInWorkspace(workspaceRoot, name);
    const folder = path.posix.dirname(name);
    const above = place.kind === 'refused' && folder !== '.' ? await placeInWorkspace(workspaceRoot, folder) : place;
    if (place.kind === 'refused' && place.by === 'name')
      return { kind: 'unknown', why: 'it lies outside the workspace' };
    if (above.kind === 'refused' && folder !== '.') return { kind: above.by === 'link' ? 'behind_link' : 'nothing' };
    const file = path.join(await realpath(workspaceRoot), ...name.split('/'));
    const entry = await readEntry(file, name, { large_file_bytes: largestBytes });
    if (entry === null) return { kind: lstatSync(file, { throwIfNoEntry: false }) ? 'folder' : 'nothing' };
    if (entry.problem !== undefined) return { kind: 'unknown', why: `it cannot be read (${entry.problem})` };
    if (entry.type === 'symlink') return { kind: 'link', target: entry.target ?? '' };
    if (entry.type !== 'file' || entry.sha256 === undefined) return { kind: 'special' };
    return { kind: 'file', sha256: entry.sha256, mode: process.platform === 'win32' ? null : modeOf(entry) };
  } catch (error) {
    return { kind: 'unknown', why: `it cannot be read (${errorCode(error)})` };
  }
}

/** Bytes; a baseline never digests so many. */
const largestBytes = 2 * 1024 * 1024 * 1024;
