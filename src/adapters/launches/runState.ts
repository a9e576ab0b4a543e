import { readdir } from 'node:fs/promises';
import {
  claimantSchema,
  exitRecordSchema,
  isClaimantFile,
  launchTicketSchema,
  processRecordSchema,
  runFiles,
  type ExitRecord,
  type LaunchTicket,
  type ProcessIdentity,
  type ProcessRecord,
} from '../../contracts/launch';
import type { JournalledLaunch } from '../../engine/ports/launches';
import { readRunFile, valueIn, type RunFile, type Schema } from './files';
import { identityState } from '../processes/table';

/** The state of one run, read from its directory alone. */
export type LaunchStanding =
  /** The ticket is there for a supervisor to take. */
  | { readonly kind: 'waiting'; readonly ticket: LaunchTicket }
  /** A supervisor took the ticket and has not written its process record yet. Null: it left no identity. */
  | { readonly kind: 'taken'; readonly ticket: LaunchTicket; readonly claimant: ProcessIdentity | null }
  | { readonly kind: 'running'; readonly ticket: LaunchTicket | null; readonly process: ProcessRecord }
  | { readonly kind: 'ended'; readonly exit: ExitRecord; readonly process: ProcessRecord | null }
  /** The supervisor is dead (`unseen`: or runs in another container) and left no exit record. */
  | {
      readonly kind: 'lost';
      readonly ticket: LaunchTicket | null;
      readonly process: ProcessRecord | null;
      readonly unseen: boolean;
    }
  | { readonly kind: 'revoked'; readonly ticket: LaunchTicket | null }
  /** The directory holds no launch, or an unreadable one. */
  | { readonly kind: 'void'; readonly reason: string; /** A supervisor took it. */ readonly taken?: true };

/** The identifiers of a launch; the nonce stays secret until its worker runs. */
type Names = Pick<JournalledLaunch, 'launch_id' | 'nonce'>;

export type KnownLaunch = Names & Pick<JournalledLaunch, 'process'>;

type StateOf = (identity: ProcessIdentity) => ReturnType<typeof identityState>;

interface Look {
  readonly runDir: string;
  readonly known: KnownLaunch | null;
  readonly stateOf: StateOf;
}

/** Milliseconds after the ticket was taken. A supervisor that cannot be looked for counts as dead then. */
const takeLimitMs = 5000;
/** At most two owners start a launch, each a few times. */
const mostClaimants = 100;

/**
 * A worker can write into its own run directory and those of later launches. With `known` (an owner), files of another
 * launch are ignored and the journal's process identities take precedence. Without it (a viewer), the files are
 * trusted.
 */
export async function launchStanding(
  runDir: string,
  known: KnownLaunch | null = null,
  stateOf: StateOf = identityState,
): Promise<LaunchStanding> {
  const exit = await readEnd(runDir, known);
  if (exit !== null) return exit;

  const claimed = await readOwn(runDir, runFiles.claimed, launchTicketSchema, known);
  const process = await processOf(runDir, known);
  const ticket = claimed.kind === 'ok' ? claimed.value : null;
  if (process !== null) {
    const state = await stateOf(process.supervisor);
    if (state === 'alive') return { kind: 'running', ticket, process };
    // Reads again, because the supervisor may have written its exit record since the first read.
    return (await readEnd(runDir, known)) ?? { kind: 'lost', ticket, process, unseen: state === 'unknown' };
  }
  if (claimed.kind === 'ok') return takenOrLost({ runDir, known, stateOf }, claimed.value, claimed.changedAtMs);
  if (claimed.kind === 'invalid') return { kind: 'void', reason: claimed.reason, taken: true };

  const waiting = await readOwn(runDir, runFiles.ticket, launchTicketSchema, known);
  if (waiting.kind === 'ok') return { kind: 'waiting', ticket: waiting.value };
  if (waiting.kind === 'invalid') return { kind: 'void', reason: waiting.reason };
  const revoked = await readOwn(runDir, runFiles.revoked, launchTicketSchema, known);
  if (revoked.kind !== 'absent') return { kind: 'revoked', ticket: revoked.kind === 'ok' ? revoked.value : null };
  // Reads again, because a supervisor may have taken the ticket between the two reads.
  const again = await readOwn(runDir, runFiles.claimed, launchTicketSchema, known);
  return again.kind === 'ok'
    ? takenOrLost({ runDir, known, stateOf }, again.value, again.changedAtMs)
    : { kind: 'void', reason: 'there is no launch ticket' };
}

/** A supervisor took the ticket and wrote no process record. Either it still lives, or it will never write one. */
async function takenOrLost(
  { runDir, known, stateOf }: Look,
  ticket: LaunchTicket,
  takenAtMs: number,
): Promise<LaunchStanding> {
  const claimants = await claimantsOf(runDir, ticket);
  const states = await Promise.all(claimants.map((one) => stateOf(one)));
  const [claimant = null] = claimants.filter((_, index) => states[index] === 'alive');
  // It runs in another container, or left no identity.
  const unseen = states.includes('unknown');
  const mayLive = (states.length === 0 || unseen) && Date.now() - takenAtMs < takeLimitMs;
  if (claimant !== null || mayLive) return { kind: 'taken', ticket, claimant };
  // Reads again, because it may have written one of them since, and then ended.
  const process = await processOf(runDir, known);
  return (await readEnd(runDir, known)) ?? { kind: 'lost', ticket, process, unseen };
}

/** All supervisors that tried to take the ticket; only the process record shows which one has it. */
async function claimantsOf(runDir: string, { launch_id, nonce }: LaunchTicket): Promise<readonly ProcessIdentity[]> {
  const names = (await readdir(runDir)).filter(isClaimantFile).slice(0, mostClaimants);
  const files = await Promise.all(names.map((name) => valueIn(runDir, name, claimantSchema)));
  return files.flatMap((file) => (file !== null && isOf(file, { launch_id, nonce }) ? [file.supervisor] : []));
}

/** Supervisor and worker processes: from the journal, otherwise from the supervisor's record. */
export async function processOf(runDir: string, known: KnownLaunch | null): Promise<ProcessRecord | null> {
  if (known?.process) return known.process;
  const file = await readOwn(runDir, runFiles.process, processRecordSchema, known);
  return file.kind === 'ok' ? file.value : null;
}

/** Ignores an exit record of another launch, copied here or planted before this launch began. */
export async function readEnd(
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
