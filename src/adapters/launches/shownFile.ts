import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setAside, writeFileAtomic } from '../files/atomic';

/** Writes a file of a run directory that is only shown, and replaces what is at its place. Never rejects. */
export async function leaveShown(runDir: string, name: string, value: unknown): Promise<void> {
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
