import path from 'node:path';
import { askGit } from './gitCommand';
import { changeTime, placeOf, type GitFact } from './gitFacts';
import { readShort, type Repository } from './gitLocate';

/**
 * Which of the tags that appeared since a time were brought by a fetch, as autofetch does every few minutes: named
 * with the same object in FETCH_HEAD, or, when a later fetch has rewritten that file, published on a remote branch.
 */
export async function fetchedTags(
  repository: Repository,
  added: readonly GitFact[],
  since: string,
): Promise<ReadonlySet<string>> {
  const fetched = new Set<string>();
  const fetchHead = path.join(repository.gitDir, 'FETCH_HEAD');
  const text = readShort(fetchHead);
  if (text === null || changeTime(fetchHead) < since) return fetched;
  for (const tag of added) {
    const name = /^\.git\/refs\/tags\/(.+)$/.exec(tag.path)?.[1];
    if (name === undefined || !/^[0-9a-f]{40,64}$/.test(tag.says)) continue;
    const named = text
      .split('\n')
      .some((line) => line.startsWith(`${tag.says}\t`) && line.includes(`\ttag '${name}' of `));
    if (named || (await isPublished(repository, tag.says))) fetched.add(tag.path);
  }
  return fetched;
}

async function isPublished(repository: Repository, object: string): Promise<boolean> {
  const question = ['for-each-ref', '--count=1', '--format=x', `--contains=${object}`, 'refs/remotes'];
  const answer = await askGit(placeOf(repository), question);
  return answer.ok && answer.stdout.length > 0;
}
