import type { LaunchLayers } from '../../../contracts/launch';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The facts that the layout of places needs, for every means of confinement. Paths are absolute and resolved. */
export interface PlaceFacts {
  /** The host's folder for temporary files; null: it has no such folder. */
  readonly tmp: string | null;
  /** Folders of sockets (/run) and of secrets, which are shown as empty. */
  readonly emptied: readonly string[];
  readonly workspace: string;
  readonly run: string;
  /** Places that must be visible although they lie in a hidden folder. */
  readonly visible: readonly string[];
  /** Links on the way to needed places; a hidden folder gets them again. */
  readonly links: readonly Link[];
  readonly writable: readonly WritableFact[];
  /** The existing sealed paths, and nested repositories and states. */
  readonly sealed: readonly string[];
  /** Sealed paths that do not exist, as written in the boundary. */
  readonly absent: readonly Absent[];
  readonly granted: readonly string[];
  readonly home: readonly HomeMount[];
  /** Sockets, and single files with secrets. */
  readonly sockets: readonly SocketFact[];
  /** Devices of the machine, in addition to those of every sandbox. Absent: none. */
  readonly devices?: readonly string[];
  /** Files and folders of /proc that root could change. */
  readonly kernel: readonly string[];
  /** Files that read as empty. Absent: none. */
  readonly masked?: readonly string[];
  /** Findings of the search that observation has to judge. */
  readonly notes: readonly string[];
  readonly hardLinks: HardLinks;
}

/** Facts of the disk about one boundary, from which bubblewrap's command line is made. */
export interface DiskFacts extends PlaceFacts {
  readonly bwrap: string;
  readonly user: LaunchUser;
  readonly network: boolean;
  readonly namespaces: boolean;
  /** This machine takes our filter of system calls. */
  readonly filtered: boolean;
  /** Null: this launch has no layers. */
  readonly layerMeans: LayerMeans | null;
  readonly layers: LaunchLayers | null;
  /** Why no layer lies over the workspace of a layered launch; null: one does, or the launch is not layered. */
  readonly noTree: string | null;
  /** Programs that must be visible for the launch to start. */
  readonly named: readonly string[];
  /** Environment variables that lead to other programs of the person, or to folders that do not exist inside. */
  readonly unset: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

export interface LaunchUser {
  readonly uid: number;
  readonly gid: number;
}

/** Variables of the person, of which some may be set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How a layer (overlayfs) comes into the sandbox. `own`: bubblewrap mounts it itself, from 0.11 on. `around`: a
 * bubblewrap around it gives the rights for `mount`, which the worker then has no more.
 */
export type LayerMeans = { readonly by: 'own' } | { readonly by: 'around'; readonly mount: string };

/** A place of the sandbox, and its place outside. */
export interface HeldPlace {
  readonly at: string;
  readonly from: string;
}

/** Places that are read-only inside writable ones, because hard links there lead out. */
export type HardLinks =
  | {
      readonly kind: 'held';
      readonly places: readonly HeldPlace[];
      /** False: the search ended before it had seen everything. */
      readonly complete: boolean;
    }
  | { readonly kind: 'too_many'; readonly files: number; readonly example: string };

export const noHardLinks: HardLinks = { kind: 'held', places: [], complete: true };

export interface Link {
  readonly path: string;
  readonly target: string;
}

export type WritableFact =
  | { readonly kind: 'folder'; readonly path: string }
  /** A file, or a path that does not exist yet and so makes its folder writable. */
  | { readonly kind: 'file'; readonly path: string; readonly folder: string; readonly siblings: readonly Sibling[] };

export interface Sibling {
  readonly path: string;
  readonly link: boolean;
}

export interface Absent {
  readonly written: string;
  readonly path: string;
}

export type HomeMount = BoundMount | LayerMount;

/** `held`: read-only, and left out if it is gone at the start. `private`: only launches write it, so no hard link of it leads out. */
export interface BoundMount {
  readonly at: string;
  readonly kind: 'read' | 'write' | 'held' | 'private';
  readonly from: string;
}

/** A folder of the host with a layer above it, which takes all that is written. A socket of the host is closed in it. */
export interface LayerMount {
  readonly at: string;
  readonly kind: 'layer';
  /** Holds the layer's own folders (`makeLayer`). */
  readonly own: string;
  /** The folders below it, the topmost first. */
  readonly lowers: readonly string[];
  readonly access: 'read' | 'write';
  /** What is put from the layer into the folder. Absent: nothing. */
  readonly lands?: readonly string[];
  /** That is done by another than the end of the launch. */
  readonly waits?: true;
}

export interface SocketFact {
  readonly path: string;
  /** Its folder holds only sockets, and their locks and pids. */
  readonly alone: boolean;
}

/** One thing that bubblewrap puts at one place. */
export type Mount =
  | HomeMount
  /** `closed`: an empty folder that nothing can be made in. */
  | { readonly at: string; readonly kind: 'empty' | 'closed' | 'masked' | 'dev' | 'proc' | 'device' }
  | { readonly at: string; readonly kind: 'link'; readonly target: string };

/** A place in the form of evidence and sentences: relative to the workspace if it lies inside. */
export function written(at: string, workspace: string): string {
  return at !== workspace && inside(at, workspace) ? at.slice(workspace.length + 1) : at;
}

/** Returns whether a place is a folder or lies in it. */
export function inside(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** The part of a frame for which this scan may block the thread. */
export class Slice {
  #since = performance.now();
  #asked = 0;

  isOver(): boolean {
    return (this.#asked += 1) % 32 === 0 && performance.now() - this.#since > 5;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}
