import type { GitFact } from '../../git/files';
import { keyOf, type ManifestEntry } from '../../files/entry';

/** The result of one look at a workspace. Immutable: manifests share the entries that did not change. */
export interface Manifest {
  readonly header: ManifestHeader;
  /** By `keyOf`. */
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  readonly facts: ManifestFacts;
}

export interface ManifestHeader {
  readonly schema_version: '2.0.0';
  /** Milliseconds since 1970 when reading began, by the clock of the file system. */
  readonly started_ms: number;
  /** Milliseconds that this clock is ahead of ours; absent: no difference that counts. */
  readonly ahead_ms?: number;
  readonly git: boolean;
  /** Commit of HEAD. */
  readonly head: string | null;
  /** False: git could not read the index, so flags and staged changes are not compared. */
  readonly index: boolean;
  /** Files of the workspace into which the owner that took it printed; absent: none. */
  readonly printed?: readonly string[];
}

/** Everything but files, by path. */
export interface ManifestFacts {
  readonly git: Map<string, GitFact>;
  /** Flags that hide a file from git. */
  readonly flag: Map<string, string>;
  /** Mode and object of index entries that differ from HEAD. */
  readonly staged: Map<string, string>;
  /** Remote branches, with their commit. */
  readonly remote: Map<string, string>;
  /** Links out of the workspace that were followed, with their target. */
  readonly followed: Map<string, string>;
  /** Folders and files that could not be read, with the reason. */
  readonly unreadable: Map<string, string>;
  /** Folders whose names may be left out, with the decision. */
  readonly folder: Map<string, 'left_out' | 'entered'>;
  /** Permission bits of folders that were entered; the workspace itself, and those that differ from `usualMode`. */
  readonly mode: Map<string, number>;
}

/** That of most folders, so none of them is listed. */
export const usualMode = 0o755;

export type FactKind = keyof ManifestFacts;

export function emptyFacts(): ManifestFacts {
  return {
    git: new Map(),
    flag: new Map(),
    staged: new Map(),
    remote: new Map(),
    followed: new Map(),
    unreadable: new Map(),
    folder: new Map(),
    mode: new Map(),
  };
}

/** The result of a look, compared with an earlier manifest. */
export interface ManifestNews {
  readonly put: readonly ManifestEntry[];
  /** Keys of entries that were not found again. */
  readonly gone: ReadonlySet<string>;
  readonly facts: ManifestFacts;
}

export function renewed(before: Manifest | null, header: ManifestHeader, news: ManifestNews): Manifest {
  if (before && news.put.length === 0 && news.gone.size === 0)
    return { header, entries: before.entries, facts: news.facts };
  const entries = new Map(before?.entries);
  for (const key of news.gone) entries.delete(key);
  for (const entry of news.put) entries.set(keyOf(entry), entry);
  return { header, entries, facts: news.facts };
}

/** The lines that turn `before` into `after`: an entry as plain JSON, anything else with its kind. */
export function* linesBetween(before: Manifest | null, after: Manifest, news: ManifestNews): Generator<string> {
  if (before === null) {
    for (const entry of after.entries.values()) yield JSON.stringify(entry);
  } else {
    for (const key of news.gone) yield JSON.stringify({ kind: 'gone', of: 'entry', path: key });
    for (const entry of news.put) yield JSON.stringify(entry);
  }
  for (const kind of Object.keys(after.facts) as FactKind[]) {
    const was: ReadonlyMap<string, unknown> | undefined = before?.facts[kind];
    const is: ReadonlyMap<string, unknown> = after.facts[kind];
    for (const path of was?.keys() ?? []) if (!is.has(path)) yield JSON.stringify({ kind: 'gone', of: kind, path });
    for (const [path, value] of is) {
      if (JSON.stringify(value) !== JSON.stringify(was?.get(path))) yield JSON.stringify({ kind, path, value });
    }
  }
}

export class ManifestReading {
  readonly entries = new Map<string, ManifestEntry>();
  readonly facts = emptyFacts();

  take(line: ManifestLine): void {
    if (!('kind' in line)) this.entries.set(keyOf(line), line);
    else if (line.kind !== 'gone') (this.facts[line.kind] as Map<string, unknown>).set(line.path, line.value);
    else if (line.of === 'entry') this.entries.delete(line.path);
    else this.facts[line.of].delete(line.path);
  }
}

export type ManifestLine =
  | ManifestEntry
  | { readonly kind: 'gone'; readonly of: FactKind | 'entry'; readonly path: string }
  | { readonly kind: FactKind; readonly path: string; readonly value: unknown };
