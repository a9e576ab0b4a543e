import { lstatSync } from 'node:fs';
import path, { posix } from 'node:path';
import { askGit, partTexts, type GitPlace } from './command';
import { askIgnored, ownRules } from './excludes';
import { pathsAtOnce, placeIn, probe } from './index';
import { InnerRepositories, locateRepository } from './locate';

/** What git knows of a path: `tracked` where an index has it, or something below it. */
export type GitStanding = 'tracked' | 'ignored' | 'new';

/** Asks whether git ignores a file or folder of each name, and tracks nothing there. Null: git cannot say. */
export async function areIgnored(folder: string, paths: readonly string[]): Promise<readonly (boolean | null)[]> {
  const names = paths.map(bare);
  const standings = await gitStandings(folder, [...names, ...names.map((name) => `${name}/`)]);
  return names.map((_, index) => {
    const both = [standings[index] ?? null, standings[names.length + index] ?? null];
    return both.includes(null) ? null : both.includes('ignored') && !both.includes('tracked');
  });
}

/**
 * Asks about paths (POSIX, relative to the folder), which need not exist; one of a folder ends with a slash. The
 * innermost repository around a path says what it knows, unless the one around that ignores all of it: tools fetched
 * it. What the folder's own repository tracks stays tracked, because a worker can make another one around it. What lies
 * behind a link is no file of git, and stands like the link. Null: git cannot say.
 */
export async function gitStandings(folder: string, paths: readonly string[]): Promise<readonly (GitStanding | null)[]> {
  if (paths.length === 0) return [];
  const links = new Map<string, boolean>();
  const asked = paths.map((path) => untilLink(folder, path, links));
  const outer = await locateRepository(folder);
  const found = outer === null ? new Map<string, GitStanding>() : await standingsIn(placeIn(outer, folder), asked);
  for (const [inner, files] of await new InnerRepositories(folder).groups(asked)) {
    if (inner === null) continue;
    const [around] = await gitStandings(folder, [`${inner.at}/`]);
    const below = files.map((file) => file.slice(inner.at.length + 1));
    const place = placeIn(inner.repository, path.join(folder, inner.at));
    const own = around === 'ignored' ? null : await standingsIn(place, below);
    for (const [index, file] of files.entries())
      if (found.get(file) !== 'tracked')
        found.set(file, own === null ? 'ignored' : (own.get(below[index] ?? '') ?? null));
  }
  return paths.map((path, index) => {
    const standing = found.get(asked[index] ?? '') ?? null;
    return standing === 'tracked' && bare(path) !== bare(asked[index] ?? '') ? 'new' : standing;
  });
}

/** Git fails for all paths at once if one leads through a link. */
function untilLink(folder: string, file: string, links: Map<string, boolean>): string {
  for (let slash = file.indexOf('/'); slash !== -1; slash = file.indexOf('/', slash + 1)) {
    const above = file.slice(0, slash);
    if (!links.has(above)) links.set(above, isLink(path.join(folder, above)));
    if (links.get(above) === true) return above;
  }
  return file;
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false; // absent, or below a file
  }
}

/** Asks one repository about paths relative to the folder of the query. */
async function standingsIn(place: GitPlace, paths: readonly string[]): Promise<Map<string, GitStanding | null>> {
  // Asks about a file in a folder: `coverage/` matches folders only, and git cannot see that a missing path is one.
  const askedAs = (path: string): string => (path.endsWith('/') ? `./${path}${probe}` : `./${path}`);
  const rules = await ownRules(place);
  // Git compares each name of the index with each one that is asked about.
  const only = paths.length <= pathsAtOnce ? ['--', ...paths.map(bare)] : [];
  const [ignored, tracked] = await Promise.all([
    askIgnored(place, rules, paths.map(askedAs), '--no-index'),
    askGit(place, ['ls-files', '-z', '--cached', ...only]),
  ]);
  const found = new Set(ignored.ok ? partTexts(ignored.stdout) : []);
  const known = new Set<string>();
  for (const name of tracked.ok ? partTexts(tracked.stdout) : [])
    for (let at = name; at !== '.' && !known.has(at); at = posix.dirname(at)) known.add(at);
  const standingOf = (path: string): GitStanding | null => {
    if (known.has(bare(path))) return 'tracked';
    if (!ignored.ok || !tracked.ok) return null;
    return found.has(askedAs(path)) ? 'ignored' : 'new';
  };
  return new Map(paths.map((path) => [path, standingOf(path)]));
}

function bare(path: string): string {
  return path.replace(/\/+$/, '');
}
