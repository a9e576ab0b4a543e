import type { PanelTask } from '../../../src/contracts/page/panelView';
import type { JSX } from 'preact';
import { OpenLink, Text } from '../shell/text';

/** A file that a task changed, named by its place in `changed`, because the host knows it by that. */
export function FileLink({
  task,
  file,
  index,
}: {
  readonly task: PanelTask;
  readonly file: string;
  readonly index: number;
}): JSX.Element {
  return (
    <OpenLink target={{ kind: 'file', task_id: task.task_id, index }} label={`Open ${file}`}>
      <Text of={file} />
    </OpenLink>
  );
}

export interface NotedFile {
  readonly file: string;
  readonly index: number;
  /** The reason why the task failed for it; null: it did not. */
  readonly note: string | null;
}

/** Kinds of changes whose reason says what changed. */
const ofGit: readonly string[] = ['git', 'index_flag'];
/** At most so many lines of details are searched. */
const readAtMost = 200;

/**
 * Each file with its note from the details, such as `modified src/a.ts: lies outside the approved paths of the task`;
 * files with notes come first. `others`: details about something else.
 */
export function noted(
  changed: readonly string[],
  details: readonly string[],
): { readonly files: readonly NotedFile[]; readonly others: readonly string[] } {
  const notes = new Map<string, string>();
  const known = new Set(changed);
  const others: string[] = [];
  for (const line of details.slice(0, readAtMost)) {
    const [, how, file, why] = /^(\S+) (.+): (.+)$/s.exec(line) ?? [];
    if (how !== undefined && file !== undefined && why !== undefined && known.has(file))
      notes.set(file, ofGit.includes(how) ? why : `${how.replaceAll('_', ' ')}, ${why}`);
    else others.push(line);
  }
  const files = changed.map((file, index) => ({ file, index, note: notes.get(file) ?? null }));
  return {
    files: [...files.filter(({ note }) => note !== null), ...files.filter(({ note }) => note === null)],
    others,
  };
}
