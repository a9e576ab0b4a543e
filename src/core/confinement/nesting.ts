import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { WorkerName } from '../../contracts/vocabulary/workers';

/** Whether a worker's own sandbox has to hold it alone: Codex always makes one, and Seatbelt none within another. */
export function holdsItself(worker: WorkerName | 'verify', means: SandboxMeans): boolean {
  return worker === 'codex' && means === 'seatbelt';
}
