import path from 'node:path';
import { gitFacts, type NamedRepository, type RepositoryFacts } from '../../git/facts';
import type { GitFact } from '../../git/files';
import { repositoryAt, type Repository } from '../../git/locate';
import { isInside, relativeInside, type WalkReport } from './walk';

/** Facts of the repository that holds the workspace, and of every repository inside it. */
export async function readGit(
  { repository, root, excluded }: { repository: Repository | null; root: string; excluded: readonly string[] },
  report: WalkReport,
): Promise<{
  readonly git: Map<string, GitFact>;
  readonly remote: Map<string, string>;
  readonly repositories: readonly NamedRepository[];
}> {
  const notSeen = new Set([...report.skipped, ...excluded, ...report.repositories]);
  const isSeen = (absolute: string): boolean => {
    const relative = relativeInside(root, absolute);
    return relative !== null && !notSeen.has(relative) && !isInside(relative, notSeen);
  };
  const found: RepositoryFacts[] = [];
  if (repository !== null) found.push(...(await gitFacts({ repository, prefix: '.git' }, isSeen)));
  for (const prefix of report.repositories.filter((dotGit) => dotGit !== '.git')) {
    const inner = await repositoryAt(path.dirname(path.join(root, prefix)));
    // Skips a submodule, because its git folder lies in ours and was read there.
    if (inner === null || found.some((one) => one.repository.gitDir === inner.gitDir)) continue;
    found.push(...(await gitFacts({ repository: inner, prefix }, isSeen)));
  }
  const git = new Map(found.flatMap(({ facts }) => facts.map((fact) => [fact.path, fact] as const)));
  const remote = new Map(
    found.flatMap(({ prefix, remotes }) =>
      [...remotes].map(([name, commit]) => [`${prefix}/${name}`, commit] as const),
    ),
  );
  return { git, remote, repositories: found.map(({ prefix, repository }) => ({ prefix, repository })) };
}
