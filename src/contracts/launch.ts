import * as z from 'zod';
import { sandboxMeans } from './vocabulary/confinement';
import { ledgerStatuses } from './vocabulary/execution';
import { workerNames } from './vocabulary/workers';
import { isoTimeSchema as isoTime } from './record/header';
import { launchChangeSchema } from './record/recoveryEvent';

/**
 * Files of one run directory `.mission-control/missions/<mission_id>/runs/<n>-<task_id>/`: the whole interface between
 * the engine and a supervisor. JSON files are written to a temporary name and renamed. `work/` is the only folder here
 * that the worker may write: `tmp` (TMPDIR of agents), worklog, last message.
 */
export const runFiles = {
  // Ticket of the engine. One rename of it wins: to claimed.json (supervisor) or revoked.json (engine).
  ticket: 'launch.json',
  claimed: 'claimed.json',
  revoked: 'revoked.json',
  prompt: 'prompt.txt', // the text of the worker's standard input, a pipe that ends after it (may be empty)
  process: 'process.json', // the supervisor's identity, written before the spawn, and the worker's, added after it
  signals: 'signals.jsonl', // the stream parser's WorkerSignals, one a line, bounded
  // Redacted output: the first 8 MB and the last 64 MB (`*.part-<n>` beside them while the worker runs).
  stdout: 'stdout.jsonl',
  stderr: 'stderr.log',
  // Rewritten every heartbeat interval with progress, at the first stream event, and after the machine slept.
  heartbeat: 'heartbeat.json',
  // Amount and time of the output and what the worker did last, for display: rewritten at most once a second.
  activity: 'activity.json',
  change: 'change.json', // how the launch line was changed, for display: written by the engine before the start
  stop: 'stop.json', // stop request of the engine
  // From the supervisor, or from an owner that found it dead; a supervisor that lives replaces the owner's.
  exit: 'exit.json',
  // What became of the task, for display: written by the engine after the journal, and again when it changes.
  outcome: 'outcome.json',
  supervisorLog: 'supervisor.log', // messages of the supervisor itself
  reserve: 'reserve.bin', // reserves space for exit.json on a full disk; removed at the end
  observed: 'observed.json', // the changes that the engine observed
  strays: 'strays.json', // the texts of what a layer took, for display: written by the supervisor before exit.json
  landing: 'landing', // while a layer is put into the workspace: copies, their list, and what they replace
  landed: 'landed', // all that waited in the layer is in the workspace
} as const;

/** A supervisor names itself in it before it takes the ticket. So a slow one is not taken for dead. */
export function claimantFile(pid: number): string {
  return `claimant-${pid}.json`;
}

export function isClaimantFile(name: string): boolean {
  return /^claimant-\d+\.json$/.test(name);
}

const limit = z.number().int().positive();

/** A pid alone is never an identity. `start_time` is the platform's own text (Linux: clock ticks since boot). */
export const processIdentitySchema = z.strictObject({
  pid: z.number().int().positive(),
  start_time: z.string(),
  boot_id: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** What a name holds. `other`: something else, or a file that cannot be read. `mode`: permission bits. */
const heldStateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['nothing', 'folder', 'other']) }),
  z.strictObject({ kind: z.literal('file'), sha256: z.string(), mode: z.number().int() }),
  z.strictObject({ kind: z.literal('link'), target: z.string() }),
]);
export type HeldState = z.infer<typeof heldStateSchema>;

/** One name of a folder. */
const entryName = z.string().regex(/^(?!\.{1,2}$)[^/]+$/);

/** The same, or a POSIX path below the folder. */
const pathBelow = z.string().refine((name) => name.split('/').every((part) => entryName.safeParse(part).success));

/** What a process that puts entries into a folder leaves to the next one if it is killed. */
export const replacementsSchema = z
  .array(z.strictObject({ name: pathBelow, was: heldStateSchema, will: heldStateSchema }))
  .readonly();
export type Replacement = z.infer<typeof replacementsSchema>[number];

/** A layer over the workspace, which takes what a launch writes outside its paths. */
const treeLayerSchema = z.strictObject({
  at: z.string(),
  up: z.string(),
  /** The command line up to that of a program. It sees, at `seen_at`, this layer over a tree beside it (`probe`). */
  seen_by: z.array(z.string()).readonly(),
  seen_at: z.string(),
  /** A further launch goes on in this layer, a verify command's only if it exits with 0. Absent: it goes with the launch. */
  goes_on: z.literal(true).optional(),
  /** What is put from the layer into the workspace, and what was there before. Absent: nothing. */
  lands: z
    .array(z.strictObject({ name: pathBelow, was: heldStateSchema }))
    .readonly()
    .optional(),
  /** Unix time in ms, by the clock of the workspace's files, before the launch looked at the folders in `lands`. */
  since: z.number().optional(),
  /** What lands waits in the layer until its task is verified. Absent: it lands when the launch has ended. */
  waits: z.literal(true).optional(),
  /** What other tasks put into the workspace meanwhile and the layer took in, the last one counts. Absent: nothing. */
  merged: z
    .array(z.strictObject({ name: pathBelow, was: heldStateSchema }))
    .readonly()
    .optional(),
});
export type TreeLayer = z.infer<typeof treeLayerSchema>;

/** The layers of a launch: what it writes there reaches nothing of the person's. */
const launchLayersSchema = z.strictObject({
  /** Holds them, until the launch has ended. */
  folder: z.string(),
  /** Where new files of caches are kept, for the launches that share them. */
  kept: z.string(),
  /** How long that lasts, for a check: until its attempt has no further one. Absent: for workers of the mission. */
  kept_if: z.enum(['passed', 'never']).optional(),
  /** The home that the launch sees through a read-only layer; null: it sees the home itself. */
  home: z.string().nullable(),
  caches: z.array(z.string()).readonly(),
  /** Absent: no layer lies over the workspace. `below`: the one of a worker whose work waits; nothing of both lands. */
  tree: treeLayerSchema.extend({ below: treeLayerSchema.optional() }).optional(),
  /** The command line in front of that of the sandbox, which mounts them; absent: the sandbox does it itself. */
  around: z.array(z.string()).readonly().optional(),
});
export type LaunchLayers = z.infer<typeof launchLayersSchema>;

export const launchTicketSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  mission_id: z.string(),
  run_id: z.string(),
  task_id: z.string(),
  /** A session of the runtime orchestrator about that task, or one that drafts a plan. Absent: it works on the task. */
  role: z.enum(['orchestrator', 'planner']).optional(),
  launch_id: z.string(),
  /** Fencing number of the owner that issued the ticket. */
  fence: z.number().int(),
  /** Exported to the whole process tree as MISSION_RUN_NONCE. */
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  issued_at: isoTime,
  /** After this time the ticket starts nothing. */
  expires_at: isoTime,
  worker: z.enum(workerNames),
  argv: z.array(z.string()).min(1),
  /** Holds the worker back: its own command line up to where that of the worker begins. Absent: nothing does. */
  sandbox: z
    .strictObject({
      means: z.enum(sandboxMeans),
      argv: z.array(z.string()).min(1),
      /** Relative to `cwd`: what its command line may not let it write, because its task only reads. */
      read_only: z.array(z.string()).optional(),
      /** Relative to `cwd`: the places that it may write although its task only reads. */
      scratch: z.array(z.string()).optional(),
      /** It has no network but this: `HOST:PORT` each, through the supervisor. Absent: as its command line says. */
      hosts: z.array(z.string()).optional(),
      /** The ports on loopback of the machine that it reaches as its own, through the supervisor. Absent: none. */
      ports: z.array(z.number().int().min(1).max(65_535)).optional(),
      /** Absent: it has none. */
      layers: launchLayersSchema.optional(),
    })
    .optional(),
  /** What all its processes may use together, and how long a file may become. Absent: as much as they want. */
  limits: z.strictObject({ processes: limit, memory_mb: limit, file_mb: limit }).optional(),
  cwd: z.string(),
  /** Values set for this launch; never secrets. */
  env: z.record(z.string(), z.string()),
  /** Further variables that the worker gets from the owner's environment; their values never reach the disk. */
  env_names: z.array(z.string()),
  /** Shown in the live view; the worker itself gets it through argv. */
  model: z.string().nullable().optional(),
  /** The launch ends with this process, because only that process takes its answer. Absent: it outlives its owner. */
  ends_with: processIdentitySchema.optional(),
  /** The launch continues an earlier session of the CLI, whose totals include the earlier launches. */
  resumed: z.boolean().optional(),
  heartbeat_interval_seconds: z.number().int().positive(),
  /** Hard deadline of the whole run. */
  max_runtime_seconds: z.number().int().positive(),
  /** From the stop request to the kill. */
  grace_seconds: z.number().positive(),
});
export type LaunchTicket = z.infer<typeof launchTicketSchema>;

export const claimantSchema = z.strictObject({
  launch_id: z.string(),
  nonce: z.string(),
  supervisor: processIdentitySchema,
});
export type Claimant = z.infer<typeof claimantSchema>;

export const processRecordSchema = z.strictObject({
  launch_id: z.string(),
  nonce: z.string(),
  supervisor: processIdentitySchema,
  /**
   * Null before the spawn. The worker leads its own process group and session: its pid is their number. Not in a
   * sandbox, where it is the first child of the namespace's first process, by its pid out here.
   */
  worker: processIdentitySchema.nullable(),
  /** First process of the sandbox's process namespace: the tree is gone when it is. Absent: there is no such namespace. */
  namespace: processIdentitySchema.optional(),
  /** Names of the variables the worker got, sorted. */
  env_names: z.array(z.string()),
  started_at: isoTime,
});
export type ProcessRecord = z.infer<typeof processRecordSchema>;

export const heartbeatSchema = z.strictObject({
  launch_id: z.string(),
  /** Time of this beat. */
  at: isoTime,
  /** Last time the worker made progress: a stream event, or its descendants used CPU. */
  last_progress_at: isoTime,
  events: z.number().int(),
  output_bytes: z.number().int(),
  /** When the machine slept since `last_progress_at`, which does not count as silence. Absent: never. */
  sleeps: z.array(z.strictObject({ from: isoTime, to: isoTime })).optional(),
});
export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** What a worker does, as its CLI reports it: redacted and bounded. */
const doingShape = {
  /** Its last signal was that it waits for its provider; absent: it was another one. */
  waiting: z.strictObject({ seconds: z.number().nullable(), reason: z.string() }).optional(),
  /** The tools that it used last, newest last, and on what; absent: it has reported no tool. */
  actions: z
    .array(z.strictObject({ tool: z.string().max(500), detail: z.string().max(500) }))
    .max(10)
    .readonly()
    .optional(),
};

/** For display, and for the grace of an agent that does not exit: silence is judged by the heartbeat. */
export const activitySchema = z.strictObject({
  launch_id: z.string(),
  last_output_at: isoTime,
  output_bytes: z.number().int(),
  output_lines: z.number().int(),
  ...doingShape,
});
export type Activity = z.infer<typeof activitySchema>;

export const shownChangeSchema = launchChangeSchema.extend({ launch_id: z.string() });
export type ShownChange = z.infer<typeof shownChangeSchema>;

/** The schema drops further fields, because they come from a newer version. */
export const taskOutcomeSchema = z.object({
  launch_id: z.string(),
  task_id: z.string(),
  status: z.enum(ledgerStatuses),
  /** Blocked because a person stopped it. */
  stopped: z.boolean(),
  /** Present when a person skipped it. */
  skipped: z.literal(true).optional(),
  /** Present while its attempt waits for a person. */
  awaited: z.literal(true).optional(),
  code: z.string().nullable(),
  reason: z.string(),
  /** What a person can do, as typed and as its palette command; absent: the task waits for no person. */
  next: z
    .array(z.strictObject({ line: z.string(), title: z.string().nullable() }))
    .readonly()
    .optional(),
});
export type TaskOutcome = z.infer<typeof taskOutcomeSchema>;

export const stopRequestSchema = z.strictObject({ launch_id: z.string(), reason: z.string(), at: isoTime });
export type StopRequest = z.infer<typeof stopRequestSchema>;

/** Tokens, with cached ones in `inputTokens`, and US dollars. Null: not reported, or only with earlier launches. */
const usageSchema = z.strictObject({
  inputTokens: z.number().nullable(),
  cachedInputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
});
export type Usage = z.infer<typeof usageSchema>;

const text = z.string();
const maybeText = z.string().nullable();

const denialSchema = z.strictObject({
  kind: z.literal('denial'),
  tool: maybeText,
  path: maybeText,
  reason: text,
  /** `network`: a host that the sandbox did not let it reach; the supervisor reports it. */
  source: z.enum(['event', 'stderr', 'network']),
});

/** What the structured fields of a CLI say of a failure. */
const limitSchema = z.strictObject({
  /** False: they name another cause, so no text makes a limit of it. */
  reached: z.boolean(),
  /** When it ends, from a timestamp of the CLI; null: it gave none. */
  resetsAt: isoTime.nullable(),
});
export type ProviderLimit = z.infer<typeof limitSchema>;

/** One line of signals.jsonl. `limit` absent: no structured field says anything, and the text decides. */
export const workerSignalSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('session'), sessionId: text, model: maybeText, cliVersion: maybeText }),
  z.strictObject({ kind: z.literal('progress'), text }),
  /** The CLI waits for its provider (rate limit, overload, no connection) and tries again by itself: no silence. */
  z.strictObject({ kind: z.literal('waiting'), seconds: z.number().nullable(), reason: text }),
  z.strictObject({ kind: z.literal('message'), text }),
  z.strictObject({ kind: z.literal('tool_use'), tool: text, callId: maybeText, detail: text }),
  z.strictObject({
    kind: z.literal('file_change'),
    path: text,
    change: z.enum(['add', 'update', 'delete', 'unknown']),
  }),
  denialSchema,
  z.strictObject({ kind: z.literal('usage'), usage: usageSchema, span: z.enum(['launch', 'session']) }),
  z.strictObject({ kind: z.literal('error'), message: text, fatal: z.boolean(), limit: limitSchema.optional() }),
  /** A hook of the person's own settings begins or ends; the CLI may wait for it. `id` names one run of a hook. */
  z.strictObject({ kind: z.literal('hook'), id: text, name: text, ended: z.boolean() }),
  /** The CLI's turn is over; unless it begins another, its final event comes when its stream ends. */
  z.strictObject({ kind: z.literal('turn_ended') }),
  /** The CLI's own final event. Without it an exit with code 0 counts as aborted. */
  z.strictObject({
    kind: z.literal('final'),
    ok: z.boolean(),
    reason: maybeText,
    text: maybeText,
    structured: z.unknown(),
    limit: limitSchema.optional(),
  }),
]);

export type WorkerSignal = z.infer<typeof workerSignalSchema>;

/**
 * What a stream amounts to when the process has ended, validated because a worker can write the file. The parsers bound
 * it, except `structured`, which the supervisor bounds.
 */
const streamSummarySchema = z.strictObject({
  sessionId: maybeText,
  model: maybeText,
  cliVersion: maybeText,
  /** The usage of this launch alone; with `usageSpan` `session` the total of a resumed session. */
  usage: usageSchema.nullable(),
  usageSpan: z.enum(['launch', 'session']).nullable(),
  finalSeen: z.boolean(),
  finalOk: z.boolean(),
  /** Why it failed: of the final event, or, without one, the first error that ends a run. */
  finalReason: maybeText,
  /** The limit of that failure. */
  limit: limitSchema.optional(),
  /** The end of the last assistant text, up to the final event; at most 256 Ki code units. */
  lastMessage: maybeText,
  /** Structured output of the CLI; null when it gave none. */
  structured: z.unknown(),
  /** The first 100. */
  denials: z.array(denialSchema).readonly(),
  /** Paths as the CLI named them (absolute, or relative to the workspace), without repeats, the first 1000. */
  fileChanges: z.array(text).readonly(),
  counts: z.strictObject({
    events: z.number().int(),
    unknown: z.number().int(),
    malformed: z.number().int(),
    oversized: z.number().int(),
    toolUses: z.number().int(),
  }),
});
export type StreamSummary = z.infer<typeof streamSummarySchema>;

/**
 * `cgroup` and `prlimit`: the kernel holds it. `sampled`: the supervisor looks about once a second, so that a launch can
 * be over its limit for that long. A control group counts threads, so of processes it holds 32 times their number; the
 * number itself is sampled there as well.
 */
const limitMeans = ['cgroup', 'prlimit', 'sampled'] as const;

/** How each limit was held; null: not at all, for want of the means. `exceeded`: which one ended the launch. */
export const heldLimitsSchema = z.strictObject({
  processes: z.enum(limitMeans).nullable(),
  memory_mb: z.enum(limitMeans).nullable(),
  file_mb: z.enum(limitMeans).nullable(),
  exceeded: z.enum(['processes', 'memory_mb', 'file_mb']).nullable(),
});

const outputFileSchema = z.strictObject({
  /** Bytes the worker wrote and their digest (upper-case hex); the kept file may be shorter. */
  bytes: z.number().int(),
  sha256: z.string(),
  kept_bytes: z.number().int(),
  redactions: z.number().int(),
});

export const exitReasons = [
  'exited', // the worker ended by itself, with any code
  'deadline', // `max_runtime_seconds` were over
  'stop_requested', // by stop.json or SIGTERM, or the process of `ends_with` has ended
  'resource_limit', // its processes took more than the ticket lets them; `limits` says which and how they were held
  'log_failed', // the output could not be recorded (full disk), so the worker was stopped
  'spawn_failed', // no worker was started: invalid ticket, executable or folder missing
  'expired', // nothing was started: the ticket was too old
  'revoked', // nothing was started: an owner had revoked the ticket
  'supervisor_lost', // the supervisor died; recorded by an owner that killed what was left
  'run_dir_gone', // the run directory was removed or moved away; recorded by an owner that ended the run
] as const;

const strayKinds = ['added', 'modified', 'deleted', 'type_changed', 'mode_changed'] as const;

/** A change of the workspace that a launch made in a layer: nothing of it reached the disk. */
const strayChangeSchema = z.strictObject({
  /** POSIX, relative to the workspace. A folder that is deleted stands for its content. */
  path: z.string(),
  kind: z.enum(strayKinds),
  /** What it is now; what it was, where it is deleted. */
  what: z.enum(['file', 'folder', 'link', 'socket', 'fifo', 'device']),
  /** Upper-case SHA-256 of what it wrote; null: no file, or it cannot be read. */
  sha256: z.string().nullable(),
  /** Lines of it that the file did not have before; null: it is no text, or a long one. */
  lines: z.number().int().nullable(),
  /** Something else touched that of the workspace since the layer was made. Absent: nothing did, as far as it is known. */
  touched_below: z.literal(true).optional(),
});
export type StrayChange = z.infer<typeof strayChangeSchema>;

/** What a launch changed outside its paths, in a layer that is gone. Lists name a part. */
export const straysSchema = z.strictObject({
  /** Those that count. */
  changes: z.array(strayChangeSchema).readonly(),
  /** Counts the changes that the list does not name. */
  more: z.number().int(),
  /** The same by kind, where there are some. Absent: an earlier version wrote it. */
  more_by: z.partialRecord(z.enum(strayKinds), z.number().int()).optional(),
  /** Changes that do not count: of what git ignores, of folders of tools, of empty folders. */
  ignored: z.array(z.string()).readonly(),
  /** Counts the ignored changes that the list does not name. */
  more_ignored: z.number().int(),
  /** Why this is not everything; null: it is. */
  trouble: z.string().nullable(),
});
export type Strays = z.infer<typeof straysSchema>;

/** The texts of files that a layer took, as a person reads them; null: there was no file. A part of them. */
export const strayTextsSchema = z
  .array(z.strictObject({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
  .readonly();
export type StrayTexts = z.infer<typeof strayTextsSchema>;

/** What a launch changed in the caches of tools, by content. Lists name a part; `kept` and `more` count all. */
export const cacheChangesSchema = z.strictObject({
  /** New files, for later launches that share its caches. */
  kept: z.number().int(),
  names: z.array(z.string()).readonly(),
  /** Files that were there before: what the person has stays, and what launches keep is replaced. */
  changed: z.array(z.string()).readonly(),
  /** Files with names of sign-ins, which are not kept. */
  left_out: z.array(z.string()).readonly(),
  /** Counts the changed and left out files that no list names. */
  more: z.number().int(),
  /** Why not everything was kept; null: it was. */
  trouble: z.string().nullable(),
});
export type CacheChanges = z.infer<typeof cacheChangesSchema>;

export const exitRecordSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  launch_id: z.string(),
  nonce: z.string(),
  reason: z.enum(exitReasons),
  exit_code: z.number().int().nullable(),
  signal: z.string().nullable(),
  started_at: isoTime,
  ended_at: isoTime,
  /** True when no descendant of the worker is alive; false keeps the lock and pauses the mission. */
  tree_gone: z.boolean(),
  survivors: z.array(z.number().int()),
  /** Descendants that outlived the worker's own end and were killed. */
  leftovers: z.array(z.number().int()),
  /** How each limit of the ticket was held; absent: it has none. */
  limits: heldLimitsSchema.optional(),
  /** What went wrong beyond the exit code, in words. */
  error: z.string().nullable(),
  /** Null when nothing was started or the supervisor died. */
  stdout: outputFileSchema.nullable(),
  stderr: outputFileSchema.nullable(),
  /** Last 20 lines, redacted, at most 8 KiB: what a person needs to see first. */
  stderr_tail: z.string(),
  summary: streamSummarySchema.nullable(),
  /** Absent: it changed nothing in caches, or had no layers of them. */
  caches: cacheChangesSchema.optional(),
  /** Absent: it changed nothing outside its paths, or no layer lies over its workspace. */
  strays: straysSchema.optional(),
  /** What it did last; absent: its CLI reported nothing. */
  last: z
    .strictObject({
      ...doingShape,
      /** Hooks of the person's own settings that began and did not end; absent: no hook holds it. */
      hooks: z.array(z.string().max(500)).max(10).readonly().optional(),
    })
    .optional(),
});
export type ExitRecord = z.infer<typeof exitRecordSchema>;
