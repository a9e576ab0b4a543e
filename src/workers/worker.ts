import type { AgentName, Confinement } from '../contracts/vocabulary/workers';

/**
 * What one agent CLI needs and says, as pure data and functions. One folder per CLI implements this
 * interface; the registry lists them. Nothing here touches a process, a file or a clock.
 */
export interface AgentWorker {
  readonly name: AgentName;
  /** What a person calls the CLI. */
  readonly title: string;
  /** What a person calls the tasks and models that belong to it. */
  readonly family: string;
  /** Executable looked up on PATH when no path is configured. */
  readonly executable: string;
  /** Closed range of versions this adapter was run against; outside it the product warns, it does not refuse. */
  readonly testedVersions: { readonly from: string; readonly to: string };
  /** Environment names the CLI may need (keys, base URLs, homes); passed through only when they are set. */
  readonly environmentNames: readonly string[];
  /**
   * What this CLI sets about its own session for its children; a name may end in `*`. No worker inherits it unless
   * its exact name is asked for.
   */
  readonly sessionVariables: readonly string[];
  readonly forbidden: ForbiddenArguments;
  launch(request: LaunchRequest): LaunchLine;
  createParser(options?: ParserOptions): StreamParser;
}

/** How arguments of this CLI switch its safety off. Every CLI is refused those of all (shared/forbidden.ts). */
export interface ForbiddenArguments {
  /** Refused wherever it stands in an argument; written in lower case, without dashes, underscores and spaces. */
  readonly words?: readonly string[];
  /** Names of options, with or without a value: `--yolo`. One letter is refused among other letters as well: `-dy`. */
  readonly options?: readonly string[];
  /** Modes: refused as an argument of their own and as a value. `option` is written like `words`. */
  readonly modes?: readonly { readonly option: string; readonly value: string }[];
  /** Keys refused in `-c key=value`, at any depth. */
  readonly configKeys?: readonly string[];
}

/** `resumed`: the launch continues an earlier session, so what the CLI totals per session is no longer of this launch. */
export interface ParserOptions {
  readonly resumed?: boolean;
}

/** Everything a launch line depends on. Paths are absolute, in the platform's own form. */
export interface LaunchRequest {
  readonly executable: string;
  /** `major.minor.patch` as detected, or null when the CLI did not say. */
  readonly version: string | null;
  readonly workspaceDir: string;
  readonly runDir: string;
  /** UUID the CLI is told to use as its session id, where it takes one. */
  readonly sessionId: string;
  /** The CLI's own session to continue, or null for a new one. Takes precedence over `sessionId`. */
  readonly resumeSessionId: string | null;
  readonly model: string | null;
  /** Constraint `file_level_only`: withhold shell and network tools where the CLI can. */
  readonly fileLevelOnly: boolean;
  /** False for intents that only read. */
  readonly writes: boolean;
  /** Approved further directories (permission recovery, later: grants). */
  readonly addDirectories: readonly string[];
  readonly skipGitRepoCheck: boolean;
  readonly trustWorkspace: boolean;
  /** JSON Schema of the result packet (draft-7). */
  readonly resultSchema: object;
  /** Machine-scoped extra arguments of the user, appended where the CLI allows them. */
  readonly extraArgs: readonly string[];
}

/** One process to start: the prompt always arrives on stdin from `prompt.txt`. */
export interface LaunchLine {
  readonly argv: readonly [string, ...string[]];
  /** Variables set for this launch. Never secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Files to write into the run directory before the launch; `path` is relative to it, POSIX form. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly confinement: Confinement;
  /** One sentence for the approval dialog and the evidence. */
  readonly confinementDetail: string;
  /** Files below the run directory (relative, POSIX) in which the CLI leaves its last message, if any. */
  readonly lastMessageFile: string | null;
}

/** Turns the CLI's output into signals. Feed it whole chunks in order; it buffers partial lines (lines up to 10 MB). */
export interface StreamParser {
  push(channel: 'stdout' | 'stderr', chunk: string): readonly WorkerSignal[];
  /** Flush the last unfinished line. */
  end(): readonly WorkerSignal[];
  summary(): StreamSummary;
}

/**
 * Tokens are counts; `inputTokens` includes what came from a cache, whichever way the CLI counts. Cost is US
 * dollars. `null` means the CLI did not say (Claude Code only totals its cost over a resumed session: null then).
 */
export interface Usage {
  readonly inputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export type WorkerSignal =
  | {
      readonly kind: 'session';
      readonly sessionId: string;
      readonly model: string | null;
      readonly cliVersion: string | null;
    }
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'tool_use'; readonly tool: string; readonly callId: string | null; readonly detail: string }
  | { readonly kind: 'file_change'; readonly path: string; readonly change: 'add' | 'update' | 'delete' | 'unknown' }
  | {
      readonly kind: 'denial';
      readonly tool: string | null;
      readonly path: string | null;
      readonly reason: string;
      readonly source: 'event' | 'stderr';
    }
  | { readonly kind: 'usage'; readonly usage: Usage; readonly span: 'launch' | 'session' }
  | { readonly kind: 'error'; readonly message: string; readonly fatal: boolean }
  /** The CLI's own final event. Without it an exit with code 0 counts as aborted. */
  | {
      readonly kind: 'final';
      readonly ok: boolean;
      readonly reason: string | null;
      readonly text: string | null;
      readonly structured: unknown;
    };

/** What is left of a stream when the process has ended; bounded, whatever the worker wrote. */
export interface StreamSummary {
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly cliVersion: string | null;
  /** Of this launch alone; a total over a resumed session is reported with span `session` and resolved by the caller. */
  readonly usage: Usage | null;
  readonly usageSpan: 'launch' | 'session' | null;
  readonly finalSeen: boolean;
  readonly finalOk: boolean;
  readonly finalReason: string | null;
  /** Last assistant text, at most 256 KiB, the tail kept. */
  readonly lastMessage: string | null;
  /** Structured output of the CLI; null when it gave none. */
  readonly structured: unknown;
  /** The first 100. */
  readonly denials: readonly Extract<WorkerSignal, { kind: 'denial' }>[];
  /** Paths as the CLI named them (absolute, or relative to the workspace), without repeats, the first 1000. */
  readonly fileChanges: readonly string[];
  readonly counts: {
    readonly events: number;
    readonly unknown: number;
    readonly malformed: number;
    readonly oversized: number;
    readonly toolUses: number;
  };
}
