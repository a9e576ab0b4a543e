import { fewNamed } from '../../base/text/firstNamed';
import { isEditorLeftover } from '../../base/leftovers';
import { listIn } from '../../base/listIn';
import type { Change } from './change';

type Made = Pick<Change, 'path' | 'kind'>;

/** Finds which programs write such files, a line for each kind. It helps a person to decide and judges nothing. */
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

/** What a machine shows of who may have made a change. It helps a person to decide, and judges nothing. */
export type MakerSign =
  /** Another worktree of the repository, at this folder relative to the workspace, has the branch checked out. */
  | { readonly kind: 'worktree'; readonly path: string; readonly branch: string; readonly folder: string }
  /** A swap or lock file says that an editor has the file open. `process` null: it names none. */
  | {
      readonly kind: 'editor';
      readonly path: string;
      readonly editor: 'vim' | 'Emacs' | 'LibreOffice';
      readonly lock: string;
      readonly process: number | 'of_another_machine' | null;
    }
  /** A process has the file open for writing. */
  | { readonly kind: 'open'; readonly path: string; readonly pid: number; readonly program: string }
  /** A process outside the mission has the workspace as its working folder. */
  | { readonly kind: 'here'; readonly pid: number; readonly program: string };

/** One line for each program, worktree or editor, with its files; `paths`: those that a person decides about. */
export function signLines(signs: readonly MakerSign[], paths: ReadonlySet<string>): readonly string[] {
  const files = new Map<string, string[]>();
  const here: string[] = [];
  for (const sign of signs) {
    if (sign.kind === 'here') here.push(named(sign));
    else if (paths.has(sign.path)) listIn(files, makerOf(sign)).push(sign.path);
  }
  const lines = [...files].map(([maker, made]) => `may come from ${maker}: ${fewNamed(made)}`);
  const others = here.length === 0 || paths.size === 0 ? [] : [`works in this folder now: ${fewNamed(here)}`];
  return [...lines.slice(0, mostLines), ...others];
}

const mostLines = 10;

function makerOf(sign: Exclude<MakerSign, { readonly kind: 'here' }>): string {
  switch (sign.kind) {
    case 'worktree':
      return `the worktree ${sign.folder}, where branch ${sign.branch} is checked out`;
    case 'editor':
      return `${sign.editor}, because ${sign.lock} says that ${whoOf(sign)} has it open`;
    case 'open':
      return `${named(sign)}, which has it open now`;
  }
}

function whoOf({ process }: Extract<MakerSign, { readonly kind: 'editor' }>): string {
  if (process === null) return 'a person';
  return process === 'of_another_machine' ? 'a process of another machine' : `process ${process}`;
}

function named({ program, pid }: { readonly program: string; readonly pid: number }): string {
  return `${program} (process ${pid})`;
}
