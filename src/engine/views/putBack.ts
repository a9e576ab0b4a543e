import type { ReviewFile } from '../../core/view/review';
import type { FileContent } from '../ports/contents';

/** Says whether a file has the content that it had before the first task that changed it; not known: it does not. */
export function isPutBack({ path, before_path, before, note }: ReviewFile, now: FileContent): boolean {
  // Its content may be the same while its mode is not.
  if (before_path !== path || note !== null) return false;
  if (before.kind === 'absent') return now.kind === 'absent';
  return before.kind === 'file' && (now.kind === 'text' || now.kind === 'binary') && now.sha256 === before.sha256;
}

/** A sentence for each of the first files, and how many more there are. */
export function putBackSentences(files: readonly ReviewFile[]): readonly string[] {
  const more = files.length - named;
  return [
    ...files.slice(0, named).map(({ path, before, tasks }) => {
      const changed = `as it was before ${tasks.join(', ')} changed it.`;
      return before.kind === 'absent' ? `${path} is gone, ${changed}` : `The content of ${path} is ${changed}`;
    }),
    ...(more > 0 ? [`${more} more files are as they were before.`] : []),
  ];
}

const named = 20;
