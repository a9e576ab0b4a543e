import { lstat, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  activitySchema,
  heartbeatSchema,
  runFiles,
  shownChangeSchema,
  taskOutcomeSchema,
  type ShownChange,
  type TaskOutcome,
} from '../../contracts/launch';
import type { LiveFacts } from '../../core/view/mission/missionView';
import { setAside, writeFileAtomic } from '../files/atomic';
import { valueIn, type Schema } from './files';

/** Writes how the launch line was changed, for the terminal that shows the run; written before the worker starts. */
export function leaveChange(runDir: string, change: ShownChange): Promise<void> {
  return leaveShown(runDir, runFiles.change, change);
}

/** Null where the line of this launch was not changed. */
export function readChange(runDir: string, launchId: string): Promise<ShownChange | null> {
  return readShown(runDir, runFiles.change, shownChangeSchema, launchId);
}

/** Writes the outcome; only an owner may call it. */
export function leaveOutcome(runDir: string, outcome: TaskOutcome): Promise<void> {
  return leaveShown(runDir, runFiles.outcome, outcome);
}

/** Null: there is no readable outcome of this launch yet. */
export function readOutcome(runDir: string, launchId: string): Promise<TaskOutcome | null> {
  return readShown(runDir, runFiles.outcome, taskOutcomeSchema, launchId);
}

/** Removes the file before the end of a run is recorded, because until then only a worker can write it. */
export async function clearOutcome(runDir: string): Promise<void> {
  await rm(path.join(runDir, runFiles.outcome), { recursive: true, force: true }).catch(() => undefined); // it is replaced
}

async function readShown<T extends { readonly launch_id: string }>(
  runDir: string,
  name: string,
  schema: Schema<T>,
  launchId: string,
): Promise<T | null> {
  const value = await valueIn(runDir, name, schema).catch(() => null);
  return value?.launch_id === launchId ? value : null;
}

/** Writes a file of a run directory that is only shown, and replaces what is at its place. Never rejects. */
async function leaveShown(runDir: string, name: string, value: unknown): Promise<void> {
  const file = path.join(runDir, name);
  const write = (): Promise<void> => writeFileAtomic(file, `${JSON.stringify(value)}\n`, { durable: false });
  try {
    // Does not create a run directory that is gone.
    if (!(await lstat(runDir)).isDirectory()) return;
    await write().catch(async () => {
      await setAside(file);
      await write();
    });
  } catch {
    // A failure loses nothing: the journal has it, and all other views show it.
  }
}

/**
 * Returns what the supervisor reports about its worker: the heartbeat, which is judged, and the activity of its output,
 * which is only shown. Null: neither can be read.
 */
export async function readLiveFacts(runDir: string): Promise<LiveFacts | null> {
  const [beat, latest] = await Promise.all([
    valueIn(runDir, runFiles.heartbeat, heartbeatSchema),
    valueIn(runDir, runFiles.activity, activitySchema),
  ]);
  if (beat === null) return latest && { ...latest, last_progress_at: latest.last_output_at };
  const { last_progress_at, output_bytes } = beat;
  return {
    // Output counts as progress here, because the heartbeat reports it only once in each interval.
    last_progress_at: later(last_progress_at, latest?.last_output_at ?? null),
    last_output_at: latest?.last_output_at ?? null,
    output_bytes: Math.max(output_bytes, latest?.output_bytes ?? 0),
    output_lines: latest?.output_lines ?? null,
    ...(latest?.waiting && { waiting: latest.waiting }),
    ...(latest?.actions && { actions: latest.actions }),
  };
}

function later(left: string, right: string | null): string {
  return right !== null && Date.parse(right) > Date.parse(left) ? right : left;
}
