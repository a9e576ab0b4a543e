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
  const sentences = [
    followed.length === 0
      ? 'Nothing outside the workspace was observed.'
      : `Nothing outside the workspace was observed, except what these links lead to: ${some(followed)}.`,
    'The folder .mission-control was not compared: the runner writes there itself.',
    'Empty folders, and the permissions of folders, were not compared.',
  ];
  if (printed.length > 0) sentences.push(`Not compared, because the runner prints into it: ${some(printed)}.`);
  if (index !== null || report.repositories.length > 0) {
    sentences.push(
      'Of .git only HEAD, branches, tags, notes, the stash, replaced objects, config, what it includes and its attributes, hooks, info, alternates, interrupted merges and rebases and where it leads were compared, not other refs, reflogs, .git/shallow and programs that aliases name; editors keep bookkeeping of their own in branch sections of config, which is left out.',
    );
  }
  if (index?.ok === false)
    sentences.push(`The flags assume-unchanged and skip-worktree could not be read: ${index.reason}.`);
  if (index?.ok === true && index.unstaged !== null)
    sentences.push(`What is staged could not be read: ${index.unstaged}.`);
  if (report.unlisted !== null) sentences.push(`New files in build folders could not be listed: ${report.unlisted}.`);
  const nested = report.repositories.filter((path) => path !== '.git');
  if (nested.length > 0)
    sentences.push(`The index of repositories inside the workspace was not compared: ${some(nested)}.`);
  const jj = [...report.skipped].filter(isJjFolder);
  if (jj.length > 0)
    sentences.push(`Of jj’s own folder only its settings and where it leads were compared: ${some(jj)}.`);
  const skipped = [...report.skipped].filter((path) => !isJjFolder(path));
  if (skipped.length > 0) {
    sentences.push(
      `Ignored files in dependency and build folders that were there at the baseline were not compared: ${some(skipped)}.`,
    );
  }
  if (report.unreadable.length > 0) {
    sentences.push(
      `Could not be read: ${some(report.unreadable.map(({ path, code }) => `${path === '' ? '.' : path} (${code})`))}.`,
    );
  }
  if (report.large.length > 0) {
    const megabytes = Math.round(facts.large_file_bytes / (1024 * 1024));
    sentences.push(
      `Larger than ${megabytes} MB and compared by size, times and inode instead of content: ${some(report.large)}.`,
    );
  }
  if (report.notFollowed.length > 0) {
    sentences.push(
      `Links whose targets outside the workspace were not compared: ${some(report.notFollowed.map(({ path, target }) => `${path} to ${target}`))}.`,
    );
  }
  if (fetched.length > 0)
    sentences.push(
      `New tags for what was on a remote branch before are not counted as changes: ${some(fetched.map((path) => path.replace(/^\.git\/refs\/tags\//, '')))}.`,
    );
  if (staged.length > 0)
    sentences.push(
      `Staged as it is in the workspace, or no longer staged, which is not counted as a change: ${some(staged)}.`,
    );
  return sentences;
}

const shown = 20;

function some(items: readonly string[]): string {
  const rest = items.length - shown;
  return rest > 0 ? `${items.slice(0, shown).join(', ')} and ${rest} more` : items.join(', ');
}
