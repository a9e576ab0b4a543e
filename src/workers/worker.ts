import type { StreamSummary, WorkerSignal } from '../contracts/launch';
import type { Tier } from '../contracts/vocabulary/intents';
import type { PermissionFix, PermissionIssue } from '../contracts/vocabulary/permission';
import type { AgentName, Confinement } from '../contracts/vocabulary/workers';

/**
 * One agent CLI as pure data and functions. Each CLI's folder implements this, and the registry lists them. Every other
 * place derives from it what it says or does about an agent.
 */
export interface AgentWorker {
  readonly name: AgentName;
  /** Name for people. */
  readonly title: string;
  /** Name of its program for people. */
  readonly program: string;
  /** Name that the contract writes in its events. */
  readonly contractName: string;
  /** The lines that install it and sign in to it, from its maker's page. */
  readonly terminal: { readonly install: string; readonly signIn: string };
  /** The plan must delegate to it by name, and it works on files only. Source: seed 001 section 4. */
  readonly isDelegated: boolean;
  /** A later launch can continue its session. */
  readonly resumes: boolean;
  /** It reports what it costs, so a budget in dollars bounds it; otherwise it reports tokens alone. */
  readonly reportsCost: boolean;
  /** The file of a repository by which people instruct it, and whether it reads that file whatever the plan says. */
  readonly instructions: { readonly file: string; readonly always: boolean };
  /** What else of a repository it loads or runs, as patterns in lower case. */
  readonly repositoryFiles: readonly string[];
  /** Its words for a model of its own choice. */
  readonly ownChoice: readonly string[];
  /** The first whose name fits counts. */
  readonly models: readonly AgentModel[];
  readonly words: AgentWords;
  /** Executable looked up on PATH when no path is configured. */
  readonly executable: string;
  /** Closed range of the tested versions; outside it a person is warned, nothing is refused. */
  readonly testedVersions: { readonly from: string; readonly to: string };
  /** Environment names the CLI may need (keys, base URLs, homes); passed through only when they are set. */
  readonly environmentNames: readonly string[];
  /**
   * Variables in which this CLI describes its own session to its children; a name may end in `*`. A worker inherits one
   * only if its exact name is requested.
   */
  readonly sessionVariables: readonly string[];
  /** Variables of every start, a question for its version included. Never secrets. */
  readonly startVariables?: Readonly<Record<string, string>>;
  readonly forbidden: ForbiddenArguments;
  /** What it writes in the person's home. */
  readonly home: readonly HomePlace[];
  /** It makes namespaces for a sandbox of its own. */
  readonly namespaces: boolean;
  readonly provider: Provider;
  launch(request: LaunchRequest): LaunchLine;
  /** @param resumed the launch continues an earlier session, whose totals include the earlier launches */
  createParser(resumed?: boolean): StreamParser;
}

/** A family of models that the shipped policy knows. */
export interface AgentModel {
  readonly id: string;
  readonly tier: Tier;
  /** `high` and `mid` are the agent's own profiles; others have a name for all agents. */
  readonly profile: string;
  /** The names that the CLI takes or reports, as `PolicyModel`. */
  readonly names: readonly string[];
}

/** How a CLI says that something was denied to it, or what else ended its run. */
export interface AgentWords {
  /** The flag that brings a directory into its scope. */
  readonly widening: PermissionFix;
  /** Its last words where its provider could not be reached, did not answer in time, or failed by itself. */
  readonly noAnswer: RegExp;
  /** The first that fits decides. */
  readonly denials: readonly Denial[];
}

/**
 * Where a CLI says it. `event`: a structured denial; `stderr`: a line of its own there; `error`: the error that ended
 * its run. What the model says, what files hold and what commands print is no channel: the parsers make no such
 * signal of it.
 */
export type DenialChannel = 'event' | 'stderr' | 'error';

export interface Denial {
  /** Versions of the CLI that say it: from this one on, and before that one. Absent: no bound is known. */
  readonly from?: string;
  readonly before?: string;
  readonly channels: readonly DenialChannel[];
  /** A group `path` is the offending path, where the signal does not name it. */
  readonly pattern: RegExp;
  readonly issue: PermissionIssue;
  /** A row of the contract (seed 002); no CLI of today says the last two. */
  readonly seed?: true;
}

/** Where this CLI reaches its provider, for launches whose network has nothing else. */
export interface Provider {
  /** `HOST:PORT`, and why the CLI needs it, one sentence. */
  readonly hosts: readonly { readonly host: string; readonly reason: string }[];
  /** Variables that name another place for its model; the host in their value belongs to these. */
  readonly baseUrls: readonly string[];
  /** Variables that other providers of this CLI need; a launch gets one only if a person names it. */
  readonly mayNeed: readonly string[];
  /** The files of the person and the machine that can lead this CLI to another host, the strongest last. */
  configs(places: ConfigPlaces): readonly ConfigFile[];
  /** Decides from those files and the variables where a launch leads. */
  leads(question: ProviderQuestion): ProviderDecision;
}

export interface ConfigPlaces {
  readonly home: string;
  /** All variables set here, passed to the CLI or not. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ConfigFile {
  readonly path: string;
  /** `env`: lines of `NAME=value`. */
  readonly format: 'toml' | 'json' | 'env';
}

export interface ReadConfig extends ConfigFile {
  /** What the file holds; null: it is not there. */
  readonly value: Readonly<Record<string, unknown>> | null;
}

export interface ProviderQuestion {
  readonly configs: readonly ReadConfig[];
  readonly passedVariables: Readonly<Record<string, string>>;
  /** All variables set here. */
  readonly here: Readonly<Record<string, string | undefined>>;
  readonly extraArgs: readonly string[];
}

/** Where the launches of a CLI lead, and what carries that over. */
export interface ConfiguredProvider {
  /** `HOST:PORT` each, or a base URL that is read by the adapter. */
  readonly hosts: readonly string[];
  /** The source of the hosts: `default`, a file and its key, or a variable. */
  readonly from: string;
  /** Arguments that carry the configuration over; empty: the CLI reads it itself. */
  readonly args: readonly string[];
  /** Names of variables that the CLI needs for it. */
  readonly variables: readonly string[];
  /** These hosts stand in the place of the CLI's own ones: the launches may reach no other. */
  readonly alone: boolean;
}

/**
 * Where a launch leads. `hosts` are `HOST:PORT`, or a base URL that is read by the adapter. `from` names the file and
 * key, or the variable, that says so.
 */
export type ProviderDecision =
  /** The CLI's own hosts. `note`: a setting of this machine that the CLI does not read, one sentence. */
  | { readonly kind: 'default'; readonly hosts: readonly string[]; readonly note?: string }
  | ({ readonly kind: 'configured' } & ConfiguredProvider)
  /** `key` is set in `file` and cannot be carried over. `next`: the way out. */
  | {
      readonly kind: 'refused';
      readonly file: string;
      readonly key: string;
      readonly reason: string;
      readonly next: string;
    };

/** Arguments that switch this CLI's safety off; they are refused for every CLI (registry.ts). */
export interface ForbiddenArguments {
  /** Refused anywhere in an argument; in lower case, without dashes, underscores and spaces. */
  readonly fragments?: readonly string[];
  /** Names of options, with or without a value: `--yolo`. A single letter is also refused among others: `-dy`. */
  readonly options?: readonly string[];
  /** The same, refused for this CLI alone: others use them for something harmless. */
  readonly ownOptions?: readonly string[];
  /** Refused as an argument by itself and as a value of `option`, which is spelled like `fragments`. */
  readonly modes?: readonly { readonly option: string; readonly value: string }[];
  /** Keys refused in `-c key=value`, at any depth. */
  readonly configKeys?: readonly string[];
}

/** Everything a launch line depends on. Paths are absolute, in the platform's own form. */
export interface LaunchRequest {
  readonly executable: string;
  /** `major.minor.patch` as detected, or null when unknown. */
  readonly version: string | null;
  readonly workspaceDir: string;
  readonly runDir: string;
  /** UUID for the session, for CLIs that accept one. */
  readonly sessionId: string;
  /** The CLI's own session to continue, or null for a new one; over `sessionId`. OpenCode always begins a new one. */
  readonly resumeSessionId: string | null;
  readonly model: string | null;
  /** Constraint `file_level_only`, and always for Claude Code: withhold shell and network tools where the CLI can. */
  readonly fileLevelOnly: boolean;
  /** False for intents that only read. */
  readonly writes: boolean;
  /** Further directories that the approved plan or a grant of a person opens. */
  readonly addDirectories: readonly string[];
  readonly skipGitRepoCheck: boolean;
  readonly trustWorkspace: boolean;
  /** Arguments that carry the person's provider over (`ProviderDecision`); absent: none. */
  readonly providerArgs?: readonly string[];
  /** JSON Schema of the result packet (draft-7); null: it ends with a text alone. */
  readonly resultSchema: object | null;
  /** Machine-scoped extra arguments of the user, appended where the CLI allows them. */
  readonly extraArgs: readonly string[];
  /** Absent: nothing but the CLI itself. */
  readonly heldBy?: HeldBy;
  /** The tools of a runtime orchestrator's session, which only reads. Absent: the launch gets no such tools. */
  readonly mission?: McpProgram;
}

/** The server of the mission tools. Its token it gets from the CLI's environment, by the name of the variable alone. */
export interface McpProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Further variables with their values: never secrets. Electron needs one to run as Node. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * What lets the worker write only the approved folders. `sandbox`: ours, around the whole CLI; `own`: the CLI's alone,
 * because ours cannot be had here (a CLI that has none is held by nothing). Places are absolute.
 */
export type HeldBy =
  | { readonly by: 'sandbox'; readonly writable: readonly string[] }
  /** `sealed`: folders that are never writable, also inside `writable`. */
  | { readonly by: 'own'; readonly writable: readonly string[]; readonly sealed: readonly string[] };

/**
 * A folder of the CLI in the person's home. In the sandbox a launch has a private one. There it reads everything of the
 * real folder and changes none of it, except `entries`; what is new there goes with the launch.
 */
export interface HomePlace {
  /** Environment variable that names the folder; null: none does. */
  readonly variable: string | null;
  /** Below the folder of that variable, or, where it is not set, `otherwise` below the home; POSIX. */
  readonly below: string;
  readonly otherwise: string;
  readonly entries: readonly HomeEntry[];
}

/**
 * `write`: the real one; a folder that is missing is created. `copy`: a copy, thrown away with the launch. `absent`: the
 * real one is not there; if the CLI makes one of its own, that is thrown away.
 */
export interface HomeEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly access: 'write' | 'copy' | 'absent';
  /** Why the CLI needs it, one sentence. */
  readonly reason: string;
}

/** One process to start: the prompt of `prompt.txt` always arrives on stdin, a pipe that ends. */
export interface LaunchLine {
  readonly argv: readonly [string, ...string[]];
  /** Variables set for this launch. Never secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** Files to write into the run directory before the launch; `path` is relative to it, POSIX form. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly confinement: Confinement;
  /** One sentence for the approval dialog and the evidence. */
  readonly confinementDetail: string;
  /** File in which the CLI leaves its last message, relative to the run directory, POSIX; null: none. */
  readonly lastMessageFile: string | null;
}

/** Turns the CLI's output, given in chunks of any size, into signals. Lines may have up to 10 Mi code units. */
export interface StreamParser {
  push(channel: 'stdout' | 'stderr', chunk: string): readonly WorkerSignal[];
  /** The stream has ended: parses the last unfinished line. */
  end(): readonly WorkerSignal[];
  summary(): StreamSummary;
}
