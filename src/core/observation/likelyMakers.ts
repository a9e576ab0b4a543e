import { fewNamed } from '../../base/text/firstNamed';
import { isEditorLeftover } from '../../base/leftovers';
import type { Change } from './change';

type Made = Pick<Change, 'path' | 'kind'>;

/**
 * Finds which programs write such files, other than a worker, one line for each kind of program. It helps a person to
 * decide and judges nothing; a file of no known kind is in no line.
 */
export function likelyMakers(changes: readonly Made[]): readonly string[] {
  const left = new Set(changes);
  return makers.flatMap(({ from, makes }) => {
    const made = [...left].filter(makes);
    for (const change of made) left.delete(change);
    return made.length === 0 ? [] : [`may come from ${from}: ${fewNamed(made.map(({ path }) => path))}`];
  });
}

/** A change belongs to the first of these that makes such a change. */
const makers: readonly { readonly from: string; readonly makes: (change: Made) => boolean }[] = [
  {
    from: 'git, such as a commit, a fetch, another worktree or an editor that runs git',
    makes: ({ kind }) => kind === 'git' || kind === 'index_flag',
  },
  {
    from: 'an editor or the desktop',
    makes: ({ path }) =>
      isEditorLeftover(path) || /(^|\/)(\.DS_Store$|Thumbs\.db$|(\.idea|\.vscode|\.fleet|\.zed)\/)/.test(path),
  },
  {
    from: 'a package manager',
    makes: ({ path }) =>
      /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock)$/.test(
        path,
      ) || /(^|\/)node_modules\//.test(path),
  },
  {
    from: 'a build, a watcher or an interpreter',
    makes: ({ path }) =>
      /\.(pyc|tsbuildinfo)$/.test(path) ||
      /(^|\/)(dist|build|out|target|coverage|\.cache|\.next|\.turbo|\.gradle|\.venv)\//.test(path),
  },
  { from: 'a program that keeps a log', makes: ({ path }) => /\.log$|(^|\/)logs?\//.test(path) },
  { from: 'a draft of a plan', makes: ({ path }) => /^docs\/plans\/[^/]+\.json$/.test(path) },
];
