import { posix } from 'node:path';
import { askGit, splitNul } from './command';
import { ownRules } from './excludes';
import { placeIn } from './index';
import { locateRepository } from './locate';

/** What git knows of a path: `tracked` where the index has it, or something below it. */
export type GitStanding = 'tracked' | 'ignored' | 'new';

/** The same as `gitStandings`, for who asks only whether git ignores a path and tracks nothing there. */
export async function areIgnored(folder: string, paths: readonly string[]): Promise<readonly (boolean | null)[]> {
  return (await gitStandings(folder, paths)).map((standing) => standing && standing === 'ignored');
}

/** Asks about paths (POSIX, relative to the folder), which need not exist. Null: git cannot say. */
export async function gitStandings(folder: string, paths: readonly string[]): Promise<readonly (GitStanding | null)[]> {
  const repository = await locateRepository(folder);
  if (repository === null) return paths.map(() => null);
  const place = placeIn(repository, folder);
  // Asks about a file below each path too, because a rule such as `coverage/` matches folders only.
  // Git cannot see that a missing path is a folder.
  const names = paths.flatMap((path) => [`./${path}`, `./${path}/${probe}`]);
  const rules = await ownRules(place);
  const groups = Array.from({ length: Math.ceil(paths.length / pathsAtOnce) }, (_, index) =>
    paths.slice(index * pathsAtOnce, (index + 1) * pathsAtOnce),
  );
  const [ignored, tracked] = await Promise.all([
    askGit(place, [...rules, '--no-literal-pathspecs', 'check-ignore', '-z', '--no-index', '--stdin'], {
      input: names.map((name) => `${name}\0`).join(''),
      // Exit code 1 means that git ignores none.
      status: [0, 1],
    }),
    Promise.all(groups.map((group) => askGit(place, ['ls-files', '-z', '--cached', '--', ...group]))),
  ]);
  if (!ignored.ok) return paths.map(() => null);
  const found = new Set([...splitNul(ignored.stdout)].map((name) => name.toString('utf8')));
  const known = new Set<string>();
  for (const answer of tracked)
    for (const name of answer.ok ? splitNul(answer.stdout) : [])
      for (let at = name.toString('utf8'); at !== '.'; at = posix.dirname(at)) known.add(at);
  return paths.map((path, index) => {
    if (tracked[Math.floor(index / pathsAtOnce)]?.ok !== true) return null;
    if (known.has(path.replace(/\/$/, ''))) return 'tracked';
    return found.has(`./${path}`) || found.has(`./${path}/${probe}`) ? 'ignored' : 'new';
  });
}

/** A command line is limited. */
const pathsAtOnce = 200;

/** A name that no ignore rule is written for. */
const probe = 'mission-control-asks-whether-this-is-ignored';
