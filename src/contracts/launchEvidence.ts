import * as z from 'zod';
import { cacheChangesSchema, exitReasons, heldLimitsSchema, straysSchema } from './launch';
import { sandboxMeans, sandboxStates } from './vocabulary/confinement';
import { recoveryPermissions } from './vocabulary/intents';
import { confinements, workerNames } from './vocabulary/workers';
import { type ReadDocument, decisionSchema, digestSchema, isoTimeSchema } from './record/header';
import { launchChangeSchema } from './record/recoveryEvent';

const text = z.string();
const texts = z.array(text);

const outputSchema = z.looseObject({ bytes: z.number().int().nonnegative(), sha256: digestSchema });

/** What held a process back: the command line in front of its own, and what observation judges instead. */
const sandboxEvidenceSchema = z.looseObject({
  means: z.enum(sandboxMeans),
  argv: texts,
  coarser: texts,
  /** What was read-only, because it is a hard link to a file that the launch may not write; absent: nothing. */
  held: texts.optional(),
  /** HOME (null: it was none), and caches of tools, that it saw as layers; `kept` holds what its mission's workers with the same rights, or the checks of its attempt, have kept. */
  layers: z
    .looseObject({
      ...{ folder: text, kept: text, home: text.nullable(), caches: texts, around: texts.optional() },
      /** A layer over the workspace took what the launch wrote outside its paths; absent: such writes were refused. */
      workspace: z.literal(true).optional(),
    })
    .optional(),
  /**
   * Where it could write, and the read-only places in that; of two places around a path the deeper one counts. POSIX,
   * relative to the workspace, absolute outside it. Absent: not known for sure.
   */
  reach: z.looseObject({ writable: texts, read_only: texts }).optional(),
  network: z.boolean(),
  /** The only hosts that it reached, `HOST:PORT` each; absent: as `network` says. */
  hosts: texts.optional(),
});

/** One process: what was started, under which confinement, and how it ended. */
export const launchEvidenceSchema = z.looseObject({
  launch_id: text,
  worker: z.enum(workerNames),
  cli_version: text.nullable(),
  /** Whether the version is in the range that Mission Control was tested with; null without a range or a version. */
  tested_range_ok: z.boolean().nullable(),
  /** Program and arguments, redacted; names such as `<workspace>` replace absolute paths of the machine. */
  argv: texts,
  confinement: z.enum(confinements),
  confinement_detail: text,
  /** The sandbox of ours that held it back; absent: no sandbox of ours did. */
  sandbox: sandboxEvidenceSchema.optional(),
  /** What it might write of the workspace, by a sandbox or as observed. */
  sandbox_state: z.enum(sandboxStates).optional(),
  /** How each limit of `execution.limits` was held; absent: none was, or it did not run. */
  limits: heldLimitsSchema.optional(),
  /** Corrections of the launch line that worked in an earlier task; absent: none. */
  carried_over: z
    .array(z.looseObject({ permission: z.enum(recoveryPermissions), task_id: text, recovery_id: text }))
    .optional(),
  /** What a person granted this attempt; absent: nothing. */
  granted: z
    .array(
      z.looseObject({
        ...{ permission: z.enum(recoveryPermissions), directory: text },
        /** Reading alone; absent: writing too. */
        reads: z.literal(true).optional(),
        /** This file of the directory alone; absent: all of it. */
        file: text.optional(),
        /** Who granted it, why and when. */
        decision: decisionSchema,
      }),
    )
    .optional(),
  /** Why its line is not the least-privileged one, and the difference; absent: it is. */
  change: launchChangeSchema.optional(),
  /** Modes of directories that were changed before it, as octal digits; absent: none. */
  modes: z.array(z.looseObject({ path: text, before: text, after: text })).optional(),
  /** The hosts that an agent talks to, `HOST:PORT` each, and what says so; absent: no agent. */
  speaks_to: z.looseObject({ hosts: texts, from: text }).optional(),
  /** Further variables of the owner's environment that it may see: names only, never values. */
  env_names: texts,
  session_id: text.nullable(),
  model: text.nullable(),
  usage: z
    .looseObject({
      input_tokens: z.number().nullable(),
      cached_input_tokens: z.number().nullable(),
      output_tokens: z.number().nullable(),
      cost_usd: z.number().nullable(),
    })
    .nullable(),
  /** What it changed in caches of tools, by content; absent: nothing. */
  caches: cacheChangesSchema.optional(),
  /** What it changed outside its paths, in a layer that is gone; absent: nothing, or no layer. */
  strays: straysSchema.optional(),
  exit_code: z.number().int().nullable(),
  signal: text.nullable(),
  /** How it ended, such as `exited` by itself, or at the `deadline` of `max_runtime_seconds`; null while it runs. */
  reason: z.enum(exitReasons).nullable(),
  /** The supervisor ended the agent, because it had finished and did not exit by itself; absent: it exited. */
  did_not_exit: z.literal(true).optional(),
  run_dir: text,
  started_at: isoTimeSchema.nullable(),
  ended_at: isoTimeSchema.nullable(),
  stdout: outputSchema.nullable(),
  stderr: outputSchema.nullable(),
  /** What went wrong beyond the exit code, in words; null when nothing did, or while it runs. */
  error: text.nullable(),
  /** Whether no process was alive at the launch's end; null while it runs. When false, the journal has later checks. */
  tree_gone: z.boolean().nullable(),
});

/** One run of a verify command. */
export const verifyEvidenceSchema = z.looseObject({
  argv: texts,
  exit_code: z.number().int().nullable(),
  signal: text.nullable(),
  passed: z.boolean(),
  output_sha256: digestSchema.nullable(),
  tail: text,
  /** What kept the command inside its scope, as of a launch. */
  confinement: z.enum(confinements).optional(),
  confinement_detail: text.optional(),
  sandbox: sandboxEvidenceSchema.optional(),
  limits: heldLimitsSchema.optional(),
  caches: cacheChangesSchema.optional(),
  /** What it changed outside the paths, in a layer that is gone; absent: nothing, or no layer. */
  strays: straysSchema.optional(),
});

export type LaunchEvidence = ReadDocument<z.infer<typeof launchEvidenceSchema>>;
export type SandboxEvidence = NonNullable<LaunchEvidence['sandbox']>;
/** Where one launch could write, as its sandbox was built. What no place holds could not be written. */
export type SandboxReach = NonNullable<SandboxEvidence['reach']>;
/** A fix that worked in an earlier task of the mission. */
export type CarriedOver = NonNullable<LaunchEvidence['carried_over']>[number];
/** A permission that a person gave for one attempt. */
export type Grant = NonNullable<LaunchEvidence['granted']>[number];
/** The mode of a file or folder before and after the owner's bits were added, as octal digits. */
export type ModeChange = NonNullable<LaunchEvidence['modes']>[number];
/** Counts of tokens, US dollars; null where the CLI did not say. */
export type UsageFacts = NonNullable<LaunchEvidence['usage']>;
