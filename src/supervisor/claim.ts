import path from 'node:path';
import { launchTicketSchema, runFiles } from '../contracts/launch';
import type { LaunchTicket } from '../contracts/launch';
import { renameFile } from '../adapters/files/atomic';
import { readRunFile } from '../adapters/launches/files';
import { errorCode } from '../base/outcome';

export type Claim =
  | { readonly kind: 'won'; readonly ticket: LaunchTicket }
  /** Claimed or revoked by somebody else, or never there: nothing is ours to start. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'expired'; readonly ticket: LaunchTicket }
  | { readonly kind: 'invalid'; readonly reason: string };

/** The atomic rename decides: of any number of supervisors and revoking engines exactly one wins. */
export async function claimTicket(runDir: string): Promise<Claim> {
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
