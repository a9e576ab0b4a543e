import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { runFiles, taskOutcomeSchema, type TaskOutcome } from '../../contracts/launch';
import { setAside, writeFileAtomic } from '../files/atomic';
import { readRunFile } from './files';

/** Replaces whatever stands there: only an owner leaves it. Never rejects, because nothing but a look depends on it. */
export async function leaveOutcome(runDir: string, outcome: TaskOutcome): Promise<void> {
  const file = path.join(runDir, runFiles.outcome);
  const write = (): Promise<void> => writeFileAtomic(file, `${JSON.stringify(outcome)}\n`, { durable: false });
  try {
    // A run directory that is gone is not made anew.
    if (!(await lstat(runDir)).isDirectory()) return;
    await write().catch(async () => {
      await setAside(file);
      await write();
    });
  } catch {
    // The journal has it, and every other view.
  }
}

/** Before the end of a run is recorded: what is there by then can only be the work of a worker. */
export async function clearOutcome(runDir: string): Promise<void> {
  await rm(path.join(runDir, runFiles.outcome), { recursive: true, force: true }).catch(() => undefined); // it is written over
}

/** Null while there is none of this launch that can be read. */
export async function readOutcome(runDir: string, launchId: string): Promise<TaskOutcome | null> {
  const file = await readRunFile(runDir, runFiles.outcome, taskOutcomeSchema).catch(() => null);
  return file?.kind === 'ok' && file.value.launch_id === launchId ? file.value : null;
}
