import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fleetExportSchema, mostCharacters, type PackedExport } from '../../contracts/fleet';
import { readHandoffFile } from './files';

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

/** Writes the files of an export into a new folder. */
export async function unpackHandoff({ files }: PackedExport, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), Buffer.from(content, 'base64'), { flag: 'wx', mode: 0o600 });
}
