import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * Waits until a file that is written in this folder is later than now. The clock of file systems ticks every few
 * milliseconds, and behind that of programs.
 */
export async function fileClockTicks(folder: string): Promise<void> {
  const now = Date.now();
  const probe = path.join(folder, '.tick');
  for (;;) {
    writeFileSync(probe, '');
    const { ctimeMs } = lstatSync(probe);
    rmSync(probe);
    if (Math.floor(ctimeMs) > now) return;
    await turn();
  }
}
