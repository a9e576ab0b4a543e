import type { MovedObstacle } from '../../core/model/facts';
import type { ExitRecord, Heartbeat, LaunchTicket, ProcessRecord, TaskOutcome } from '../../contracts/launch';
import type { Actor } from '../../contracts/vocabulary/actors';
import type { Outcome } from '../../base/outcome';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { FoldedEntry, JournalEntry, NewEntry } from '../../core/model/journalEntry';
import type { RawChange } from '../../core/observation/change';
import type { PathStanding, StandingQuery } from '../../core/observation/standing';
import type { DocumentEdit } from '../../core/plan/approve';
import type { Finding } from '../../core/documents/finding';
import type { Surface } from '../../base/text/surface';
import type { MarkdownText } from '../../base/text/markdown';
import type { WorkerSignal } from '../../workers/worker';

/**
 * The append-only, hash-chained journal of one workspace folder. Events are opaque JSON to it.
 * `append` is durable when it resolves. It refuses with CONCURRENCY (a foreign append or a newer
 * fence): the engine then HALTs.
 */
export interface Journal<E> {
  append(stream: string, expectedSeq: number, fence: number, entries: readonly NewEntry<E>[]): Promise<AppendResult<E>>;
  read(stream: string, afterSeq?: number): Promise<readonly JournalEntry<E>[]>;
  /** What a fold needs of them, some entries at a time: a history of any length is never in memory whole. */
  pages(stream: string, options?: PageOptions): AsyncIterable<readonly FoldedEntry<E>[]>;
  /**
   * Reads the stored file anew, with nothing that is remembered: null when it holds the stream up to this place of the
   * chain and nothing before it was changed, else what was found. Never rejects.
   */
  prove(stream: string, place: ChainPlace): Promise<string | null>;
  streams(): Promise<readonly StreamInfo[]>;
  close(): Promise<void>;
}
/** Where a chain stands; sequence number 0: before its first entry. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}
export interface PageOptions {
  readonly afterSeq?: number;
  /** Only from the first entry on: rejects as soon as an entry does not follow the one before, or is not what its hash says. */
  readonly verified?: boolean;
}
export type AppendResult<E> =
  | { readonly ok: true; readonly entries: readonly JournalEntry<E>[] }
  | { readonly ok: false; readonly code: 'STALE_SEQUENCE' | 'FENCED' | 'WRITE_FAILED'; readonly reason: string };
export interface StreamInfo {
  readonly stream: string;
  readonly last_seq: number;
  readonly first_at: string;
  readonly last_at: string;
}

/** Exclusive ownership of the workspace's missions; freed by the operating system when the owner dies. */
export interface Lease {
  acquire(owner: Actor): Promise<Outcome<{ readonly fence: number }>>;
  release(): Promise<void>;
  /** Whether somebody (this process included) owns now, without taking it. */
  held(): Promise<boolean>;
}

/** A command from another process. `expected_seq` null means: whatever the state is now. */
export interface InboxCommand {
  readonly id: string;
  readonly mission_id: string;
  readonly command: unknown;
  readonly actor: Actor;
  readonly reason: string;
  readonly expected_seq: number | null;
  /** True when an ancestor process of the sender is a supervisor: then it is no human. */
  readonly from_worker: boolean;
  /** False when the owner could not find the process that sent it: then nobody can say that it was a human. */
  readonly identified: boolean;
}
export interface InboxAnswer {
  readonly accepted: boolean;
  readonly code: string;
  readonly reason: string;
  readonly next: readonly string[];
}
/** Owner's side of the inbox: each command is delivered once, in arrival order, until answered. */
export interface Inbox {
  /** Calls back for every command present now and every later one, until disposed. */
  watch(onCommand: (command: InboxCommand) => void): InboxWatch;
  answer(id: string, answer: InboxAnswer): Promise<void>;
  /** Puts a command back that was delivered and that nobody has begun to decide: for its sender, or the next owner. */
  giveBack(id: string): Promise<void>;
}
export interface InboxWatch {
  /** Nothing more is taken. Resolves when all that was taken has been delivered. */
  dispose(): Promise<void>;
}

export interface Clock {
  /** ISO-8601 UTC with milliseconds. */
  now(): string;
  /** The time so many seconds later. */
  after(time: string, seconds: number): string;
}
export interface Timers {
  /** Calls back once at or after the time. */
  at(time: string, callback: () => void): { dispose(): void };
}
export interface Ids {
  uuid(): string;
  /** Lower-case hex digits. */
  hex(length: number): string;
  /** Lower-case base 36 digits. */
  base36(length: number): string;
}

/** Reads a plan once: the bytes that are hashed are the bytes that are parsed. */
export interface PlanFiles {
  /** Never throws: an unreadable file is a finding. `path` is absolute. */
  read(path: string): Promise<PlanText>;
  /** The same for bytes, or for the text of an editor. Never throws. */
  parse(content: Uint8Array | string): PlanText;
  /** The whole of `checkPlan` beside this thread, where there is one; null: it is to be done here after all. */
  judged?(path: string, options: PlanCheckOptions): Promise<JudgedText | null>;
  /** ISO-8601: approvals are compared with it. */
  now?(): string;
  /** JSON Schema findings of a parsed value, with pointers (positions are added by `locate`). */
  checkShape(value: unknown): readonly Finding[];
  /** Sets values and keeps every other byte. Only for bytes that were read without error findings about their text. */
  edit(bytes: Uint8Array, edits: readonly DocumentEdit[]): Uint8Array;
  /** Replaces the file atomically if its SHA-256 is still `expectedSha256`; null: creates it, it must not exist. */
  write(path: string, content: Uint8Array | string, expectedSha256: string | null): Promise<Outcome<null>>;
}
export interface PlanCheckOptions {
  /** Who performs tasks that name no worker. Default: claude. */
  readonly defaultWorker?: WorkerName;
  /** Absolute root of the workspace the plan belongs to; judged by the end of its path when absent. */
  readonly workspaceDir?: string;
}
/** What was read of a plan, and everything that is to be said about it, with positions and in document order. */
export interface JudgedText {
  readonly text: PlanText;
  readonly findings: readonly Finding[];
}
export interface PlanText {
  /** Upper-case SHA-256 of the raw bytes; null when the file could not be read. */
  readonly sha256: string | null;
  /** SHA-256 over canonical JSON content: explains a mismatch, never overrides it. Computed when asked for. */
  readonly canonical_sha256: string | null;
  readonly bytes: Uint8Array | null;
  /** SHA-256 of the bytes with other line ends or byte-order mark: explain a mismatch. Computed when asked for. */
  readonly other_forms?: readonly string[];
  /** Undefined when there is no value to judge; defined beside errors such as duplicate keys (the last one counts). */
  readonly value: unknown;
  readonly findings: readonly Finding[];
  /** Adds line, column, offset and length to findings by their pointer. */
  locate(findings: readonly Finding[]): readonly Finding[];
}

/** Baselines of the workspace, and what is different from one. */
export interface Workspace {
  /** Kept apart from the workspace and its run directories, under the digest that it answers. */
  baseline(request: ManifestRequest): Promise<Outcome<BaselineFacts>>;
  /** From any baseline of the mission. The observation goes to `observed.json` of the run directory. */
  difference(request: DifferenceRequest): Promise<Outcome<DifferenceFacts>>;
  /** What is at these paths now: read anew, in the words of a difference. Answers come in the order of the questions. */
  standing(paths: readonly StandingQuery[]): Promise<Outcome<readonly PathStanding[]>>;
  /**
   * Of the paths (POSIX, relative to the root) and the folders above them, those that are symbolic links: where each
   * leads, relative to the root; null when outside or nowhere.
   */
  links(paths: readonly string[]): Promise<Readonly<Record<string, string | null>>>;
  /** HEAD commit, or null when there is no repository or no commit. */
  head(): Promise<string | null>;
}
export interface ManifestRequest {
  readonly mission_id: string;
  readonly forbidden_paths: readonly string[];
  /** Approved paths of the task: compared even inside dependency and build folders. The same in baseline and difference. */
  readonly paths?: readonly string[];
}
export interface DifferenceRequest extends ManifestRequest {
  /** The recorded `manifest_sha256`; a baseline that is not found as it was recorded is refused. */
  readonly baseline_sha256: string;
  /** Absolute. */
  readonly run_dir: string;
  /** Nothing is written: a look in the middle of an attempt is no observation. */
  readonly only_look?: true;
}
export interface BaselineFacts {
  readonly manifest_sha256: string;
  readonly files: number;
  readonly head: string | null;
  readonly git: boolean;
}
export interface DifferenceFacts {
  readonly changes: readonly RawChange[];
  /** Upper-case SHA-256 of observed.json. */
  readonly observed_sha256: string;
  readonly head: string | null;
  /** What was not looked at, in words, for the evidence. */
  readonly not_observed: readonly string[];
}

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

/** Finds a worker CLI and asks it for its version (cached per executable file). */
export interface WorkerCatalog {
  /** Whose words a refusal uses; default: the terminal's. */
  readonly surface?: Surface;
  resolve(worker: string): Promise<Outcome<ResolvedWorker>>;
}
export interface ResolvedWorker {
  readonly executable: string;
  readonly version: string | null;
  readonly extra_args: readonly string[];
  readonly env_names: readonly string[];
  readonly default_model: string | null;
}

/**
 * Evidence and mission files: everything below `docs/ops/executions/` and `.mission-control/missions/`. Every write is
 * atomic and answers with the digest of what is on disk; text is redacted on the way, bytes are written as they are
 * (the locked plan). A path that leaves those folders, or meets a symbolic link, is refused with EVIDENCE_FOREIGN.
 */
export interface EvidenceFiles {
  /** Facts about what an execution of this plan id left here earlier. */
  existing(planId: string): Promise<ExistingEvidence>;
  /** Names of the folders of all executions, as they are spelled. */
  executions(): Promise<Outcome<readonly string[]>>;
  /** Moves earlier evidence of the plan to `archive/<mission_id>/`, the header last; repeats what a crash left undone. */
  archive(planId: string, missionId: string): Promise<Outcome<null>>;
  /** Moves what stands in the way of a file into the folder of the mission, and says what; empty: nothing did. */
  clear(path: string, missionId: string): Promise<Outcome<readonly MovedObstacle[]>>;
  /** `path` is relative to the workspace root (POSIX). A header is sealed: its `header_sha256` is filled in. */
  write(path: string, content: string | Uint8Array): Promise<Outcome<WrittenFile>>;
  /** What people read: only text in which nothing of others is markup. */
  writeMarkdown(path: string, text: MarkdownText): Promise<Outcome<WrittenFile>>;
  /** Whether there is a regular file. */
  exists(path: string): Promise<boolean>;
  /** Null when there is no such file. */
  read(path: string): Promise<Outcome<ReadFile | null>>;
}
export interface ReadFile {
  readonly text: string;
  /** Upper-case hex, of the bytes on disk. */
  readonly sha256: string;
  /** Whether a header's seal holds; null where there is no seal. */
  readonly sealed: boolean | null;
  /** Whether the file has this digest (null: a header whose seal holds) with other line ends or byte-order mark. */
  readonly converted?: (digest: string | null) => boolean;
}
export type ExistingEvidence =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'present';
      readonly mission_id: string | null;
      readonly plan_sha256: string | null;
      readonly state: string | null;
      readonly readable: boolean;
    };
export interface WrittenFile {
  readonly path: string;
  readonly sha256: string;
  readonly redactions: number;
}
