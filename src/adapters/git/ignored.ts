import { askGit, splitNul } from './command';
import { ownRules } from './excludes';
import { placeIn } from './index';
import { locateRepository } from './locate';

/**
 * Says of each path (POSIX, relative to the folder) whether git ignores it and tracks nothing there. The path need not
 * exist. Null: git cannot say.
 */
export async function areIgnored(folder: string, paths: readonly string[]): Promise<readonly (boolean | null)[]> {
  const repository = await locateRepository(folder);
  if (repository === null) return paths.map(() => null);
  const place = placeIn(repository, folder);
  // Asks about a file below each path too, because a rule such as `coverage/` matches folders only.
  // Git cannot see that a missing path is a folder.
  const names = paths.flatMap((path) => [`./${path}`, `./${path}/${probe}`]);
  const rules = await ownRules(place);
  const [ignored, tracked] = await Promise.all([
    askGit(place, [...rules, '--no-literal-pathspecs', 'check-ignore', '-z', '--no-index', '--stdin'], {
      input: names.map((name) => `${name}\0`).join(''),
      // Exit code 1 means that git ignores none.
      status: [0, 1],
    }),
    Promise.all(paths.map((path) => askGit(place, ['ls-files', '-z', '--cached', '--', path]))),
  ]);
  if (!ignored.ok) return paths.map(() => null);
  const found = new Set([...splitNul(ignored.stdout)].map((name) => name.toString('utf8')));
  return paths.map((path, index) => {
    const listed = tracked[index];
    if (listed?.ok !== true) return null;
    return listed.stdout.length === 0 && (found.has(`./${path}`) || found.has(`./${path}/${probe}`));
  });
}

/** A name that no ignore rule is written for. */
const probe = 'mission-control-asks-whether-this-is-ignored';
