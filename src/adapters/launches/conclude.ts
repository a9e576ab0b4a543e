import path from 'node:path';
import { env } from 'node:process';
import {
  exitRecordSchema,
  runFiles,
  type ExitRecord,
  type LaunchTicket,
  type ProcessIdentity,
  type ProcessRecord,
} from '../../contracts/launch';
import type { JournalledLaunch } from '../../engine/ports/launches';
import { createFileAtomic, moveIfThere, writeFileAtomic } from '../files/atomic';
import { readRunFile, clearOutcome, processOf } from './files';
import { readPart } from '../files/opened';
import { takeOver } from '../sandbox/layers/landing';
import { removeLayers } from '../sandbox/layers/keepLayers';
import { secretValues } from '../system/redact';
import { isAlive, killTree, type TreeEnd } from '../processes/tree';
import { clearPlace, writeProblem } from '../files/takenPlace';

type LaunchNames = Pick<ExitRecord, 'launch_id' | 'nonce' | 'started_at'>;

export function namesOf(
  ticket: (Pick<LaunchTicket, 'launch_id' | 'nonce'> & { readonly issued_at?: string }) | null,
  process: ProcessRecord | null,
): LaunchNames {
  return {
    launch_id: process?.launch_id ?? ticket?.launch_id ?? '',
    nonce: process?.nonce ?? ticket?.nonce ?? '',
    started_at: process?.started_at ?? ticket?.issued_at ?? new Date().toISOString(),
  };
}

/** The record of a launch that started nothing, or that no supervisor observed. States only what was seen. */
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

/** Revokes a ticket that no supervisor has taken. False when a supervisor or another owner was first. */
export function revokeTicket(runDir: string): Promise<boolean> {
  return moveIfThere(path.join(runDir, runFiles.ticket), path.join(runDir, runFiles.revoked));
}

/** Records that no process was started. If several write, one wins, and the caller reads the standing again. */
export async function concludeUnstarted(
  runDir: string,
  ticket: LaunchTicket | null,
  reason: 'expired' | 'revoked',
): Promise<void> {
  const sentence =
    reason === 'expired'
      ? 'The launch ticket expired before a supervisor claimed it.'
      : 'The launch ticket was revoked before a supervisor claimed it.';
  await leaveRecord(runDir, unobservedExit(namesOf(ticket, null), reason, sentence));
}

/**
 * Ends the rest of the tree by identity and nonce, and records what is known. Also ends a supervisor that took its
 * ticket but was slow to write its process record.
 */
export async function concludeLost(runDir: string, known: JournalledLaunch, lost: LostLaunch): Promise<ExitRecord> {
  const record = unobservedExit(
    namesOf(known, lost.process),
    'supervisor_lost',
    lost.sentence ?? 'The supervisor was killed, or .mission-control was away for a while.',
  );
  if (lost.unseen) {
    const error = 'The supervisor ran in another container of this machine, whose processes cannot be seen from here.';
    return leaveRecord(runDir, { ...record, tree_gone: false, error, ...(await layerEnd(runDir, lost.ticket, false)) });
  }
  let process = lost.process;
  let end = await endTree(known, process);
  let strays = await layerEnd(runDir, lost.ticket, end.gone);
  const tail = await tailOf(path.join(runDir, runFiles.stderr));
  const left = await leaveRecord(runDir, { ...lostRecord(record, end, tail), ...strays });
  if (process !== null) return withoutLayers(lost, left);
  process = await processOf(runDir, known);
  if (process === null || !(await isAlive(process.supervisor))) return withoutLayers(lost, left);
  // The supervisor wrote its record after our look and may have started the worker: end both and replace the record.
  end = await endTree(known, process, { supervisorToo: true });
  strays = await layerEnd(runDir, lost.ticket, end.gone);
  return withoutLayers(
    lost,
    await leaveRecord(runDir, { ...lostRecord(record, end, left.stderr_tail), ...strays }, true),
  );
}

/** Removes the layers, as the supervisor would have: after the record, and only when no process can write there. */
async function withoutLayers({ ticket }: LostLaunch, record: ExitRecord): Promise<ExitRecord> {
  const { layers } = ticket?.sandbox ?? {};
  if (layers && record.tree_gone) await removeLayers(layers, record);
  return record;
}

interface LostLaunch {
  readonly ticket: LaunchTicket | null;
  readonly process: ProcessRecord | null;
  readonly unseen: boolean;
  readonly sentence?: string;
}

/** Takes over from its layer what the launch wrote, as its supervisor would have. */
async function layerEnd(
  runDir: string,
  ticket: LaunchTicket | null,
  gone: boolean,
): Promise<Pick<ExitRecord, 'strays'>> {
  const layers = ticket?.sandbox?.layers;
  const strays = layers && (await takeOver(layers, runDir, { gone, secrets: secretValues(env) }));
  return strays ? { strays } : {};
}

/** Ends all processes of the launch, the supervisor only if asked for; returns whether any is left. */
export function endTree(
  known: JournalledLaunch,
  process: ProcessRecord | null,
  options: { readonly supervisorToo?: boolean; readonly claimant?: ProcessIdentity } = {},
): Promise<TreeEnd> {
  const { supervisorToo = false, claimant } = options;
  const supervisor = supervisorToo && process !== null ? [process.supervisor] : claimant ? [claimant] : [];
  return killTree(
    { root: process?.worker ?? null, nonce: known.nonce, namespace: process?.namespace, seen: supervisor },
    { graceMs: known.grace_seconds * 1000 },
  );
}

function lostRecord(record: ExitRecord, end: TreeEnd, stderrTail: string): ExitRecord {
  return {
    ...record,
    ended_at: new Date().toISOString(),
    ...treeEndOf(end),
    stderr_tail: stderrTail,
  };
}

export function treeEndOf({
  gone,
  survivors,
  members,
}: TreeEnd): Pick<ExitRecord, 'tree_gone' | 'survivors' | 'leftovers'> {
  return { tree_gone: gone, survivors: survivors.map(({ pid }) => pid), leftovers: members.map(({ pid }) => pid) };
}

/**
 * Writes the exit record for later readers. If another file is in the way or the file system
 * refuses, the record says so. It still counts, because the journal holds the end.
 */
async function leaveRecord(runDir: string, record: ExitRecord, replace = false): Promise<ExitRecord> {
  const file = path.join(runDir, runFiles.exit);
  const text = (content: ExitRecord): string => `${JSON.stringify(content, null, 2)}\n`;
  try {
    await clearOutcome(runDir);
    if (!replace && (await createFileAtomic(file, text(record)))) return record;
    const present = await readRunFile(runDir, runFiles.exit, exitRecordSchema);
    const own =
      present.kind === 'ok' && present.value.launch_id === record.launch_id && present.value.nonce === record.nonce;
    if (own && !replace) return present.value;
    const moved = await clearPlace(file);
    const noted = moved === null ? record : { ...record, error: `${record.error ?? ''} ${moved}`.trim() };
    await writeFileAtomic(file, text(noted));
    return noted;
  } catch (error) {
    return { ...record, error: `${record.error ?? ''} exit.json cannot be written: ${writeProblem(error)}`.trim() };
  }
}

/** The last 20 lines, at most 8 KiB, of the log, which is redacted already. */
async function tailOf(file: string): Promise<string> {
  const read = await readPart(file, 8192, -8192);
  return read === null ? '' : read.bytes.toString('utf8').split('\n').slice(-21).join('\n');
}
