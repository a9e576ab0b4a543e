import * as z from 'zod';
import { upperDigestSchema } from './record/header';

// Each program loads this part of a fleet, because a workspace may show missions of one.

/** Characters of what is sealed; none of it is written or read beyond them. */
export const mostCharacters = { order: 16 * 1024 * 1024, export: 64 * 1024 * 1024, decision: 100_000 } as const;

export const pathId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/);

/** A text in the database with the seal of who wrote it. A text without it counts for nothing. */
export const sealedTextSchema = z.strictObject({
  text: z.string().max(mostCharacters.export),
  /** By the key of one user, or a signature of OpenSSH (`ssh-keygen -Y sign`). */
  seal: z.union([upperDigestSchema, z.string().max(20_000).startsWith('-----BEGIN SSH SIGNATURE-----\n')]),
});
export type SealedText = z.infer<typeof sealedTextSchema>;

/** Where a mission of a fleet runs, as a workspace last heard. */
const fleetPlaceSchema = z.strictObject({
  mission_id: pathId,
  /** Its row in the queue, and the claim of the host that runs it. */
  job: z.uuid(),
  run_id: z.string().max(100),
  host: z.string().max(300),
  folder: z.string().max(4096),
  /** `waiting`: its host was lost or handed it back, and no other has it yet. */
  state: z.enum(['running', 'waiting', 'over']),
  /** ISO-8601. */
  heard_at: z.iso.datetime(),
  /** Bytes of the file with its events, and the hash of the last one: the chain proves those before. */
  bytes: z.int().min(0),
  end_hash: z.string().max(64),
});
export type FleetPlace = z.infer<typeof fleetPlaceSchema>;

/** `claim.json` in the state folder of a host's mission: the claim, and its row in the queue. */
export const folderClaimSchema = z.strictObject({
  schema_version: z.literal('1.0.0'),
  job: z.uuid(),
  run_id: z.string().regex(/^[0-9a-f-]{36}:\d{1,9}$/),
});

/** `fleet.json` in the state folder, sealed: what is mirrored of a fleet. Events: `fleet/<mission_id>.jsonl`. */
export const mirrorSchema = z.strictObject({ missions: z.array(fleetPlaceSchema).max(10_000) });
