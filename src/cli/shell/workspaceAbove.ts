import { readdirSync, statSync, type Stats } from 'node:fs';
import path from 'node:path';

/**
 * The workspace that a folder lies in, where it is none itself: a person stands in a subfolder, and what is meant is
 * above. As git looks for its repository: upwards, up to the first one, and never into another file system or another
 * user's folder. Null: there is none, or the folder is one.
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

/** A folder in which missions ran, or whose plans can be run. */
function isWorkspace(folder: string): boolean {
  if (statsOf(path.join(folder, '.mission-control'))?.isDirectory() === true) return true;
  try {
    return readdirSync(path.join(folder, 'docs', 'plans')).some((name) => /^PLAN_.+\.json$/.test(name));
  } catch {
    return false; // no such folder, or nobody may look into it
  }
}

function statsOf(place: string): Stats | null {
  try {
    return statSync(place, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // not to be looked at: nothing of ours
  }
}
