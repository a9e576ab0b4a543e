import { isCommit } from './refs';
import path from 'node:path';
import { askGit } from './command';
import { changeTime, type GitFact } from './files';
import { readShort, type Repository } from './locate';

/**
 * Finds tags added since a baseline that a fetch may have brought. `known`: a remote branch had the commit before.
 * `maybe`: FETCH_HEAD or a remote branch suggests a fetch, but any process can write those.
 */
export async function fetchedTags(
  repository: Repository,
  added: readonly GitFact[],
  remotes: Iterable<string>,
  since: string,
): Promise<{ readonly known: ReadonlySet<string>; readonly maybe: ReadonlySet<string> }> {
  const [known, maybe] = [new Set<string>(), new Set<string>()];
  const before = [...new Set(remotes)].filter(isCommit);
  const fetchHead = path.join(repository.gitDir, 'FETCH_HEAD');
  const text = changeTime(fetchHead) < since ? '' : (readShort(fetchHead) ?? '');
  for (const tag of added) {
    const name = /\/refs\/tags\/(.+)$/.exec(tag.path)?.[1];
    if (name === undefined || !isCommit(tag.says)) continue;
    if (await wasReachable(repository, tag.says, before)) known.add(tag.path);
    else if (text !== '' && (isNamed(text, name, tag.says) || (await isPublished(repository, tag.says))))
      maybe.add(tag.path);
  }
  return { known, maybe };
}

async function wasReachable(repository: Repository, object: string, before: readonly string[]): Promise<boolean> {
  // Asks one by one, because a remote branch may have been force-pushed and its old commit cleaned up.
  const [commit, ...commits] = await commitsOf(repository, [object, ...before]);
  if (commit === undefined || commit === null) return false;
  const input = [commit, ...commits.flatMap((one) => (one === null ? [] : [`^${one}`])), ''].join('\n');
  const answer = await askGit(repository, ['rev-list', '--max-count=1', '--stdin'], { input });
  return answer.ok && answer.stdout.length === 0;
}

/** The commit of each object, of a tag the commit behind it; null: another kind of object. */
async function commitsOf(repository: Repository, objects: readonly string[]): Promise<readonly (string | null)[]> {
  const input = objects.map((object) => `${object}^{commit}\n`).join('');
  const answer = await askGit(repository, ['cat-file', '--batch-check=%(objectname)'], { input });
  if (!answer.ok) return [];
  const lines = answer.stdout.toString('latin1').split('\n').slice(0, -1);
  return lines.map((line) => (isCommit(line) ? line : null));
}

function isNamed(fetchHead: string, name: string, object: string): boolean {
  const lines = fetchHead.split('\n');
  return lines.some((line) => line.startsWith(`${object}\t`) && line.includes(`\ttag '${name}' of `));
}

async function isPublished(repository: Repository, object: string): Promise<boolean> {
  const question = ['for-each-ref', '--count=1', '--format=x', `--contains=${object}`, 'refs/remotes'];
  const answer = await askGit(repository, question);
  return answer.ok && answer.stdout.length > 0;
}
