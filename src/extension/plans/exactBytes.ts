import { otherStart } from '../../base/text/prettierStart';
import { ui, type UiText } from '../../base/text/marked/ui';

/** A file without the lines that keep approved bytes unchanged. */
export interface LackingFile {
  /** POSIX, relative to the workspace folder. */
  readonly name: string;
  readonly lines: readonly string[];
  /** What Prettier lacks where it starts in another folder; a yes does not change it. */
  readonly elsewhere?: Pick<LackingFile, 'name' | 'lines'> | null;
}

/** Asks whether the lines may be added, and why; names each file that a yes changes, and says for which start it holds. */
export function exactBytesQuestion(files: readonly LackingFile[]): UiText {
  const added = files.map(
    ({ name, lines }) => ui`${lines.length === 1 ? 'a line' : `${lines.length} lines`} to ${name}`,
  );
  const harm = files.some(({ name }) => name.endsWith('.prettierignore'))
    ? files.length > 1
      ? 'Git may change line ends and Prettier the layout'
      : 'Prettier may change the layout'
    : 'Git may change line ends';
  const starts = files.flatMap(({ name, elsewhere }) => (elsewhere ? [ui` ${otherStart(name, elsewhere)}`] : []));
  return ui`${harm}, and then an approval no longer fits its file. Add ${ui.join(added, ' and ')}?${ui.join(starts, '')}`;
}
