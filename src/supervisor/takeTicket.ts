import path from 'node:path';
import { launchTicketSchema, runFiles } from '../contracts/launch';
import type { LaunchTicket } from '../contracts/launch';
import { renameFile } from '../adapters/files/atomic';
import { readRunFile } from '../adapters/launches/files';
import { errorCode } from '../base/outcome';

export type TicketTaken =
  | { readonly kind: 'won'; readonly ticket: LaunchTicket }
  /** Another process took or revoked the ticket, or there never was one. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'expired'; readonly ticket: LaunchTicket }
  | { readonly kind: 'invalid'; readonly reason: string };

/** The rename is atomic: of all supervisors that take a ticket and engines that revoke it, exactly one succeeds. */
export async function takeTicket(runDir: string): Promise<TicketTaken> {
  try {
    await renameFile(path.join(runDir, runFiles.ticket), path.join(runDir, runFiles.claimed));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { kind: 'lost' };
    throw error;
  }
  const read = await readRunFile(runDir, runFiles.claimed, launchTicketSchema);
  if (read.kind !== 'ok')
    return { kind: 'invalid', reason: read.kind === 'invalid' ? read.reason : 'the claimed ticket is gone' };
  const ticket = read.value;
  return Date.parse(ticket.expires_at) <= Date.now() ? { kind: 'expired', ticket } : { kind: 'won', ticket };
}
