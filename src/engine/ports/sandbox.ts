import type { TaskBoundary } from '../../core/confinement/boundary';
import type { AvailableSandbox } from '../../core/plan/approvalSummary';
import type { SandboxReach } from '../../contracts/launchEvidence';
import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { LaunchLayers, TreeLayer } from '../../contracts/launch';
import type { SecretsSeen } from '../../contracts/vocabulary/files/privatePlaces';
import type { HomePlace } from '../../workers/worker';
import type { Outcome } from '../../base/outcome';

/** Confines the processes of one launch by means of the operating system. */
export interface Sandboxes {
  /** Starts a sandbox to see whether this machine can confine. Asks again after `unavailable` only. */
  standing(): Promise<SandboxStanding>;
  /**
   * Returns the command line that confines one launch. Looks at the disk and writes only below the run directory;
   * creates missing folders of `HomeEntry`. Refuses with CONFINEMENT_UNAVAILABLE a boundary that this machine cannot
   * enforce. Refuses with HARD_LINKS_LEAD_OUT writable files that are linked outside, and with SERVICE_NOT_OPENED a
   * wrong name in `services`.
   */
  line(boundary: SandboxBoundary): Promise<Outcome<SandboxLine>>;
}

/** `reason` is one sentence; `next` is one step, with a command that mends it if there is one. */
export type SandboxStanding =
  | (AvailableSandbox & { readonly version: string })
  | { readonly kind: 'unavailable'; readonly reason: string; readonly next: string };

/** The places that one launch may write. Everything else is read-only or hidden. */
export interface SandboxBoundary extends TaskBoundary {
  /** Absolute, as are all but `writable` and `sealed`. */
  readonly workspace_dir: string;
  /** Only its folder `work` is writable. */
  readonly run_dir: string;
  /** Places outside the workspace that were granted. */
  readonly granted: readonly string[];
  /** The same, to read; absent: none. */
  readonly readable?: readonly string[];
  /** Places in the person's own folders that the CLI writes. */
  readonly home: readonly HomePlace[];
  /** The launch runs a command of the plan: it writes layers over the tool caches in the person's home. */
  readonly caches?: {
    /** Names of variables of the person that it gets. Launches share a cache only if their rights are the same. */
    readonly env_names: readonly string[];
    /** The launches that go on with what it adds: the workers of a mission, or the checks of an attempt. */
    readonly shared: SharedCaches;
  };
  /** A layer takes what it writes elsewhere in the workspace, and drops it. Absent: such a write is refused. */
  readonly layered?: true;
  /** Those of `writable` that the layer takes as well. Absent: none. */
  readonly lands?: readonly string[];
  /** Launches that share a layer, one after the other: the verify commands of a task. Absent: the layer is its own. */
  readonly turn?: LayerTurn;
  /** The layer that the launch goes on in, or, for a verify command, sees below its own. Absent: none. */
  readonly work?: TreeLayer;
  /** The places of secrets in HOME that it sees. Absent: none. */
  readonly secrets?: SecretsSeen;
  /** The relay of Mission Control runs inside, around the worker. */
  readonly relayed?: boolean;
  /** The CLI makes namespaces for a sandbox of its own, inside this one. */
  readonly namespaces?: boolean;
  /**
   * Words of the launch line that may be programs: the first, and scripts or programs by absolute paths. The sandbox
   * shows them wherever they lie, and refuses those that must stay hidden. Programs on PATH are visible anyway.
   */
  readonly programWords?: readonly string[];
  /** Programs of Mission Control that the launch starts; they need no files around them. */
  readonly own?: readonly string[];
}

/** What launches share of the caches that they write. */
export interface SharedCaches {
  /** Names these launches among those of the workspace. */
  readonly name: string;
  /** Begins anew. */
  readonly isFirst?: boolean;
  readonly kept_if?: LaunchLayers['kept_if'];
}

/** The turn of a launch among those that share a layer. */
export interface LayerTurn {
  /** Names the layer among those of its workspace. */
  readonly layer: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export interface SandboxLine {
  readonly means: SandboxMeans;
  /** The command line in front of the worker's own. */
  readonly argv: readonly string[];
  /** One sentence for each thing that observation has to judge, because the sandbox is less exact than the plan. */
  readonly coarser: readonly string[];
  /** Those of `coarser` for which `required` confinement refuses the launch. */
  readonly unheld: readonly string[];
  /**
   * Files in writable places that are read-only, because they are hard links to files elsewhere. POSIX, relative to the
   * workspace, absolute outside it.
   */
  readonly heldLinks: readonly string[];
  /** The places of the machine that it does not show, absolute. Absent: none are known. */
  readonly hidden?: readonly string[];
  /** Absent: it has none. */
  readonly layers?: LaunchLayers;
  /** Why no layer lies over the workspace of a layered launch, the end of a sentence; absent: one does. */
  readonly no_tree?: string;
  /** Absent: the places where the launch can write are not known for sure. */
  readonly reach?: SandboxReach;
}
