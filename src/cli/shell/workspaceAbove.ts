import { readdirSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';

/**
 * The workspace above a folder that is not one itself. Searches as git does: upwards to the first repository, and never
 * into another file system or another user's folder. Null when no folder above is one, or the folder is one.
 */
export function workspaceAbove(folder: string): string | null {
  const here = statsOf(folder);
  if (here === null) return null;
  for (let at = folder; ; at = path.dirname(at)) {
    const stats = statsOf(at);
    if (stats?.dev !== here.dev || stats.uid !== here.uid) return null;
    if (isWorkspace(at)) return at === folder ? null : at;
    if (statsOf(path.join(at, '.git')) !== null || path.dirname(at) === at) return null;
  }
}

function isWorkspace(folder: string): boolean {
  if (statsOf(path.join(folder, '.mission-control'))?.isDirectory() === true) return true;
  try {
    return readdirSync(path.join(folder, 'docs', 'plans')).some((name) => /^PLAN_.+\.json$/.test(name));
  } catch {
    return false; // no such folder, or not readable
  }
}

function statsOf(place: string): Stats | null {
  try {
    return statSync(place, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // not readable: no workspace
  }
}
