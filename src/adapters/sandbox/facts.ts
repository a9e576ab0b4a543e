/** What the disk says about one boundary: everything the mounts are made of. Paths are absolute and resolved. */
export interface DiskFacts {
  readonly bwrap: string;
  readonly root: boolean;
  readonly network: boolean;
  readonly namespaces: boolean;
  /** The host's folder for temporary files; null: it has no such folder. */
  readonly tmp: string | null;
  /** Folders of sockets, which become empty (/run). */
  readonly emptied: readonly string[];
  readonly workspace: string;
  readonly run: string;
  /** What has to be found although it lies in a folder that is hidden. */
  readonly visible: readonly string[];
  /** Links on the way to what is needed: in a hidden folder they are made again. */
  readonly links: readonly Link[];
  readonly writable: readonly WritableFact[];
  /** What exists of the sealed paths, and nested repositories and states. */
  readonly sealed: readonly string[];
  /** Sealed paths that are not there, as written in the boundary. */
  readonly absent: readonly Absent[];
  readonly granted: readonly string[];
  readonly home: readonly HomeMount[];
  readonly sockets: readonly SocketFact[];
  /** Devices of the machine beside those of every sandbox. Absent: none. */
  readonly devices?: readonly string[];
  /** Files and folders of /proc that root could change. */
  readonly kernel: readonly string[];
  /** Programs that have to be seen for the launch to start. */
  readonly named: readonly string[];
  /** Environment variables that lead to other programs of the person, or to folders that are not there inside. */
  readonly unset: readonly string[];
  /** Variables that are set for the worker. */
  readonly variables: Readonly<Record<string, string>>;
  /** What was found on the way that observation has to judge. */
  readonly notes: readonly string[];
  readonly hardLinks: HardLinks;
}

/** A place of the sandbox, and where it lies outside. */
export interface HeldPlace {
  readonly at: string;
  readonly from: string;
}

/** What is read-only although it lies in a writable place, because of hard links that lead out of these. */
export type HardLinks =
  | {
      readonly kind: 'held';
      readonly places: readonly HeldPlace[];
      /** False: there is more than was looked through. */
      readonly complete: boolean;
    }
  | { readonly kind: 'too_many'; readonly files: number; readonly example: string };

export const noHardLinks: HardLinks = { kind: 'held', places: [], complete: true };

/** What the layout of the places is made of, whatever holds them. */
export type PlaceFacts = Omit<DiskFacts, 'bwrap' | 'root' | 'network' | 'namespaces' | 'named' | 'unset' | 'variables'>;

export interface Link {
  readonly path: string;
  readonly target: string;
}

export type WritableFact =
  | { readonly kind: 'folder'; readonly path: string }
  /** A file, or what is not there yet: its folder is writable. */
  | { readonly kind: 'file'; readonly path: string; readonly folder: string; readonly siblings: readonly Sibling[] };

export interface Sibling {
  readonly path: string;
  readonly link: boolean;
}

export interface Absent {
  readonly written: string;
  readonly path: string;
}

export interface HomeMount {
  readonly at: string;
  readonly kind: 'read' | 'write' | 'held' | 'layer' | 'view';
  readonly from: string;
}

export interface SocketFact {
  readonly path: string;
  /** Nothing but sockets, and their locks and pids, is in its folder. */
  readonly alone: boolean;
}

/** One thing that bubblewrap puts at one place. */
export type Mount =
  /**
   * `held`: read-only as well, and left out where it is gone by then. `layer`: a cache that launches alone write, so it
   * holds no link to a file elsewhere. `view`: another way to what the host has, read-only.
   */
  | { readonly at: string; readonly kind: 'read' | 'write' | 'held' | 'layer' | 'view'; readonly from: string }
  | { readonly at: string; readonly kind: 'empty' | 'masked' | 'dev' | 'proc' | 'device' }
  | { readonly at: string; readonly kind: 'link'; readonly target: string };

/** A place as evidence and sentences name it: relative to the workspace where it lies in there. */
export function written(at: string, workspace: string): string {
  return at !== workspace && inside(at, workspace) ? at.slice(workspace.length + 1) : at;
}

/** Returns whether a place is a folder or lies in it. */
export function inside(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
