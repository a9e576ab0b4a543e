import { askGit, splitNul } from './command';
import { ownRules } from './excludes';
import { placeIn } from './index';
import { locateRepository } from './locate';

/**
 * Says whether git ignores each of the paths (POSIX, relative to the folder) and tracks nothing there, whether they
 * exist or not; null where git cannot tell.
 */
export async function areIgnored(folder: string, paths: readonly string[]): Promise<readonly (boolean | null)[]> {
  const repository = await locateRepository(folder);
  if (repository === null) return paths.map(() => null);
  const place = placeIn(repository, folder);
  // A rule such as `coverage/` holds for a folder only, and git does not know of one that does not exist.
  const names = paths.flatMap((path) => [`./${path}`, `./${path}/${probe}`]);
  const rules = await ownRules(place);
  const [ignored, tracked] = await Promise.all([
    askGit(place, [...rules, '--no-literal-pathspecs', 'check-ignore', '-z', '--no-index', '--stdin'], {
      input: names.map((name) => `${name}\0`).join(''),
      // Exit code 1: nothing is ignored.
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

/** A name that no rule is written for. */
const probe = 'mission-control-asks-whether-this-is-ignored';
