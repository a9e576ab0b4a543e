import { taskFile } from '../../../contracts/vocabulary/files/evidenceFiles';
import { fewNamed, firstLines } from '../../../base/text/firstNamed';
import type { AttemptFailure } from '../../model/facts';
import { recoverable } from '../parts/recoverable';
import type { Judged } from './rules';

/**
 * A milestone is accepted for exactly the content that was validated. So the content has to be the same from before the
 * first look to after the last command. A person's save and what a command leaves are content that was not validated.
 * The runner asks after the worker's end and again after the verify commands.
 */
export function judgeContent({ task: { milestone = '' }, attempt }: Judged): AttemptFailure | null {
  const { tree, tree_before, after_verify } = attempt;
  if (tree === tree_before) return null;
  const during = after_verify?.changes ?? attempt.observed?.changes ?? [];
  const paths = [...new Set(during.map(({ path }) => path))];
  const what = paths.length === 0 ? 'Files' : fewNamed(paths);
  const details = firstLines(
    during.map(({ kind, path }) => `${kind} ${path}`),
    taskFile(attempt.task_id),
  );
  if (after_verify)
    return recoverable(
      'verify_changed_files',
      `${what} changed while the verify commands of milestone ${milestone} ran, so it is not accepted: what is there now was not validated. Let git ignore what the commands write, or let them write outside the workspace, then retry.`,
      details,
    );
  return recoverable(
    'external_change',
    `${what} changed while milestone ${milestone} was validated, so it is not accepted: what was found may be about files that are no longer there. Retry while no files change.`,
    details,
  );
}
