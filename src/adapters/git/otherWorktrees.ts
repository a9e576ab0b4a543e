import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { askGit, placeOf } from './command';
import type { Repository } from './locate';

/** Maps `refs/heads/...` to the absolute folder of another worktree that has the branch checked out. */
export async function checkedOutElsewhere(repository: Repository): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const answer = await askGit(placeOf(repository), ['worktree', 'list', '--porcelain']);
  if (!answer.ok) return found;
  for (const part of answer.stdout.toString('utf8').split('\n\n').slice(0, mostWorktrees)) {
    const [, folder = ''] = /^worktree (.+)$/m.exec(part) ?? [];
    const [, branch = ''] = /^branch (refs\/heads\/.+)$/m.exec(part) ?? [];
    if (branch === '' || !path.isAbsolute(folder) || folder.length > longestFolder) continue;
    const real = await realpath(folder).catch(() => folder);
    if (real !== repository.top) found.set(branch, real);
  }
  return found;
}

const mostWorktrees = 200;
const longestFolder = 1_000;
