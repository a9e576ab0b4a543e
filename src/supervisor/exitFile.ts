import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runFiles } from '../contracts/launch';
import type { ExitRecord } from '../contracts/launch';
import { createFileAtomic, writeFileAtomic } from '../adapters/files/atomic';
import { clearOutcome } from '../adapters/launches/outcome';
import { errorCode, errorMessage } from '../base/outcome';
import { clearPlace } from '../adapters/files/takenPlace';
import { terminal } from '../base/text/terminal';
import { complain } from './screen';

/**
 * Writes exit.json. On a full disk the reserved space is given back first, then the record is tried again without
 * the worker's words, for a minute. What is there already can only be the work of the worker or of an owner that
 * took us for dead: we were there, so ours replaces it and says so. What is no file is moved aside and named.
 */
export async function leaveExitRecord(runDir: string, record: ExitRecord): Promise<void> {
  const file = path.join(runDir, runFiles.exit);
  await clearOutcome(runDir);
  await unlink(path.join(runDir, runFiles.reserve)).catch((error: unknown) => {
    // The record counts, not the space that was kept for it.
    if (errorCode(error) !== 'ENOENT')
      complain(terminal`${runFiles.reserve} cannot be removed: ${errorMessage(error)}`);
  });
  let told = record;
  for (let attempt = 0; ; attempt++) {
    try {
      const moved = await clearPlace(file);
      if (moved !== null) told = noting(told, moved);
      const attempted = attempt === 0 ? told : shortened(told);
      if (await createFileAtomic(file, serialise(attempted))) return;
      const words = 'Somebody else had written exit.json while this supervisor was alive; it was replaced.';
      await writeFileAtomic(file, serialise(noting(attempted, words)));
      return;
    } catch (error) {
      if (attempt === 60) throw error;
      complain(terminal`exit.json cannot be written (${errorMessage(error)}), trying again`);
      await sleep(1000);
    }
  }
}

function noting(record: ExitRecord, words: string): ExitRecord {
  return { ...record, error: record.error === null ? words : `${record.error} ${words}` };
}

function serialise(record: ExitRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

function shortened(record: ExitRecord): ExitRecord {
  const summary = record.summary && { ...record.summary, lastMessage: null, structured: null, fileChanges: [] };
  return { ...record, summary, stderr_tail: record.stderr_tail.slice(-1024) };
}
