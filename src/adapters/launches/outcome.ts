import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import { runFiles, taskOutcomeSchema, type TaskOutcome } from '../../contracts/launch';
import { setAside, writeFileAtomic } from '../files/atomic';
import { readRunFile } from './files';

/** Replaces what is there: only an owner writes it. Never rejects, because it is only shown. */
export async function leaveOutcome(runDir: string, outcome: TaskOutcome): Promise<void> {
  const file = path.join(runDir, runFiles.outcome);
  const write = (): Promise<void> => writeFileAtomic(file, `${JSON.stringify(outcome)}\n`, { durable: false });
  try {
    // A run directory that is gone is not created again.
    if (!(await lstat(runDir)).isDirectory()) return;
    await write().catch(async () => {
      await setAside(file);
      await write();
    });
  } catch {
    // The journal has the outcome, and all other views show it.
  }
}

/** Called before the end of a run is recorded: until then only a worker can have written the file. */
export async function clearOutcome(runDir: string): Promise<void> {
  await rm(path.join(runDir, runFiles.outcome), { recursive: true, force: true }).catch(() => undefined); // it is replaced
}

/** Null while there is no readable outcome of this launch. */
export async function readOutcome(runDir: string, launchId: string): Promise<TaskOutcome | null> {
  const file = await readRunFile(runDir, runFiles.outcome, taskOutcomeSchema).catch(() => null);
  return file?.kind === 'ok' && file.value.launch_id === launchId ? file.value : null;
}
