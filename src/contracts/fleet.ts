import * as z from 'zod';
import { mostCharacters, pathId } from './fleetMirror';
import { actorSchema, upperDigestSchema } from './record/header';

/**
 * Where hosts fetch a commit: HTTPS, SSH or a folder of the machine. No user name with HTTPS, because a password could
 * follow it, and the database keeps none.
 */
const repository = z
  .string()
  .max(2000)
  .regex(
    /^(?:https:\/\/[\w.-]+(?::\d+)?\/[^\s@]+|ssh:\/\/(?:[\w.-]+@)?[\w.-]+(?::\d+)?\/[^\s@]+|[\w.-]+@[\w.-]+:[^\s@-][^\s@]*|file:\/\/\/[^\s]*)$/,
  );

/** What a host has and a mission may need, such as an agent or `gpu`. No blank, because a list of them is one name. */
export const fleetLabel = z.string().regex(/^[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?$/);
/**
 * What a host has by a look at its machine or by an option of its own. No `--labels` names it. `signed`: it takes what
 * other people signed, and confines it as its owner wants.
 */
export const factLabels = ['push', 'sandbox', 'signed'] as const;
export type FactLabel = (typeof factLabels)[number];
/** A mission needs no more of them. */
export const mostLabels = 20;

/** What a person hands to a fleet: the approved bytes of a plan, and the commit that they start from. */
export const fleetOrderSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  /** The id of its row. No two submissions have the same, so a copied row is known by it. */
  order_id: z.uuid(),
  plan_id: pathId,
  plan_sha256: upperDigestSchema,
  /** The bytes of the plan file. */
  plan: z.base64(),
  risk_level: z.int().min(0).max(3),
  repository,
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  /** Labels that its host has to have: the agents of the plan, and what the person asked for. Sorted, each once. */
  needs: z.array(fleetLabel).max(mostLabels),
  /** Whether the host pushes evidence and changes to a new branch of that repository. */
  push: z.boolean(),
  /** The approval that was recorded where the plan was submitted. */
  approved: z.strictObject({
    by: z.string().min(1).max(200),
    at: z.iso.datetime(),
    nonce: z.string().regex(/^[0-9a-f]{32}$/),
    speaks_to: z.array(z.string().max(1000)).max(1000).optional(),
    instructions: z.array(z.string().max(2000)).max(1000).optional(),
  }),
});
export type FleetOrder = z.infer<typeof fleetOrderSchema>;

/** What a host has, as it says each time that it looks. It tells people why a mission waits, and gives it no mission. */
export const fleetHostSchema = z.strictObject({
  host: z.string().max(300),
  labels: z.array(fleetLabel).max(100).readonly(),
});
export type FleetHost = z.infer<typeof fleetHostSchema>;

/** An export: the files of a handoff in Base64, by name. */
export const fleetExportSchema = z.strictObject({
  /** Rises with each export of an order. The highest is the newest, because a row can be removed and written again. */
  n: z.int().min(1),
  files: z.record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/), z.base64()),
});

export type PackedExport = z.infer<typeof fleetExportSchema>;

/** How a mission ended on its host. Other hosts and people read it, so it names no more than they need. */
export const fleetOutcomeSchema = z.strictObject({
  /** `refused`: nothing started. The others are states of a mission. */
  status: z.string().max(100),
  mission_id: z.string().max(300).nullable(),
  host: z.string().max(300),
  /** The folder on that host in which the mission ran, with its evidence; null: it has none. */
  folder: z.string().max(4096).nullable(),
  /** The branch of the repository that has evidence and changes; null: it was not asked for, or not pushed. */
  branch: z.string().max(300).nullable(),
  code: z.string().max(100).nullable(),
  reason: z.string().max(2000).nullable(),
});
export type FleetOutcome = z.infer<typeof fleetOutcomeSchema>;

const line = z.string().max(mostCharacters.export);

/** Events of a mission as its host journals them, for those who watch: lines of an export of the journal. */
const fleetEventsSchema = z.strictObject({
  kind: z.literal('events'),
  /** The claim that says it; the column of the row is not sealed. */
  run_id: z.string().max(100),
  host: z.string().max(300),
  mission_id: pathId,
  /** The folder on that host in which the mission runs. */
  folder: z.string().max(4096),
  lines: z.array(line).min(1),
});

/** What a host answers to a decision. */
const fleetAnswerSchema = z.strictObject({
  kind: z.literal('answer'),
  run_id: z.string().max(100),
  id: z.uuid(),
  accepted: z.boolean(),
  code: z.string().max(100),
  reason: z.string().max(20_000),
  next: z.array(z.string().max(20_000)).max(100),
});

/** What a host says to those who watch a mission. */
export const hostWordsSchema = z.discriminatedUnion('kind', [fleetEventsSchema, fleetAnswerSchema]);
export type HostWords = z.infer<typeof hostWordsSchema>;

/** A decision of a person about a mission that a host runs. It counts for a few minutes after `at`. */
export const fleetDecisionSchema = z.strictObject({
  id: z.uuid(),
  mission_id: pathId,
  /** The claim whose host decides; a later one has another state of the mission. */
  run_id: z.string().max(100),
  /** One of `contracts/commands/missionCommand`; the host validates it. */
  command: z.record(z.string(), z.unknown()),
  actor: actorSchema,
  reason: z.string(),
  at: z.iso.datetime(),
});
