import { asTexts, listAt, objectAt, objectsAt, type JsonObject } from '../../base/json';
import { readWrittenPath } from '../paths/writtenPath';
import type { NamedFile } from './fields/right';
import type { InstructionsFact } from './rules/instructions';

/** The most arguments that are looked for on the disk. */
const most = 200;

/** The arguments of all commands that may be files of the workspace, and words within them, each once. */
export function namedPathsOf(plan: JsonObject): readonly string[] {
  const verifies = [
    ...objectsAt(plan, 'tasks').map(([task]) => task),
    ...objectsAt(plan, 'milestones').map(([milestone]) => objectAt(milestone, 'validate')),
  ];
  const commands = verifies.flatMap((one) => [listAt(one, 'command') ?? [], ...(listAt(one, 'verify') ?? [])]);
  return namedIn(commands.flatMap(asTexts).map(([argument]) => argument)).slice(0, most);
}

/** Paths that these arguments, and words within them, may name, each once. POSIX, relative to the workspace. */
export function namedIn(texts: readonly string[]): readonly string[] {
  // A shell's text names files between its words and signs, such as `bash -c "sh tools/check.sh && ls"`.
  const words = texts.flatMap((text) => [text, ...(/\s/.test(text) ? text.split(/[\s;&|<>()'"`=]+/) : [])]);
  const paths = words.flatMap((word) => {
    const reading = /[./]/.test(word) ? readWrittenPath(word) : null;
    return reading?.ok ? [reading.path] : [];
  });
  return [...new Set(paths)];
}

/** Those of them that are files. */
export function namedFiles(facts: readonly InstructionsFact[]): readonly NamedFile[] {
  return facts.flatMap((fact): readonly NamedFile[] => {
    if (fact.kind === 'missing') return [];
    if (fact.kind === 'unusable') return [{ path: fact.path }];
    const { path, bytes, sha256 } = fact.file;
    return [{ path, read: { bytes, sha256 } }];
  });
}
