import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Left } from '../../base/fileState';
import { errorCode, modeOf, readEntry } from './entry';
import { entryShownAs, lookAt } from './names';
import { placeInWorkspace } from './place';

/** Returns what lies at a POSIX path relative to the workspace root; follows no link. Never rejects. */
export async function foundAt(workspaceRoot: string, name: string): Promise<Left> {
  try {
    const place = await placeInWorkspace(workspaceRoot, name);
    const folder = path.posix.dirname(name);
    const above = place.kind === 'refused' && folder !== '.' ? await placeInWorkspace(workspaceRoot, folder) : place;
    if (place.kind === 'refused' && place.by === 'name')
      return { kind: 'unknown', why: 'it lies outside the workspace' };
    if (above.kind === 'refused' && folder !== '.') return { kind: above.by === 'link' ? 'behind_link' : 'nothing' };
    const file = entryShownAs(await realpath(workspaceRoot), name);
    if (file === null) return { kind: 'unknown', why: 'its name is no text, and does not say which file it is' };
    const entry = await readEntry(file, name, { large_file_bytes: largestBytes });
    if (entry === null) return { kind: lookAt(file) ? 'folder' : 'nothing' };
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
