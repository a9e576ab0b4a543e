import { unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  runFiles,
  type ExitRecord,
  claimantFile,
  launchTicketSchema,
  type Claimant,
  type LaunchTicket,
  type ProcessIdentity,
} from '../contracts/launch';
import { concludeUnstarted, namesOf, unobservedExit } from '../adapters/launches/conclude';
import { removeLayers } from '../adapters/sandbox/layers/keepLayers';
import { errorWords, errorCode } from '../base/outcome';
import { identityOf } from '../adapters/processes/tree';
import { superviseWorker, type SupervisedRun } from './supervise';
import { terminal } from '../base/text/marked/terminal';
import { complain } from './screen';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFileAtomic, writeFileAtomic, renameFile } from '../adapters/files/atomic';
import { clearOutcome, readRunFile } from '../adapters/launches/files';
import { clearPlace } from '../adapters/files/takenPlace';

/** Bytes reserved on the disk, so that exit.json can be written even if it is full. */
const reservedBytes = 512 * 1024;

/**
 * Owns one run, from taking its ticket to exit.json. SIGTERM is a stop request. Returns the program's exit code, which
 * is 0 even if there was no ticket to take.
 */
export async function ownRun(runDir: string): Promise<number> {
  ignoreTerminal();
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());

  const supervisor = await identityOf(process.pid);
  if (supervisor === null) throw new Error('cannot read the identity of this very process');
  const taken = await takeTicket(runDir, supervisor);
  switch (taken.kind) {
    case 'lost':
      complain(terminal`No launch ticket to claim here: nothing was started.`);
      return 0;
    case 'expired':
      await concludeUnstarted(runDir, taken.ticket, 'expired');
      complain(terminal`The launch ticket has expired: nothing was started.`);
      return 0;
    case 'invalid':
      await leaveUnstarted(runDir, null, `The launch ticket is not valid: ${taken.reason}`);
      complain(terminal`The launch ticket is not valid: ${taken.reason}`);
      return 0;
    case 'won':
      return own({ runDir, ticket: taken.ticket, supervisor }, stop.signal);
  }
}

/** Ignores the terminal's signals, because a supervisor outlives a closed terminal and its interrupt key. */
export function ignoreTerminal(): void {
  for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => undefined);
}

async function own(run: SupervisedRun, stop: AbortSignal): Promise<number> {
  const { runDir, ticket } = run;
  const worker = { started: false };
  try {
    await writeFile(path.join(runDir, runFiles.reserve), Buffer.alloc(reservedBytes, 1), { mode: 0o600, flag: 'wx' });
    const record = await superviseWorker(run, stop, () => (worker.started = true));
    if (record !== null) await leaveExitRecord(runDir, record);
    else await unlink(path.join(runDir, runFiles.reserve));
    // Afterwards, because an owner reads the layers of a launch that has no record.
    const { layers } = ticket.sandbox ?? {};
    // A process that may be alive may still write there.
    if (layers && record?.tree_gone !== false) await removeLayers(layers, record);
    return 0;
  } catch (error) {
    // Records no end, because a started worker may still run: the owner finds this supervisor dead and ends the tree.
    if (worker.started) throw error;
    await leaveUnstarted(runDir, ticket, `The run could not be set up: ${errorWords(error)}`);
    return 1;
  }
}

function leaveUnstarted(runDir: string, ticket: LaunchTicket | null, why: string): Promise<void> {
  return leaveExitRecord(runDir, unobservedExit(namesOf(ticket, null), 'spawn_failed', why));
}

/**
 * Writes exit.json. Frees the reserved space first. Retries a failed write for a minute, without the worker's words.
 * Replaces an existing exit.json, and the record says so. Its writer was the worker, or an owner that took this
 * supervisor for dead. Moves a folder or link aside and names it.
 */
async function leaveExitRecord(runDir: string, record: ExitRecord): Promise<void> {
  const file = path.join(runDir, runFiles.exit);
  await clearOutcome(runDir);
  await unlink(path.join(runDir, runFiles.reserve)).catch((error: unknown) => {
    // Goes on without that space, because the record may still fit.
    if (errorCode(error) !== 'ENOENT') complain(terminal`${runFiles.reserve} cannot be removed: ${errorWords(error)}`);
  });
  let noted = record;
  for (let attempt = 0; ; attempt++) {
    try {
      const moved = await clearPlace(file);
      if (moved !== null) noted = noting(noted, moved);
      const attempted = attempt === 0 ? noted : shortened(noted);
      if (await createFileAtomic(file, serialise(attempted))) return;
      const sentence = 'Another process had written exit.json while this supervisor was alive; it was replaced.';
      await writeFileAtomic(file, serialise(noting(attempted, sentence)));
      return;
    } catch (error) {
      if (attempt === 60) throw error;
      complain(terminal`exit.json cannot be written (${errorWords(error)}), trying again`);
      await sleep(1000);
    }
  }
}

function noting(record: ExitRecord, sentence: string): ExitRecord {
  return { ...record, error: record.error === null ? sentence : `${record.error} ${sentence}` };
}

function serialise(record: ExitRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function shortened(record: ExitRecord): ExitRecord {
  const summary = record.summary && { ...record.summary, lastMessage: null, structured: null, fileChanges: [] };
  return { ...record, summary, stderr_tail: record.stderr_tail.slice(-1024) };
}

type TicketTaken =
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
