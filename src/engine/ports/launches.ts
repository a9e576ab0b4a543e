import type {
  ExitRecord,
  Heartbeat,
  LaunchTicket,
  ProcessRecord,
  ShownChange,
  TaskOutcome,
  WorkerSignal,
} from '../../contracts/launch';
import type { Outcome } from '../../base/outcome';

/** Runs processes, each under a supervisor and addressed by its run directory; every method is idempotent. */
export interface Launches {
  /** Creates the run directory with prompt, extra files and ticket. Does not start anything. */
  prepare(
    runDir: string,
    prompt: string,
    files: readonly { readonly path: string; readonly content: string }[],
    ticket: LaunchTicket,
  ): Promise<Outcome<{ readonly prompt_sha256: string }>>;
  /** Starts a supervisor, or attaches to the one that took the ticket. Resolves once the worker runs or has ended. */
  start(runDir: string, known: JournalledLaunch, options?: StartOptions): Promise<LaunchStart>;
  /** Resolves when the run has ended and its tree is gone, or is proven not to be. Never rejects. */
  awaitExit(runDir: string, known: JournalledLaunch, onSignal: (signal: WorkerSignal) => void): Promise<ExitRecord>;
  requestStop(runDir: string, known: JournalledLaunch, reason: string): Promise<void>;
  /** Finds processes of an ended launch by nonce and identity, ends them, and returns whether all are gone. */
  proveGone(
    runDir: string,
    known: JournalledLaunch,
  ): Promise<{ readonly gone: boolean; readonly survivors: readonly number[] }>;
  heartbeat(runDir: string): Promise<Heartbeat | null>;
  /**
   * Returns when the worker last wrote anything, ISO-8601; null: unknown. A worker could forge it, because it can write
   * that file.
   */
  lastOutput(runDir: string): Promise<string | null>;
  signals(runDir: string): Promise<readonly WorkerSignal[]>;
  /** `exceptRoot`: without the CPU seconds of the CLI itself. */
  activity(
    runDir: string,
    known: JournalledLaunch,
    exceptRoot: boolean,
  ): Promise<{ readonly alive: boolean; readonly cpu_seconds: number }>;
  /** Writes what became of the task, for viewers of the run. Never rejects; does nothing without a run directory. */
  leaveOutcome(runDir: string, outcome: TaskOutcome): Promise<void>;
  /** Writes how the launch line was changed, for viewers of the run. Never rejects. */
  leaveChange(runDir: string, change: ShownChange): Promise<void>;
  /** Names of variables that are set here and that a command with these further names does not get. */
  unpassed(env_names: readonly string[]): readonly string[];
  /** Reads the state of a launch, for an owner that takes over. Changes nothing. */
  standing(runDir: string, known: JournalledLaunch): Promise<LaunchStandingFacts>;
}

/**
 * `unstarted`: no supervisor took the ticket, or it is void. `supervised`: its supervisor is alive. `ended`: it left
 * its exit record. `lost`: the supervisor died without one.
 */
export type LaunchStandingFacts = 'unstarted' | 'supervised' | 'ended' | 'lost';

/** A launch as the journal names it. A file of the run directory that disagrees is not of this launch. */
export interface JournalledLaunch {
  readonly launch_id: string;
  readonly nonce: string;
  /** The process that the journal recorded at the start of the worker; null before that. */
  readonly process: ProcessRecord | null;
  readonly max_runtime_seconds: number;
  readonly grace_seconds: number;
}

export interface StartOptions {
  /** Further variables, which never reach the disk. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Starts a supervisor ahead, because another launch may follow. Absent: starts none. */
  readonly ahead?: boolean;
}

export type LaunchStart =
  | { readonly kind: 'running'; readonly process: ProcessRecord }
  | { readonly kind: 'ended'; readonly exit: ExitRecord }
  | { readonly kind: 'refused'; readonly reason: string };
