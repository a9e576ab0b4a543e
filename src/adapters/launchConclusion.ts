import { open } from 'node:fs/promises';
import path from 'node:path';
import { runFiles } from '../contracts/launch';
import type { ExitRecord, LaunchTicket, ProcessRecord } from '../contracts/launch';
import { createFileAtomic, renameFile } from './atomicFile';
import { errorCode } from './outcome';
import { killTree } from './processTree';

/** Who a record is about, as far as it can be told. */
export interface LaunchNames {
  readonly launch_id: string;
  readonly nonce: string;
  readonly started_at: string;
}

export function namesOf(ticket: LaunchTicket | null, process: ProcessRecord | null): LaunchNames {
  return {
    launch_id: process?.launch_id ?? ticket?.launch_id ?? '',
    nonce: process?.nonce ?? ticket?.nonce ?? '',
    started_at: process?.started_at ?? ticket?.issued_at ?? new Date().toISOString(),
  };
}

/** A record of a launch that started nothing, or whose supervisor cannot speak for it. Claims nothing nobody saw. */
export function unobservedExit(names: LaunchNames, reason: ExitRecord['reason'], error: string): ExitRecord {
  return {
    schema_version: '1.0.0',
    ...names,
    reason,
    exit_code: null,
    signal: null,
    ended_at: new Date().toISOString(),
    tree_gone: true,
    survivors: [],
    leftovers: [],
    error,
    stdout: null,
    stderr: null,
    stderr_tail: '',
    summary: null,
  };
}

/** Takes an unclaimed ticket out of circulation. False: somebody else (a supervisor, another owner) was first. */
export async function revokeTicket(runDir: string): Promise<boolean> {
  try {
    await renameFile(path.join(runDir, runFiles.ticket), path.join(runDir, runFiles.revoked));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Nothing was started. Of several writers one wins; the caller reads the standing again. */
export async function concludeUnstarted(
  runDir: string,
  ticket: LaunchTicket | null,
  reason: 'expired' | 'revoked',
): Promise<void> {
  const words =
    reason === 'expired'
      ? 'The launch ticket expired before a supervisor claimed it.'
      : 'The launch ticket was revoked before a supervisor claimed it.';
  await writeExit(runDir, unobservedExit(namesOf(ticket, null), reason, words));
}

/** The supervisor died: ends what is left of the tree by identity and nonce, and says what is known. */
export async function concludeLost(
  runDir: string,
  lost: { readonly ticket: LaunchTicket | null; readonly process: ProcessRecord | null; readonly unseen: boolean },
): Promise<void> {
  const names = namesOf(lost.ticket, lost.process);
  const record = unobservedExit(names, 'supervisor_lost', 'The supervisor died; its worker was ended with it.');
  if (lost.unseen) {
    const error = 'The supervisor ran in another container of this machine, whose processes cannot be seen from here.';
    await writeExit(runDir, { ...record, tree_gone: false, error });
    return;
  }
  const target = { root: lost.process?.worker ?? null, nonce: names.nonce };
  const end =
    names.nonce === ''
      ? { gone: true, survivors: [], members: [] }
      : await killTree(target, { graceMs: (lost.ticket?.grace_seconds ?? 2) * 1000 });
  await writeExit(runDir, {
    ...record,
    ended_at: new Date().toISOString(),
    tree_gone: end.gone,
    survivors: end.survivors.map((survivor) => survivor.pid),
    leftovers: end.members.map((member) => member.pid),
    stderr_tail: await tailOf(path.join(runDir, runFiles.stderr)),
  });
}

async function writeExit(runDir: string, record: ExitRecord): Promise<void> {
  await createFileAtomic(path.join(runDir, runFiles.exit), `${JSON.stringify(record, null, 2)}\n`);
}

/** The log is redacted already; at most 20 lines and 8 KiB of its end. */
async function tailOf(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(8192), 0, 8192, Math.max(0, size - 8192));
      return buffer.toString('utf8', 0, bytesRead).split('\n').slice(-21).join('\n');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
