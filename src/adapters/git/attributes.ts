import path from 'node:path';
import { attributeLines } from '../../contracts/vocabulary/evidenceFiles';
import { readRegularFile } from '../files/regular';

const attributesLimit = 1024 * 1024;

/** The lines that `.gitattributes` of a workspace folder lacks; empty: it keeps every byte already. */
export async function missingAttributeLines(workspace: string): Promise<readonly string[]> {
  const read = await readRegularFile(path.join(workspace, '.gitattributes'), attributesLimit);
  // Without the file all lines are missing.
  const text = read.ok ? new TextDecoder().decode(read.bytes) : '';
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines.some((line) => /^\*\s+(?:.*\s)?-text\b/.test(line))) return [];
  return attributeLines.filter((line) => !lines.includes(line));
}
