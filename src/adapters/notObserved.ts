import type { IndexFacts } from './gitIndex';
import type { ScanReport } from './manifestScan';

/** What was not looked at, in words, for the evidence: an observation is worth what it says about its own limits. */
export function notObserved(facts: {
  readonly report: ScanReport;
  readonly fetched: readonly string[];
  readonly index: IndexFacts | null;
  readonly large_file_bytes: number;
}): readonly string[] {
  const { report, fetched, index } = facts;
  const followed = [...report.followed].map(([path, target]) => `${path} to ${target}`);
  const sentences = [
    followed.length === 0
      ? 'Nothing outside the workspace was observed.'
      : `Nothing outside the workspace was observed, except what these links lead to: ${some(followed)}.`,
    'The folder .mission-control was not compared: the runner writes there itself.',
    'Empty folders, and permissions other than the executable bit, were not compared.',
  ];
  if (index !== null || report.repositories.length > 0) {
    sentences.push(
      'Of .git only HEAD, branches, tags, config, hooks and info were compared; editors keep bookkeeping of their own in branch sections of config, which is left out.',
    );
  }
  if (index?.ok === false)
    sentences.push(`The flags assume-unchanged and skip-worktree could not be read: ${index.reason}.`);
  if (report.unlisted !== null) sentences.push(`New files in build folders could not be listed: ${report.unlisted}.`);
  const nested = report.repositories.filter((path) => path !== '.git');
  if (nested.length > 0)
    sentences.push(`Index flags of repositories inside the workspace were not compared: ${some(nested)}.`);
  if (report.skipped.size > 0) {
    sentences.push(`Ignored files in dependency and build folders were not compared: ${some([...report.skipped])}.`);
  }
  if (report.unreadable.length > 0) {
    sentences.push(
      `Could not be read: ${some(report.unreadable.map(({ path, code }) => `${path === '' ? '.' : path} (${code})`))}.`,
    );
  }
  if (report.large.length > 0) {
    const megabytes = Math.round(facts.large_file_bytes / (1024 * 1024));
    sentences.push(
      `Larger than ${megabytes} MB and compared by size and times instead of content: ${some(report.large)}.`,
    );
  }
  if (report.notFollowed.length > 0) {
    sentences.push(
      `Links whose targets outside the workspace were not compared: ${some(report.notFollowed.map(({ path, target }) => `${path} to ${target}`))}.`,
    );
  }
  if (fetched.length > 0)
    sentences.push(
      `Tags that a fetch brought are not counted as changes: ${some(fetched.map((path) => path.slice('.git/refs/tags/'.length)))}.`,
    );
  return sentences;
}

const shown = 20;

function some(items: readonly string[]): string {
  const rest = items.length - shown;
  return rest > 0 ? `${items.slice(0, shown).join(', ')} and ${rest} more` : items.join(', ');
}
