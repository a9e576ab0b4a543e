import { runFiles, shownChangeSchema, type ShownChange } from '../../contracts/launch';
import { readRunFile } from './files';
import { leaveShown } from './shownFile';

/** Writes how the launch line was changed, for the terminal that shows the run; written before the worker starts. */
export function leaveChange(runDir: string, change: ShownChange): Promise<void> {
  return leaveShown(runDir, runFiles.change, change);
}

/** Null where the line of this launch was not changed. */
export async function readChange(runDir: string, launchId: string): Promise<ShownChange | null> {
  const file = await readRunFile(runDir, runFiles.change, shownChangeSchema).catch(() => null);
  return file?.kind === 'ok' && file.value.launch_id === launchId ? file.value : null;
}
