import type { ExitRecord, Heartbeat, LaunchTicket, ProcessRecord, TaskOutcome } from '../../contracts/launch';
import type { Outcome } from '../../base/outcome';
import type { WorkerSignal } from '../../workers/worker';

/** One process under a supervisor, known by its run directory alone; every method is idempotent. */
export interface Launches {
  /** Creates the run directory with prompt, extra files and ticket. Does not start anything. */
  prepare(
    runDir: string,
    prompt: string,
    files: readonly { readonly path: string; readonly content: string }[],
    ticket: LaunchTicket,
  ): Promise<Outcome<{ readonly prompt_sha256: string }>>;
  /** Starts a supervisor for an unclaimed ticket; a claimed one is only attached to. Resolves when the worker's identity is known or it has ended. */
  start(runDir: string, known: KnownLaunch): Promise<LaunchStart>;
  /** Resolves when the run has ended and its tree is gone, or is proven not to be. Never rejects. */
  ended(runDir: string, known: KnownLaunch, onSignal: (signal: WorkerSignal) => void): Promise<ExitRecord>;
  requestStop(runDir: string, known: KnownLaunch, reason: string): Promise<void>;
  /** Looks for processes of an ended launch by nonce and identity, ends who is still there, and says whether all are gone. */
  proveGone(
    runDir: string,
    known: KnownLaunch,
  ): Promise<{ readonly gone: boolean; readonly survivors: readonly number[] }>;
  heartbeat(runDir: string): Promise<Heartbeat | null>;
  /** A look at the processes of a launch: whether one is alive, and the CPU seconds they used so far (`exceptRoot`: those of the CLI itself do not count). */
  activity(
    runDir: string,
    known: KnownLaunch,
    exceptRoot: boolean,
  ): Promise<{ readonly alive: boolean; readonly cpu_seconds: number }>;
  /** For whoever looks at the run: what became of its task. Never rejects; a run directory that is gone gets none. */
  leaveOutcome(runDir: string, outcome: TaskOutcome): Promise<void>;
  /** How a launch stands, without changing anything: what an owner that comes back finds. */
  standing(runDir: string, known: KnownLaunch): Promise<LaunchStandingFacts>;
}

/**
 * `unstarted`: nobody claimed the ticket, or it is void. `supervised`: its supervisor is alive. `ended`: it left its exit
 * record. `lost`: the supervisor died without one.
 */
export type LaunchStandingFacts = 'unstarted' | 'supervised' | 'ended' | 'lost';

/** What the owner knows of a launch by itself. A file of the run directory that disagrees is somebody else's work. */
export interface KnownLaunch {
  readonly launch_id: string;
  readonly nonce: string;
  /** As journalled when the worker was started; null before. */
  readonly process: ProcessRecord | null;
  readonly max_runtime_seconds: number;
  readonly grace_seconds: number;
}

export type LaunchStart =
  | { readonly kind: 'running'; readonly process: ProcessRecord }
  | { readonly kind: 'ended'; readonly exit: ExitRecord }
  | { readonly kind: 'refused'; readonly reason: string };
