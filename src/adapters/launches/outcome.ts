import { rm } from 'node:fs/promises';
import path from 'node:path';
import { runFiles, taskOutcomeSchema, type TaskOutcome } from '../../contracts/launch';
import { readRunFile } from './files';
import { leaveShown } from './shownFile';

/** Writes the outcome; only an owner may call it. */
export function leaveOutcome(runDir: string, outcome: TaskOutcome): Promise<void> {
  return leaveShown(runDir, runFiles.outcome, outcome);
}

/** Removes the file before the end of a run is recorded, because until then only a worker can write it. */
export async function clearOutcome(runDir: string): Promise<void> {
  await rm(path.join(runDir, runFiles.outcome), { recursive: true, force: true }).catch(() => undefined); // it is replaced
}

/** Null: there is no readable outcome of this launch yet. */
export async function readOutcome(runDir: string, launchId: string): Promise<TaskOutcome | null> {
  const file = await readRunFile(runDir, runFiles.outcome, taskOutcomeSchema).catch(() => null);
  return file?.kind === 'ok' && file.value.launch_id === launchId ? file.value : null;
}
