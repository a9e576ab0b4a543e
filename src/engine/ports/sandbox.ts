import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { Services } from '../../core/paths/services';
import type { SandboxReach } from '../../core/observation/reach';
import type { HomePlace } from '../../workers/worker';
import type { Outcome } from '../../base/outcome';

/** Holds the processes of one launch inside its boundary, by means of the operating system. */
export interface Sandboxes {
  /** Says whether this machine can: found out by starting one. What was found is kept; `unavailable` is tried again. */
  standing(): Promise<SandboxStanding>;
  /**
   * The command line that holds one launch back. Looks at the disk and writes only below the run directory; creates
   * folders of `HomeEntry` that are missing. Refuses with CONFINEMENT_UNAVAILABLE what this machine cannot hold back, with
   * HARD_LINKS_LEAD_OUT what would change files outside, and with SERVICE_NOT_OPENED what `services` names amiss.
   */
  line(boundary: SandboxBoundary): Promise<Outcome<SandboxLine>>;
}

/** `reason` is one sentence, `next` one step, with the command that mends it where there is one. */
export type SandboxStanding =
  | {
      readonly kind: 'available';
      readonly means: SandboxMeans;
      readonly version: string;
      /** Why a CLI cannot build a sandbox of its own inside it, one sentence; null: it can. */
      readonly not_nested: string | null;
    }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly next: string };

/** What one launch may write. Everything else can be read only, or cannot be seen. */
export interface SandboxBoundary {
  /** Absolute, as are all but `writable` and `sealed`. */
  readonly workspace_dir: string;
  /** Only its folder `work` is writable. */
  readonly run_dir: string;
  /** POSIX, relative to the workspace: approved files and folders. */
  readonly writable: readonly string[];
  /** The same form: never writable, also inside `writable`, and nothing below it (forbidden, other tasks, reserved). */
  readonly sealed: readonly string[];
  /** Folders outside the workspace that were granted. */
  readonly granted: readonly string[];
  /** What the CLI writes in the person's own folders. */
  readonly home: readonly HomePlace[];
  /** The caches of tools in the person's home are private layers that it may write: it runs a command of the plan. */
  readonly caches?: boolean;
  /** False: the launch has loopback of its own and nothing else. */
  readonly network: boolean;
  /** What of the machine it still reaches. Absent: nothing. */
  readonly services?: Services;
  /** Our relay runs in it, around the worker. */
  readonly relayed?: boolean;
  /** The CLI makes namespaces for a sandbox of its own, inside this one. */
  readonly namespaces?: boolean;
  /**
   * Words of the launch line that may be programs: the first one is, as the launch finds it, and of the others scripts
   * and programs by absolute paths. They are found wherever they lie, and refused where they have to stay hidden. What
   * PATH names is found anyway.
   */
  readonly words?: readonly string[];
  /** Programs of ours that the launch starts, which need nothing around them. */
  readonly own?: readonly string[];
}

export interface SandboxLine {
  readonly means: SandboxMeans;
  /** Up to where the command line of the worker begins. */
  readonly argv: readonly string[];
  /** What observation has to judge because the sandbox is coarser, one sentence each. */
  readonly coarser: readonly string[];
  /** Those of `coarser` for which confinement that is `required` has to refuse the launch. */
  readonly unheld: readonly string[];
  /**
   * Read-only files in writable places, because they are hard links to files elsewhere; POSIX, relative to the
   * workspace, absolute outside it.
   */
  readonly held: readonly string[];
  /** Absent: where the launch can write is not known for sure. */
  readonly reach?: SandboxReach;
}
