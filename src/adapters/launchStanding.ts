import { exitRecordSchema, launchTicketSchema, processRecordSchema, runFiles } from '../contracts/launch';
import type { ExitRecord, LaunchTicket, ProcessRecord } from '../contracts/launch';
import { readRunFile } from './launchFiles';
import { identityState } from './processes';

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

/** A claimed ticket without a process record for this long means that its supervisor died between the two. */
const claimLimitMs = 5000;

export async function launchStanding(runDir: string): Promise<LaunchStanding> {
  const ended = await readEnd(runDir);
  if (ended !== null) return ended;

  const claimed = await readRunFile(runDir, runFiles.claimed, launchTicketSchema);
  const known = await readRunFile(runDir, runFiles.process, processRecordSchema);
  const ticket = claimed.kind === 'ok' ? claimed.value : null;
  if (known.kind === 'ok') {
    const state = await identityState(known.value.supervisor);
    if (state === 'alive') return { kind: 'running', ticket, process: known.value };
    // It may have written its last word between our two looks.
    return (await readEnd(runDir)) ?? { kind: 'lost', ticket, process: known.value, unseen: state === 'unknown' };
  }
  if (claimed.kind === 'ok') {
    if (Date.now() - claimed.changedAtMs < claimLimitMs) return { kind: 'claimed', ticket: claimed.value };
    return (await readEnd(runDir)) ?? { kind: 'lost', ticket, process: null, unseen: false };
  }
  if (claimed.kind === 'invalid') return { kind: 'void', reason: claimed.reason };

  const waiting = await readRunFile(runDir, runFiles.ticket, launchTicketSchema);
  if (waiting.kind === 'ok') return { kind: 'waiting', ticket: waiting.value };
  if (waiting.kind === 'invalid') return { kind: 'void', reason: waiting.reason };
  const revoked = await readRunFile(runDir, runFiles.revoked, launchTicketSchema);
  if (revoked.kind !== 'absent') return { kind: 'revoked', ticket: revoked.kind === 'ok' ? revoked.value : null };
  // Claimed between our looks at the two names?
  const again = await readRunFile(runDir, runFiles.claimed, launchTicketSchema);
  return again.kind === 'ok'
    ? { kind: 'claimed', ticket: again.value }
    : { kind: 'void', reason: 'there is no launch ticket' };
}

/** Both have to name the same launch: an exit record copied from elsewhere ends nothing. */
async function readEnd(runDir: string): Promise<Extract<LaunchStanding, { kind: 'ended' }> | null> {
  const exit = await readRunFile(runDir, runFiles.exit, exitRecordSchema);
  if (exit.kind !== 'ok') return null;
  const known = await readRunFile(runDir, runFiles.process, processRecordSchema);
  const record = known.kind === 'ok' ? known.value : null;
  if (record !== null && (record.launch_id !== exit.value.launch_id || record.nonce !== exit.value.nonce)) return null;
  return { kind: 'ended', exit: exit.value, process: record };
}
