import path from 'node:path';
import { evidenceNames, executionsDir, type IgnoredBy } from '../../contracts/vocabulary/files/evidenceFiles';
import { askGit, splitNul, type GitPlace } from './command';
import { ownRules } from './excludes';
import { placeIn } from './index';
import { locateRepository } from './locate';

/**
 * Finds the rule of repository or user by which git ignores evidence of a plan. Evidence that git
 * tracks already does not count. Null: git keeps all of it, cannot say, or is not used.
 */
export async function evidenceIgnoredBy(workspace: string, planId: string): Promise<IgnoredBy | null> {
  const repository = await locateRepository(workspace);
  if (repository === null) return null;
  const place = placeIn(repository, workspace);
  const files = [evidenceNames.header, evidenceNames.summary, evidenceNames.lockedPlan, 'TASK_T1.json'].map(
    (name) => `./${executionsDir}/${planId}/${name}`,
  );
  const found = await ignoredBy(place, files);
  return found && { ...found, file: shownFile(repository.top, found.file) };
}

async function ignoredBy(place: GitPlace, files: readonly string[]): Promise<IgnoredBy | null> {
  // Without `--no-index`, because git keeps what it tracks, whatever rule ignores it. `check-ignore` rejects literal
  // pathspecs.
  const question = [...(await ownRules(place)), '--no-literal-pathspecs', 'check-ignore', '--verbose', '-z', '--stdin'];
  const answer = await askGit(place, question, {
    input: files.map((file) => `${file}\0`).join(''),
    // Exit code 1 means that git ignores none.
    status: [0, 1],
  });
  if (!answer.ok) return null;
  const parts = [...splitNul(answer.stdout)].map((part) => part.toString('utf8'));
  for (let at = 0; at + 3 < parts.length; at += 4) {
    const [file = '', line = '', pattern = ''] = parts.slice(at, at + 3);
    // A rule with `!` keeps the file.
    if (!pattern.startsWith('!')) return { file, line: Number(line), pattern };
  }
  return null;
}

/** Git names a file of the repository relative to its top. */
function shownFile(top: string, file: string): string {
  const absolute = path.resolve(top, file);
  return absolute.startsWith(`${top}${path.sep}`) ? path.relative(top, absolute).replaceAll(path.sep, '/') : absolute;
}
