import { secretsIn } from '../../documents/secrets';
import { objectAt, quoted, textsAt, type JsonObject } from '../../../base/json';
import { reservedFolderOf } from '../../paths/reserved';
import { readWrittenPath } from '../../paths/writtenPath';
import type { AddPlanFinding } from './judgedTask';

/** A file whose instructions every agent of a plan is given, as it was read. */
export interface InstructionsFile {
  /** POSIX, relative to the workspace. */
  readonly path: string;
  /** Upper-case SHA-256 of its bytes. */
  readonly sha256: string;
  readonly bytes: number;
  readonly text: string;
}

/** What the disk has of a file that a plan names. `why` completes the sentence "..., because WHY". */
export type InstructionsFact =
  | { readonly kind: 'read'; readonly file: InstructionsFile }
  | { readonly kind: 'missing'; readonly path: string }
  /** `target`: the file of the workspace that a link leads to, POSIX; absent: it is no link, or leads to none. */
  | { readonly kind: 'unusable'; readonly path: string; readonly why: string; readonly target?: string };

/** The files that the disk can be asked about, each once, with its place in the list. */
export function instructionPathsOf(plan: JsonObject): readonly (readonly [path: string, index: number])[] {
  const first = new Map<string, number>();
  for (const [text, index] of textsAt(objectAt(plan, 'execution'), 'project_instructions')) {
    const reading = readWrittenPath(text);
    if (reading.ok && reservedFolderOf(reading.path) === null && !first.has(reading.path))
      first.set(reading.path, index);
  }
  return [...first];
}

/** An agent gets all of the files that the plan names, or nothing starts. `facts`: for `instructionPathsOf`. */
export function judgeInstructions(
  paths: readonly (readonly [path: string, index: number])[],
  facts: readonly InstructionsFact[],
  report: AddPlanFinding,
): void {
  paths.forEach(([path, index], at) => {
    const fact = facts[at];
    if (fact === undefined) return;
    const why = whyUnusable(fact);
    const target = targetOf(fact);
    if (fact.kind === 'missing')
      report(
        'INSTRUCTIONS_MISSING',
        pointerAt(index),
        `${quoted(path)} is not in the workspace, and agents have to follow it; write it, or remove it here.`,
      );
    else if (target !== null)
      report(
        'INSTRUCTIONS_UNUSABLE',
        pointerAt(index),
        `${quoted(path)} cannot be given to agents, because it is a link; write its target ${quoted(target)} here instead.`,
      );
    else if (why !== null)
      report(
        'INSTRUCTIONS_UNUSABLE',
        pointerAt(index),
        `${quoted(path)} cannot be given to agents, because ${why}; mend that, or remove it here.`,
      );
  });
}

/** Says why agents cannot be given the file, as the end of a sentence; null: they can. */
export function whyUnusable(fact: InstructionsFact): string | null {
  switch (fact.kind) {
    case 'missing':
      return 'it is not in the workspace';
    case 'unusable':
      return fact.why;
    case 'read': {
      const kinds = secretsIn(fact.file.text);
      return kinds.length === 0 ? null : `it holds what looks like a secret (${kinds.join(', ')})`;
    }
  }
}

/** The file that a link leads to, if a plan may name it; null: there is no such file. */
function targetOf(fact: InstructionsFact): string | null {
  const target = fact.kind === 'unusable' ? fact.target : undefined;
  return target !== undefined && reservedFolderOf(target) === null ? target : null;
}

function pointerAt(index: number): string {
  return `/execution/project_instructions/${index}`;
}
