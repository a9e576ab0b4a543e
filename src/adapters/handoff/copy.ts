import { copyFile, mkdir, open, readdir, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fleetExportSchema, type PackedExport } from '../../contracts/fleet';
import { mostCharacters } from '../../contracts/fleetMirror';
import { isHalfOf, syncFolder, temporaryName } from '../files/atomic';
import { makeFolder } from '../files/makeFolder';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import { readHandoffFile } from './files';

/**
 * Copies a handoff folder to a free place or over an empty folder. A reader there finds nothing or everything, even
 * after a crash. First removes unfinished copies to the same place.
 */
export async function copyHandoff(from: string, target: string): Promise<Outcome<null>> {
  const to = await realpath(target).catch(() => target); // not there yet
  const parent = path.dirname(to);
  const half = temporaryName(to);
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
    if (isHalfOf(entry.name, to) && entry.isDirectory())
      await rm(path.join(parent, entry.name), { recursive: true, force: true });
  }
}

/** The files of a handoff folder as one text; null: they cannot be read, or are larger than an export may be. */
export async function packHandoff(folder: string, n: number): Promise<string | null> {
  const files: Record<string, string> = {};
  for (const name of await readdir(folder).catch(() => [])) {
    const file = await readHandoffFile(folder, name);
    if (!file.ok || file.value === null) return null;
    files[name] = Buffer.from(file.value.bytes).toString('base64');
  }
  const text = JSON.stringify({ n, files });
  // A seal around it is text in a text, so half is left for what quoting adds.
  return fleetExportSchema.safeParse({ n, files }).success && text.length <= mostCharacters.export / 2 ? text : null;
}

export async function unpackHandoff({ files }: PackedExport, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), Buffer.from(content, 'base64'), { flag: 'wx', mode: 0o600 });
}
