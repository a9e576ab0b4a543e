import path from 'node:path';
import { attributeLines } from '../../contracts/vocabulary/evidenceFiles';
import { readRegularFile } from '../files/regular';

const attributesLimit = 1024 * 1024;

/** Which of them the `.gitattributes` of a workspace folder lacks; a folder that keeps every byte lacks none. */
export async function missingAttributeLines(workspace: string): Promise<readonly string[]> {
  const read = await readRegularFile(path.join(workspace, '.gitattributes'), attributesLimit);
  // No such file: then nothing keeps the bytes.
  const text = read.ok ? new TextDecoder().decode(read.bytes) : '';
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines.some((line) => /^\*\s+(?:.*\s)?-text\b/.test(line))) return [];
  return attributeLines.filter((line) => !lines.includes(line));
}
