import { unlink } from 'node:fs/promises';
import path from 'node:path';
import {
  claimantFile,
  launchTicketSchema,
  runFiles,
  type Claimant,
  type LaunchTicket,
  type ProcessIdentity,
} from '../contracts/launch';
import { createFileAtomic, renameFile } from '../adapters/files/atomic';
import { readRunFile } from '../adapters/launches/files';
import { errorCode } from '../base/outcome';

export type TicketTaken =
  | { readonly kind: 'won'; readonly ticket: LaunchTicket }
  /** Another process took or revoked the ticket, or there never was one. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'expired'; readonly ticket: LaunchTicket }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Takes the ticket by a rename, which is atomic: of all supervisors that take a ticket and engines that revoke it,
 * exactly one succeeds.
 */
export async function takeTicket(runDir: string, supervisor: ProcessIdentity): Promise<TicketTaken> {
  await sayWhoTakes(runDir, supervisor);
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

/**
 * Names this supervisor before it takes the ticket. Until its process record, an owner sees nothing
 * else of it. A slow disk or a closed lid may delay that record. Each supervisor has its own file,
 * because the rename alone decides who has the ticket.
 */
async function sayWhoTakes(runDir: string, supervisor: ProcessIdentity): Promise<void> {
  const ticket = await readRunFile(runDir, runFiles.ticket, launchTicketSchema);
  if (ticket.kind !== 'ok') return;
  const { launch_id, nonce } = ticket.value;
  const file = path.join(runDir, claimantFile(supervisor.pid));
  const text = `${JSON.stringify({ launch_id, nonce, supervisor } satisfies Claimant)}\n`;
  try {
    if (await createFileAtomic(file, text, { durable: false })) return;
    // Left by an earlier process with this id.
    await unlink(file);
    await createFileAtomic(file, text, { durable: false });
  } catch {
    // Goes on without the file; then only the time of the claim is evidence.
  }
}
