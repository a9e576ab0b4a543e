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
  if (found.kind !== 'file') return { kind: 'unusable', path, why: found.reason };
  const { bytes } = found;
  const text = textOf(bytes);
  if (text === null) return { kind: 'unusable', path, why: 'its bytes are not UTF-8' };
  if (text.trim() === '') return { kind: 'unusable', path, why: 'it is empty' };
  return { kind: 'read', file: { path, sha256: sha256Of(bytes), bytes: bytes.length, text } };
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
