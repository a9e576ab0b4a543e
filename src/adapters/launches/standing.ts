import {
  exitRecordSchema,
  launchTicketSchema,
  processRecordSchema,
  runFiles,
  type ExitRecord,
  type LaunchTicket,
  type ProcessRecord,
} from '../../contracts/launch';
import type { KnownLaunch } from '../../engine/ports/launches';
import { readRunFile, type RunFile, type Schema } from './files';
import { identityState } from '../processes/table';

/** How one run stands, read from its directory alone. */
export type LaunchStanding =
  /** Nobody claimed the ticket. */
  | { readonly kind: 'waiting'; readonly ticket: LaunchTicket }
  /** Claimed, and its supervisor is about to say who it is. */
  | { readonly kind: 'claimed'; readonly ticket: LaunchTicket }
  | { readonly kind: 'running'; readonly ticket: LaunchTicket | null; readonly process: ProcessRecord }
  | { readonly kind: 'ended'; readonly exit: ExitRecord; readonly process: ProcessRecord | null }
  /** The supervisor is dead (`unseen`: it lived in another container) and left no exit record. */
  | {
      readonly kind: 'lost';
      readonly ticket: LaunchTicket | null;
      readonly process: ProcessRecord | null;
      readonly unseen: boolean;
    }
  | { readonly kind: 'revoked'; readonly ticket: LaunchTicket | null }
  /** There is no launch here, or none that can be read. */
  | { readonly kind: 'void'; readonly reason: string };

/** Names of one launch; the nonce is known to nobody before its worker runs. */
type Names = Pick<KnownLaunch, 'launch_id' | 'nonce'>;

/** A claimed ticket without a process record for this long means that its supervisor died between the two. */
const claimLimitMs = 5000;

/**
 * A worker can write into run directories, its own and those of launches to come. With `known` (an owner) a file of
 * another launch counts for nothing, and the processes that the journal names are believed before those in the
 * directory. Without (a viewer) the directory speaks for itself.
 */
export async function launchStanding(runDir: string, known: KnownLaunch | null = null): Promise<LaunchStanding> {
  const ended = await readEnd(runDir, known);
  if (ended !== null) return ended;

  const claimed = await readOwn(runDir, runFiles.claimed, launchTicketSchema, known);
  const process = await processOf(runDir, known);
  const ticket = claimed.kind === 'ok' ? claimed.value : null;
  if (process !== null) {
    const state = await identityState(process.supervisor);
    if (state === 'alive') return { kind: 'running', ticket, process };
    // It may have written its last word between our two looks.
    return (await readEnd(runDir, known)) ?? { kind: 'lost', ticket, process, unseen: state === 'unknown' };
  }
  if (claimed.kind === 'ok') {
    if (Date.now() - claimed.changedAtMs < claimLimitMs) return { kind: 'claimed', ticket: claimed.value };
    return (await readEnd(runDir, known)) ?? { kind: 'lost', ticket, process: null, unseen: false };
  }
  if (claimed.kind === 'invalid') return { kind: 'void', reason: claimed.reason };

  const waiting = await readOwn(runDir, runFiles.ticket, launchTicketSchema, known);
  if (waiting.kind === 'ok') return { kind: 'waiting', ticket: waiting.value };
  if (waiting.kind === 'invalid') return { kind: 'void', reason: waiting.reason };
  const revoked = await readOwn(runDir, runFiles.revoked, launchTicketSchema, known);
  if (revoked.kind !== 'absent') return { kind: 'revoked', ticket: revoked.kind === 'ok' ? revoked.value : null };
  // Claimed between our looks at the two names?
  const again = await readOwn(runDir, runFiles.claimed, launchTicketSchema, known);
  return again.kind === 'ok'
    ? { kind: 'claimed', ticket: again.value }
    : { kind: 'void', reason: 'there is no launch ticket' };
}

/** Who supervises and who works: as journalled, otherwise as the supervisor has written. */
export async function processOf(runDir: string, known: KnownLaunch | null): Promise<ProcessRecord | null> {
  if (known?.process) return known.process;
  const file = await readOwn(runDir, runFiles.process, processRecordSchema, known);
  return file.kind === 'ok' ? file.value : null;
}

/** An exit record of another launch, copied here or put here before this one began, ends nothing. */
async function readEnd(
  runDir: string,
  known: KnownLaunch | null,
): Promise<Extract<LaunchStanding, { kind: 'ended' }> | null> {
  const exit = await readOwn(runDir, runFiles.exit, exitRecordSchema, known);
  if (exit.kind !== 'ok') return null;
  const process = await processOf(runDir, known);
  if (process !== null && !isOf(exit.value, process)) return null;
  return { kind: 'ended', exit: exit.value, process };
}

async function readOwn<T extends Names>(
  runDir: string,
  name: string,
  schema: Schema<T>,
  known: KnownLaunch | null,
): Promise<RunFile<T>> {
  const file = await readRunFile(runDir, name, schema);
  if (file.kind !== 'ok' || known === null || isOf(file.value, known)) return file;
  return { kind: 'invalid', reason: `${name} is of another launch` };
}

function isOf(file: Names, launch: Names): boolean {
  return file.launch_id === launch.launch_id && file.nonce === launch.nonce;
}
