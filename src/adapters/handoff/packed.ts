import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parsedJson } from '../../base/json';
import { fleetExportSchema, mostCharacters } from '../../contracts/fleet';
import { readHandoffFile } from './files';

/** The files of a handoff folder as one text; null: they cannot be read, or are larger than an export may be. */
export async function packHandoff(folder: string): Promise<string | null> {
  const files: Record<string, string> = {};
  for (const name of await readdir(folder).catch(() => [])) {
    const file = await readHandoffFile(folder, name);
    if (!file.ok || file.value === null) return null;
    files[name] = Buffer.from(file.value.bytes).toString('base64');
  }
  const text = JSON.stringify({ files });
  // A seal around it is text in a text, so half is left for what quoting adds.
  return fleetExportSchema.safeParse({ files }).success && text.length <= mostCharacters.export / 2 ? text : null;
}

/** Writes the files of such a text into a new folder; false: the text is no export. */
export async function unpackHandoff(text: string, folder: string): Promise<boolean> {
  const read = fleetExportSchema.safeParse(parsedJson(text));
  if (!read.success) return false;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(read.data.files))
    await writeFile(path.join(folder, name), Buffer.from(content, 'base64'), { flag: 'wx', mode: 0o600 });
  return true;
}
