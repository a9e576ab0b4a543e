import { asTexts, listAt, objectAt, objectsAt, type JsonObject } from '../../base/json';
import { readWrittenPath } from '../paths/writtenPath';

/** The most words that are looked for on the disk. */
const most = 5_000;

/** The arguments of all commands that may be files of the workspace, and words within them, each once. `root`: absolute. */
export function namedPathsOf(plan: JsonObject, root: string): readonly string[] {
  const verifies = [
    ...objectsAt(plan, 'tasks').map(([task]) => task),
    ...objectsAt(plan, 'milestones').map(([milestone]) => objectAt(milestone, 'validate')),
  ];
  const commands = verifies.flatMap((one) => [listAt(one, 'command') ?? [], ...(listAt(one, 'verify') ?? [])]);
  const top = `${posix(root)}/`;
  const texts = commands.flatMap(asTexts).map(([argument]) => posix(argument).replaceAll(top, ''));
  return namedIn(texts).slice(0, most);
}

/** Paths that these arguments, and words within them, may name, each once. POSIX, relative to the workspace. */
export function namedIn(texts: readonly string[]): readonly string[] {
  // A text names files between its words and signs, such as `sh tools/check.sh && ls` and `--import=./hook.mjs`.
  const paths = texts.flatMap((text) =>
    [text, ...text.split(/[\s;&|<>()'"`=,:@]+/)].flatMap((word) => {
      const reading = readWrittenPath(word);
      return reading.ok ? [reading.path] : [];
    }),
  );
  return [...new Set(paths)];
}

/** Windows takes both slashes. */
function posix(text: string): string {
  return text.replaceAll('\\', '/');
}
