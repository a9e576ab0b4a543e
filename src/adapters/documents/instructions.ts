import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { instructionLimits } from '../../contracts/vocabulary/plan';
import type { InstructionsFact } from '../../engine/ports/plans';
import { sha256Of } from '../files/sha256';
import { readWorkspaceFile } from '../files/workspaceFile';

/** Reads the files of instructions for agents. Follows no link, and reads no long file. Never rejects. */
export function readInstructions(folder: string, paths: readonly string[]): Promise<readonly InstructionsFact[]> {
  return Promise.all(paths.map((path) => read(folder, path)));
}

async function read(folder: string, path: string): Promise<InstructionsFact> {
  const found = await readWorkspaceFile(folder, path, instructionLimits.bytes);
  if (found.kind === 'none') return { kind: 'missing', path };
  if (found.kind !== 'file') {
    const target = await targetOf(folder, path);
    return { kind: 'unusable', path, why: found.reason, ...(target !== null && { target }) };
  }
  const { bytes } = found;
  const text = textOf(bytes);
  if (text === null) return { kind: 'unusable', path, why: 'its bytes are not UTF-8' };
  if (text.trim() === '') return { kind: 'unusable', path, why: 'it is empty' };
  return { kind: 'read', file: { path, sha256: sha256Of(bytes), bytes: bytes.length, text } };
}

/** The file of the folder that a link leads to, POSIX; null: it is no link, or leads to no file there. */
async function targetOf(folder: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const real = await realpath(join(root, path));
    const isTarget = real !== join(root, path) && real.startsWith(`${root}${sep}`) && (await stat(real)).isFile();
    return isTarget ? relative(root, real).replaceAll(sep, '/') : null;
  } catch {
    return null; // no file is there
  }
}

/** Null: the bytes are not UTF-8, or hold a NUL, which no text holds. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
