import type { BeforeSide, ReviewFile } from '../../core/view/review';
import type { FileContent } from '../ports/contents';

/**
 * Says whether the content of a file is as before the first task that changed it; an unknown content is not.
 *
 * @param at_before of a moved file: what lies at its old path now
 */
export function isPutBack(
  { path, before_path, before, note }: ReviewFile,
  now: FileContent,
  at_before: FileContent | undefined,
): boolean {
  // A file with a note may differ in more than its content, such as its mode.
  if (note !== null) return false;
  if (before_path !== path) return now.kind === 'absent' && at_before !== undefined && holds(before, at_before);
  return before.kind === 'absent' ? now.kind === 'absent' : holds(before, now);
}

function holds(before: BeforeSide, now: FileContent): boolean {
  return before.kind === 'file' && (now.kind === 'text' || now.kind === 'binary') && now.sha256 === before.sha256;
}

/** A sentence for each of the first files, and how many more there are. */
export function putBackSentences(files: readonly ReviewFile[]): readonly string[] {
  const more = files.length - named;
  return [
    ...files.slice(0, named).map(({ path, before_path, before, tasks, unannounced }) => {
      const by = tasks.join(', ');
      const changed = `as it was before ${unannounced.length === 0 ? `${by} changed it` : `a change found during ${by}`}.`;
      if (before_path !== path) return `${before_path} is back, ${changed}`;
      return before.kind === 'absent' ? `${path} is gone, ${changed}` : `The content of ${path} is ${changed}`;
    }),
    ...(more > 0 ? [`${more} more files are as they were before.`] : []),
  ];
}

const named = 20;
