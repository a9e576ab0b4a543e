import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runFiles, type ExitRecord } from '../contracts/launch';
import { createFileAtomic, writeFileAtomic } from '../adapters/files/atomic';
import { clearOutcome } from '../adapters/launches/outcome';
import { errorCode, errorMessage } from '../base/outcome';
import { clearPlace } from '../adapters/files/takenPlace';
import { terminal } from '../base/text/marked/terminal';
import { complain } from './screen';

/**
 * Writes exit.json. Frees the reserved space first. Retries a failed write for a minute, without
 * the worker's words. Replaces an existing exit.json, and the record says so. Its writer was the
 * worker, or an owner that took this supervisor for dead. Moves a folder or link aside and names
 * it.
 */
export async function leaveExitRecord(runDir: string, record: ExitRecord): Promise<void> {
  const file = path.join(runDir, runFiles.exit);
  await clearOutcome(runDir);
  await unlink(path.join(runDir, runFiles.reserve)).catch((error: unknown) => {
    // Goes on without that space, because the record may still fit.
    if (errorCode(error) !== 'ENOENT')
      complain(terminal`${runFiles.reserve} cannot be removed: ${errorMessage(error)}`);
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
      complain(terminal`exit.json cannot be written (${errorMessage(error)}), trying again`);
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
