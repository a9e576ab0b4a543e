import * as z from 'zod';
import { ledgerStatuses } from './vocabulary/execution';
import { workerNames } from './vocabulary/workers';

/**
 * Files of one run directory `.mission-control/missions/<mission_id>/runs/<n>-<task_id>/`: the whole
 * interface between the engine and a supervisor. Everything is written to a temporary name and renamed.
 *
 * launch.json    ticket written by the engine; whoever renames it decides (supervisor -> claimed.json, engine -> revoked.json)
 * prompt.txt     the worker's standard input (may be empty)
 * process.json   the supervisor's and the worker's identity, written right after the spawn
 * signals.jsonl  what the stream parser made of the output, one WorkerSignal a line, bounded
 * stdout.jsonl, stderr.log  redacted output: first 8 MB and last 64 MB (`*.part-<n>` beside them while the worker runs)
 * heartbeat.json liveness, rewritten every heartbeat interval in which there was progress, at the first stream event, and
 *                after the machine slept
 * activity.json  how much came out and when, for whoever looks: rewritten at most once a second, only when there is more
 * stop.json      stop request written by the engine
 * exit.json      how it ended; created once, never overwritten: its existence means the supervisor is done
 * outcome.json   what became of the task, written by the engine when that is in the journal, and anew when it changes: for
 *                whoever looks, read by no owner
 * supervisor.log what the supervisor itself had to say when it could not start
 * reserve.bin    space kept free so that exit.json fits on a full disk; gone at the end
 */
export const runFiles = {
  ticket: 'launch.json',
  claimed: 'claimed.json',
  revoked: 'revoked.json',
  prompt: 'prompt.txt',
  process: 'process.json',
  signals: 'signals.jsonl',
  stdout: 'stdout.jsonl',
  stderr: 'stderr.log',
  heartbeat: 'heartbeat.json',
  activity: 'activity.json',
  stop: 'stop.json',
  exit: 'exit.json',
  outcome: 'outcome.json',
  supervisorLog: 'supervisor.log',
  reserve: 'reserve.bin',
  observed: 'observed.json',
} as const;

const isoTime = z.iso.datetime({ offset: true });

export const launchTicketSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  mission_id: z.string(),
  run_id: z.string(),
  task_id: z.string(),
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
  cwd: z.string(),
  /** Values set for this launch; never secrets. */
  env: z.record(z.string(), z.string()),
  /** Names that the owner adds to the base list and takes from its own environment when they are set; values never reach the disk. */
  env_names: z.array(z.string()),
  /** Shown in the live view; the worker itself gets it through argv. */
  model: z.string().nullable().optional(),
  /** The launch continues an earlier session of the CLI: its totals are then not of this launch alone. */
  resumed: z.boolean().optional(),
  heartbeat_interval_seconds: z.number().int().positive(),
  /** Hard deadline of the whole run. */
  max_runtime_seconds: z.number().int().positive(),
  /** From the stop request to the kill. */
  grace_seconds: z.number().positive(),
});
export type LaunchTicket = z.infer<typeof launchTicketSchema>;

/** A pid alone is never an identity. `start_time` is the platform's own text (Linux: clock ticks since boot). */
export const processIdentitySchema = z.strictObject({
  pid: z.number().int().positive(),
  start_time: z.string(),
  boot_id: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

export const processRecordSchema = z.strictObject({
  launch_id: z.string(),
  nonce: z.string(),
  supervisor: processIdentitySchema,
  /** Null between claim and spawn. The worker leads its own process group and session: its pid is their number. */
  worker: processIdentitySchema.nullable(),
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
  /** Times in which the machine slept since `last_progress_at`: they are nobody's silence. Absent: none. */
  sleeps: z.array(z.strictObject({ from: isoTime, to: isoTime })).optional(),
});
export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** Shown to people and judged by nobody: silence is the heartbeat's. */
export const activitySchema = z.strictObject({
  launch_id: z.string(),
  last_output_at: isoTime,
  output_bytes: z.number().int(),
  output_lines: z.number().int(),
});
export type Activity = z.infer<typeof activitySchema>;

export const taskOutcomeSchema = z.strictObject({
  launch_id: z.string(),
  task_id: z.string(),
  status: z.enum(ledgerStatuses),
  /** Blocked because a person stopped it. */
  stopped: z.boolean(),
  code: z.string().nullable(),
  reason: z.string(),
});
export type TaskOutcome = z.infer<typeof taskOutcomeSchema>;

export const stopRequestSchema = z.strictObject({ launch_id: z.string(), reason: z.string(), at: isoTime });
export type StopRequest = z.infer<typeof stopRequestSchema>;

const usageSchema = z.strictObject({
  inputTokens: z.number().nullable(),
  cachedInputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
});
const text = z.string();
const maybeText = z.string().nullable();

const denialSchema = z.strictObject({
  kind: z.literal('denial'),
  tool: maybeText,
  path: maybeText,
  reason: text,
  source: z.enum(['event', 'stderr']),
});

/** Same shape as `WorkerSignal` in workers/worker.ts: one line of signals.jsonl. */
export const workerSignalSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('session'), sessionId: text, model: maybeText, cliVersion: maybeText }),
  z.strictObject({ kind: z.literal('progress'), text }),
  z.strictObject({ kind: z.literal('message'), text }),
  z.strictObject({ kind: z.literal('tool_use'), tool: text, callId: maybeText, detail: text }),
  z.strictObject({
    kind: z.literal('file_change'),
    path: text,
    change: z.enum(['add', 'update', 'delete', 'unknown']),
  }),
  denialSchema,
  z.strictObject({ kind: z.literal('usage'), usage: usageSchema, span: z.enum(['launch', 'session']) }),
  z.strictObject({ kind: z.literal('error'), message: text, fatal: z.boolean() }),
  z.strictObject({
    kind: z.literal('final'),
    ok: z.boolean(),
    reason: maybeText,
    text: maybeText,
    structured: z.unknown(),
  }),
]);

export type RecordedSignal = z.infer<typeof workerSignalSchema>;

/** Same shape as `StreamSummary` in workers/worker.ts, validated because a worker's words are in it. */
const streamSummarySchema = z.strictObject({
  sessionId: maybeText,
  model: maybeText,
  cliVersion: maybeText,
  usage: usageSchema.nullable(),
  usageSpan: z.enum(['launch', 'session']).nullable(),
  finalSeen: z.boolean(),
  finalOk: z.boolean(),
  finalReason: maybeText,
  lastMessage: maybeText,
  structured: z.unknown(),
  denials: z.array(denialSchema).readonly(),
  fileChanges: z.array(text).readonly(),
  counts: z.strictObject({
    events: z.number().int(),
    unknown: z.number().int(),
    malformed: z.number().int(),
    oversized: z.number().int(),
    toolUses: z.number().int(),
  }),
});

const outputFileSchema = z.strictObject({
  /** Bytes the worker wrote and their digest (upper-case hex); the kept file may be shorter. */
  bytes: z.number().int(),
  sha256: z.string(),
  kept_bytes: z.number().int(),
  redactions: z.number().int(),
});

/**
 * exited           by itself, whatever the code
 * deadline         `max_runtime_seconds` were over
 * stop_requested   stop.json, or SIGTERM to the supervisor
 * log_failed       its output could not be recorded (full disk), so it was stopped
 * spawn_failed     no worker was started: invalid ticket, executable or folder missing
 * expired, revoked the ticket was void before anybody claimed it; nothing was started
 * supervisor_lost  the supervisor died; written by whoever noticed, after killing what was left
 * run_dir_gone     the run directory was removed or moved away, so nothing can be recorded; whoever noticed ended the run
 */
export const exitReasons = [
  'exited',
  'deadline',
  'stop_requested',
  'log_failed',
  'spawn_failed',
  'expired',
  'revoked',
  'supervisor_lost',
  'run_dir_gone',
] as const;

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
  /** Descendants that were still alive when the worker had ended by itself; killed. */
  leftovers: z.array(z.number().int()),
  /** In words, when something went wrong that the exit code does not tell. */
  error: z.string().nullable(),
  /** Null when nobody counted: nothing was started, or the supervisor died. */
  stdout: outputFileSchema.nullable(),
  stderr: outputFileSchema.nullable(),
  /** Last 20 lines, redacted, at most 8 KiB: what a person needs to see first. */
  stderr_tail: z.string(),
  summary: streamSummarySchema.nullable(),
});
export type ExitRecord = z.infer<typeof exitRecordSchema>;
