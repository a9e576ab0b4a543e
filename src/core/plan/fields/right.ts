import type { AgentName, WorkerName } from '../../../contracts/vocabulary/workers';
import { readingWords } from '../../paths/reading';

/** One thing that a plan opens to what it runs, for a person who approves it or reads a draft. */
export interface Right {
  /** A sentence, or the beginning of a list of `names`. */
  readonly text: string;
  readonly names?: readonly string[];
  /** What a person can do against it. */
  readonly next?: string;
  /** `large`: it leads beyond the approved paths. These stand first, and `further` ones last. */
  readonly weight: 'large' | 'usual' | 'further';
}

/** What the machine adds to a plan. */
export interface RightsFacts {
  /** What nothing confines, such as `the worker command`. */
  readonly unconfined: readonly string[];
  /** Why there is no sandbox for the plan; absent: there is one. `refuses`: so nothing of the plan starts. */
  readonly no_sandbox?: { readonly why: string; readonly next: string; readonly refuses?: boolean };
  /** Says which network an agent has, as a sentence with a blank in front. */
  readonly networkOf: (agent: AgentName) => string;
  /** Says what a worker may read, as the end of a sentence. Absent: all that this user may read. */
  readonly readsOf?: (worker: WorkerName) => string;
  /** Why this machine opens no single service of the plan; absent: it opens them. */
  readonly refused_services?: string;
  /** The files that commands name; absent: not looked for. */
  readonly named_files?: readonly NamedFile[];
  /** The files below approved folders; absent: not looked for. */
  readonly below?: readonly string[];
  /** The folder of hooks in the workspace that git's configuration names; null: none. Absent: not looked for. */
  readonly hooks?: string | null;
  /** The files of instructions, as the disk has them; absent: as the plan names them. */
  readonly instructions?: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** A file of the workspace that a command names, as it is before the approval, which does not bind it. */
export interface NamedFile {
  readonly path: string;
  /** Absent: it is too long or a link, so it was not read. */
  readonly read?: { readonly bytes: number; readonly sha256: string };
}

export type Opened<P> = (plan: P, facts: RightsFacts) => readonly Right[];

export function large(text: string): Right {
  return { text, weight: 'large' };
}

export function usual(text: string): Right {
  return { text, weight: 'usual' };
}

export function further(text: string): Right {
  return { text, weight: 'further' };
}

/** Nothing without names. */
export function named(right: Right): readonly Right[] {
  return right.names?.length === 0 ? [] : [right];
}

export function readsAll(): string {
  return readingWords('all');
}
