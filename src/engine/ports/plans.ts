import type { Outcome } from '../../base/outcome';
import type { ConfinementMode } from '../../contracts/vocabulary/confinement';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { DocumentEdit } from '../../core/plan/approve';
import type { NamedFile } from '../../core/plan/fields/right';
import type { InstructionsFact } from '../../core/plan/rules/instructions';
import type { PlaceFact } from '../../core/plan/rules/places';
import type { ModelPolicyDocument } from '../../contracts/modelPolicy';
import type { ProjectFiles } from './project';
import type { Finding } from '../../core/documents/finding';

export type { InstructionsFact, NamedFile, PlaceFact };

/** Plan files. A plan is read once: the hashed bytes are the parsed bytes. */
export interface PlanFiles {
  /** Never throws: an unreadable file is a finding. `path` is absolute. */
  read(path: string): Promise<PlanText>;
  /** The same for bytes, or an editor's text. Never throws. */
  parse(content: Uint8Array | string): PlanText;
  /** ISO-8601; the time that approvals are compared with. */
  now(): string;
  /** Says of each path (POSIX, relative to the folder) if git ignores it and tracks nothing there; null: unknown. */
  ignored(folder: string, paths: readonly string[]): Promise<readonly (boolean | null)[]>;
  /** Returns what each path (POSIX, relative to the folder) is on the disk; a missing entry: unknown. */
  places(folder: string, paths: readonly string[]): Promise<readonly PlaceFact[]>;
  /** Files below the path (POSIX, relative to the folder) if it is a folder there; not all, in a large one. Never throws. */
  below(folder: string, path: string): Promise<readonly string[]>;
  /** The folder of hooks that git's configuration names, POSIX, relative to the folder; null: none in it. Never throws. */
  hooks(folder: string): Promise<string | null>;
  /** The link on the way to each path (POSIX, relative to the folder), or at its end; null: no link, or unknown. */
  links(folder: string, paths: readonly string[]): Promise<readonly (string | null)[]>;
  /** The files (POSIX, relative to the folder) whose instructions agents are given. Never throws. */
  instructions(folder: string, paths: readonly string[]): Promise<readonly InstructionsFact[]>;
  /** Those of the paths (POSIX, relative to the folder) that are files, with the digest of what can be read. Never throws. */
  named(folder: string, paths: readonly string[]): Promise<readonly NamedFile[]>;
  /** The model policy files of this machine and of the folder, read anew; null: of this machine. Never throws. */
  policies(folder: string | null): Promise<readonly PolicyFile[]>;
  /** ai.project.json of the folder, for people. */
  project(folder: string): ProjectFiles;
  /** JSON Schema findings of a parsed value, with pointers; `locate` adds positions. */
  checkShape(value: unknown): readonly Finding[];
  /** Sets values and keeps every other byte; only for bytes whose text has no error findings. */
  edit(bytes: Uint8Array, edits: readonly DocumentEdit[]): Uint8Array;
  /** Refuses a plan that cannot be created at this place of its workspace. */
  place(file: string): Promise<Outcome<null>>;
  /** Replaces the file atomically if it still has `expectedSha256`; null: creates it, refused if it exists. */
  write(path: string, content: Uint8Array | string, expectedSha256: string | null): Promise<Outcome<null>>;
}

/** A model policy file; without document and problems: the file does not exist. */
export interface PolicyFile {
  readonly kind: 'machine' | 'repository';
  /** The path as a person finds it. */
  readonly path: string;
  readonly document: ModelPolicyDocument | null;
  /** Why it cannot be followed, by its shape alone. */
  readonly problems: readonly string[];
}

export interface PlanCheckOptions {
  /** The worker of tasks that name none. Default: `defaultAgent`. */
  readonly defaultWorker?: WorkerName;
  /** Absolute root of the plan's workspace. When absent, only the end of the plan's path is judged. */
  readonly workspaceDir?: string;
  /** Looks for ai.project.json: for a person before a run, never when a mission starts. */
  readonly looksAtProject?: boolean;
  /** Reads the files that commands name: for a person who approves. */
  readonly asksNamed?: boolean;
  /** What setting or command line ask for; the plan can only be stricter. */
  readonly confinement?: ConfinementMode;
}

export interface PlanText {
  /** Upper-case SHA-256 of the raw bytes; null when the file could not be read. */
  readonly sha256: string | null;
  /**
   * Upper-case SHA-256 of the canonical content: explains a mismatch, never overrides it. Null without a value, or if the
   * value loses a part of the text: one of two equal keys, or digits beyond double precision. Computed on first use.
   */
  readonly canonical_sha256: string | null;
  readonly bytes: Uint8Array | null;
  /** SHA-256 with other line ends or byte-order mark, to explain a mismatch. Computed on each use. */
  readonly other_forms?: readonly string[];
  /** Undefined without a value to judge; present beside errors such as duplicate keys (the last one counts). */
  readonly value: unknown;
  readonly findings: readonly Finding[];
  /** Adds line, column, offset and length to findings by their pointer. */
  locate(findings: readonly Finding[]): readonly Finding[];
}
