import { lstat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  runFiles,
  type ExitRecord,
  type ProcessIdentity,
  type ProcessRecord,
  type WorkerSignal,
} from '../../contracts/launch';
import type { JournalledLaunch } from '../../engine/ports/launches';
import { concludeLost, concludeUnstarted, endTree, namesOf, revokeTicket, treeEndOf, unobservedExit } from './conclude';
import { createSignalTail, watchRun, launchStanding, processOf } from './files';
import { errorWords, valueOn } from '../../base/outcome';
import { isAlive } from '../processes/tree';

/** Failed looks in a row before the tree is reported as not proven gone. */
const patience = 10;
/** Milliseconds; a longer gap between two looks means that the machine slept, and does not count as running time. */
const longestGapMs = 5000;

/**
 * Waits for the end of a run: the supervisor's record, its death, an untaken ticket, or an overdue supervisor, which
 * this process ends with its worker. Never rejects.
 *
 * @param stopAskedAt the time of a stop request, on this process's own clock; null: no stop was requested
 * @param overdueMs milliseconds that a supervisor may be late, after the deadline or after a stop and its grace
 */
export async function endOfLaunch(
  runDir: string,
  known: JournalledLaunch,
  onSignal: (signal: WorkerSignal) => void,
  stopAskedAt: () => number | null,
  overdueMs: number,
): Promise<ExitRecord> {
  const tail = createSignalTail(runDir);
  const watch = watchRun(runDir, [runFiles.signals, runFiles.exit, runFiles.claimed, runFiles.revoked]);
  const isOverdue = overdueLook(known, stopAskedAt, overdueMs);
  let failures = 0;
  let missing = 0;
  try {
    for (;;) {
      try {
        missing = (await isMissing(runDir)) ? missing + 1 : 0;
        if (missing === 2) return await concludeGone(runDir, known);
        const exit = await conclude(runDir, known, isOverdue());
        for (const signal of await tail.next()) onSignal(signal);
        if (exit !== null) return exit;
        failures = 0;
      } catch (error) {
        // Retries, because the file system may recover; a tree that could not be read is never reported gone.
        failures += 1;
        if (failures === patience) return unreadable(known, error);
      }
      await watch.changed();
    }
  } finally {
    watch.dispose();
  }
}

/** The exit record of a run whose directory cannot be read; it says nothing about processes. */
export function unreadable(known: JournalledLaunch, error: unknown): ExitRecord {
  const sentence = `The run directory cannot be read: ${errorWords(error)}.`;
  return { ...unobservedExit(namesOf(known, known.process), 'supervisor_lost', sentence), tree_gone: false };
}

function overdueLook(known: JournalledLaunch, stopAskedAt: () => number | null, overdueMs: number): () => boolean {
  let ran = 0;
  let last = performance.now();
  return () => {
    const now = performance.now();
    ran += Math.min(now - last, longestGapMs);
    last = now;
    const asked = stopAskedAt();
    const stopping = asked !== null && now - asked > known.grace_seconds * 1000 + overdueMs;
    return stopping || ran > known.max_runtime_seconds * 1000 + overdueMs;
  };
}

/** The exit record of a run that has ended; written here if its supervisor can no longer write it. */
async function conclude(runDir: string, known: JournalledLaunch, overdue: boolean): Promise<ExitRecord | null> {
  const standing = await launchStanding(runDir, known);
  switch (standing.kind) {
    case 'ended':
      return lastWord(runDir, known, standing.exit, standing.process, overdue);
    case 'lost':
      return concludeLost(runDir, known, standing);
    case 'revoked':
      await concludeUnstarted(runDir, standing.ticket, 'revoked');
      return null;
    case 'waiting':
      if (Date.parse(standing.ticket.expires_at) > Date.now() || !(await revokeTicket(runDir))) return null;
      await concludeUnstarted(runDir, standing.ticket, 'expired');
      return null;
    case 'void':
      return concludeVoid(known, standing.reason);
    case 'taken':
      return null;
    case 'running':
      if (!overdue) return null;
      await endTree(known, standing.process, { supervisorToo: true });
      return concludeLost(runDir, known, {
        ...standing,
        unseen: false,
        sentence: 'The supervisor did not end its worker in time.',
      });
  }
}

/**
 * Records nothing, because the directory is gone. The supervisor tries for a minute to record the end of its worker;
 * one without a worker must not start it.
 */
async function concludeGone(runDir: string, known: JournalledLaunch): Promise<ExitRecord> {
  const process = known.process ?? (await processOf(runDir, known));
  const end = await endTree(known, process, { supervisorToo: (process?.worker ?? null) === null });
  const sentence = `The run directory ${runDir} was removed or moved away.`;
  return {
    ...unobservedExit(namesOf(known, known.process), 'run_dir_gone', sentence),
    ...treeEndOf(end),
  };
}

async function isMissing(runDir: string): Promise<boolean> {
  const stats = await lstat(runDir).catch(valueOn(null, 'ENOENT', 'ENOTDIR'));
  return stats?.isDirectory() !== true;
}

/** Ends all processes with the launch's nonce, because no file of it can be believed. */
export async function concludeVoid(known: JournalledLaunch, reason: string): Promise<ExitRecord> {
  const end = await endTree(known, known.process);
  const sentence =
    end.members.length === 0
      ? `Nothing was started here: ${reason}.`
      : `The run directory was tampered with (${reason}).`;
  return {
    ...unobservedExit(
      namesOf(known, known.process),
      end.members.length === 0 ? 'spawn_failed' : 'supervisor_lost',
      sentence,
    ),
    ...treeEndOf(end),
  };
}

/**
 * Waits for the supervisor to end, because a worker could write exit.json before that, and the supervisor then replaces
 * it. Then checks again that no process of the tree lives, because a record alone proves nothing.
 */
export async function lastWord(
  runDir: string,
  known: JournalledLaunch,
  exit: ExitRecord,
  process: ProcessRecord | null,
  overdue: boolean,
): Promise<ExitRecord | null> {
  if (process !== null) {
    if (!(await endsSoon(process.supervisor))) {
      if (overdue) await endTree(known, process, { supervisorToo: true });
      return null;
    }
  }
  const standing = await launchStanding(runDir, known);
  const last = standing.kind === 'ended' ? standing.exit : exit;
  const end = await endTree(known, process);
  if (end.members.length === 0) return last;
  const sentence = 'Processes of the worker were alive after its end had been recorded; they were ended.';
  return {
    ...last,
    ...treeEndOf(end),
    leftovers: [...new Set([...last.leftovers, ...treeEndOf(end).leftovers])],
    error: last.error === null ? sentence : `${last.error} ${sentence}`,
  };
}

/** Waits for the supervisor to end, which it does milliseconds after its record. The next worker waits for that. */
async function endsSoon(supervisor: ProcessIdentity): Promise<boolean> {
  const began = performance.now();
  while (await isAlive(supervisor)) {
    const waited = performance.now() - began;
    if (waited > 1000) return false;
    await sleep(waited < 20 ? 1 : 5);
  }
  return true;
}
