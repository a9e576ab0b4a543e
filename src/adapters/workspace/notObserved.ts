import type { IndexFacts } from '../git/index';
import { isJjFolder } from './manifest/jj';
import type { LookReport } from './manifest/scanWorkspace';

/** Sentences for the evidence about what was not compared, because an observation must state its own limits. */
export function notObserved(facts: {
  readonly report: LookReport;
  readonly fetched: readonly string[];
  readonly staged: readonly string[];
  readonly index: IndexFacts | null;
  /** Files in the workspace into which this process prints. */
  readonly printed: readonly string[];
  readonly large_file_bytes: number;
}): readonly string[] {
  const { report, fetched, staged, index, printed } = facts;
  const followed = [...report.followed].map(([path, target]) => `${path} to ${target}`);
  const jj = [...report.skipped].filter(isJjFolder);
  const skipped = [...report.skipped].filter((path) => !isJjFolder(path));
  const nested = report.repositories.filter((path) => path !== '.git');
  const unreadable = report.unreadable.map(({ path, code }) => `${path === '' ? '.' : path} (${code})`);
  const notFollowed = report.notFollowed.map(({ path, target }) => `${path} to ${target}`);
  const megabytes = Math.round(facts.large_file_bytes / (1024 * 1024));
  return [
    followed.length === 0
      ? 'Nothing outside the workspace was observed.'
      : `Nothing outside the workspace was observed, except what these links lead to: ${some(followed)}.`,
    'The folder .mission-control was not compared: the runner writes there itself.',
    'Empty folders, and the permissions of folders, were not compared.',
    ...about(printed, 'Not compared, because the runner prints into it'),
    ...(index === null && report.repositories.length === 0
      ? []
      : [
          'Of .git only HEAD, branches, tags, notes, the stash, replaced objects, config, what it includes and its attributes, hooks, info, alternates, interrupted merges and rebases and where it leads were compared, not other refs, reflogs, .git/shallow and programs that aliases name; editors keep bookkeeping of their own in branch sections of config, which is left out.',
        ]),
    ...(index?.ok === false
      ? [`The flags assume-unchanged and skip-worktree could not be read: ${index.reason}.`]
      : []),
    ...(index?.ok === true && index.unstaged !== null ? [`What is staged could not be read: ${index.unstaged}.`] : []),
    ...(report.unlisted === null ? [] : [`New files in build folders could not be listed: ${report.unlisted}.`]),
    ...about(nested, 'The index of repositories inside the workspace was not compared'),
    ...about(jj, 'Of jj’s own folder only its settings and where it leads were compared'),
    ...about(
      skipped,
      'Ignored files in dependency and build folders that were there at the baseline were not compared',
    ),
    ...about(unreadable, 'Could not be read'),
    ...about(report.large, `Larger than ${megabytes} MB and compared by size, times and inode instead of content`),
    ...about(notFollowed, 'Links whose targets outside the workspace were not compared'),
    ...about(
      fetched.map((path) => path.replace(/^\.git\/refs\/tags\//, '')),
      'New tags for what was on a remote branch before are not counted as changes',
    ),
    ...about(staged, 'Staged as it is in the workspace, or no longer staged, which is not counted as a change'),
  ];
}

function about(items: readonly string[], sentence: string): readonly string[] {
  return items.length === 0 ? [] : [`${sentence}: ${some(items)}.`];
}

const shown = 20;

function some(items: readonly string[]): string {
  const rest = items.length - shown;
  return rest > 0 ? `${items.slice(0, shown).join(', ')} and ${rest} more` : items.join(', ');
}
