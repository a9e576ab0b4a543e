import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isTemporaryName, syncFolder } from '../files/atomic';
import { makeFolder } from '../files/makeFolder';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';

/** Copies a handoff folder to a free place or over an empty folder. A reader there finds nothing or everything. */
export async function copyHandoff(from: string, target: string): Promise<Outcome<null>> {
  const to = await realpath(target).catch(() => target); // not there yet
  const parent = path.dirname(to);
  const half = path.join(parent, `.${path.basename(to)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    await makeFolder(parent);
    await removeHalves(to);
    await mkdir(half, { mode: 0o700 });
    for (const name of await readdir(from)) {
      await copyFile(path.join(from, name), path.join(half, name));
      const file = await open(path.join(half, name), 'r+');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
    }
    await syncFolder(half);
    if (process.platform === 'win32') await rmdir(to).catch(() => undefined); // absent, or the rename reports why
    await rename(half, to);
    await syncFolder(parent);
    return done(null);
  } catch (error) {
    await rm(half, { recursive: true, force: true }).catch(() => undefined); // report the first error
    return refused(
      'EVIDENCE_UNWRITABLE',
      `The handoff could not be copied to ${to}: ${errorWords(error)}.`,
      `Copy ${from} yourself.`,
    );
  }
}

async function removeHalves(to: string): Promise<void> {
  const parent = path.dirname(to);
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const ours =
      isTemporaryName(entry.name) && entry.name.slice(1, -'.0123456789abcdef.tmp'.length) === path.basename(to);
    if (ours && entry.isDirectory()) await rm(path.join(parent, entry.name), { recursive: true, force: true });
  }
}
