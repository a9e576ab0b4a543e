import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { handoffNames } from '../../contracts/vocabulary/handoff';
import type { Left } from '../../base/left';
import type { HandoffFile, HandoffFiles } from '../../engine/ports/handoff';
import { sha256Of } from '../files/sha256';
import { foundAt } from '../files/foundAt';
import { patchOf } from './patch';
import { applyPatch, tryPatch } from './applyPatch';
import { readOnce } from '../files/opened';
import { errorHelp } from '../../base/errorWords';
import { done, errorCode, errorMessage, refused, type Outcome } from '../../base/outcome';
import { checkShape, generatedSchemas } from '../documents/schemas';
import { readWorkspaceFile } from '../files/workspaceFile';

/** Reads and writes handoff folders, and reads what a handoff needs of the workspace. */
export function createHandoffFiles(workspaceRoot: string): HandoffFiles {
  return {
    get documents() {
      return documents.map((name) => ({ name, schema: generatedSchemas[name] }));
    },
    checkShape,
    textOf: (bytes) => Buffer.from(bytes).toString('utf8'),
    digests: async (paths) => {
      const found: Record<string, string | null> = Object.create(null) as Record<string, string | null>;
      for (const name of paths) {
        const file = await readWorkspaceFile(workspaceRoot, name, largestOutputBytes);
        found[name] = file.kind === 'file' ? sha256Of(file.bytes) : null;
      }
      return found;
    },
    found: async (paths) => {
      const found = new Map<string, Left>();
      for (const name of paths) found.set(name, await foundAt(workspaceRoot, name));
      return found;
    },
    patch: (request) => patchOf(workspaceRoot, request),
    read: readHandoffFile,
    discard: discardHandoff,
    tryPatch: (patch) => tryPatch(workspaceRoot, patch),
    apply: (patch) => applyPatch(workspaceRoot, patch),
  };
}

/** Reads one file of a folder; its name has no folder in it, and a link is never followed. */
export async function readHandoffFile(folder: string, name: string): Promise<Outcome<HandoffFile | null>> {
  if (name !== path.basename(name) || name === '..' || name === '.' || /[\\:\p{Cc}]/u.test(name))
    return refused('EVIDENCE_FOREIGN', `${JSON.stringify(name)} is no name of a file beside the bundle.`, whole);
  const file = path.join(folder, name);
  try {
    const read = await readOnce(file, largestFileBytes);
    if (read.kind === 'absent') return done(null);
    if (read.kind === 'irregular')
      return refused('EVIDENCE_FOREIGN', `${name} of the handoff is no regular file.`, whole);
    if (read.kind === 'too_large')
      return refused('EVIDENCE_FOREIGN', `${name} is larger than a file of a handoff.`, whole);
    const { bytes } = read;
    return done({ bytes, sha256: sha256Of(bytes) });
  } catch (error) {
    return refused('EVIDENCE_FOREIGN', `${name} cannot be read: ${errorMessage(error)}.`, whole);
  }
}

async function discardHandoff(folder: string): Promise<Outcome<null>> {
  try {
    for (const name of [handoffNames.bundle, handoffNames.sums])
      await unlink(path.join(folder, name)).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error;
      });
    return done(null);
  } catch (error) {
    return refused(
      'EVIDENCE_UNWRITABLE',
      `${folder} cannot be written anew: ${errorMessage(error)}.`,
      errorHelp(error, 'Make it writable for your user, then export again.'),
    );
  }
}

const whole = 'Fetch the whole folder from where it was exported.';
const largestFileBytes = 64 * 1024 * 1024;
/** Bytes; Node reads no more into one buffer. */
const largestOutputBytes = 2 * 1024 * 1024 * 1024 - 1;

/** The documents of seed 003, in the order in which a run meets them. */
const documents = [
  'handoff',
  'assignment',
  'result',
  'orchestrator-output',
  'task-event',
  'ledger',
  'locks',
  'recovery-packet',
  'task-evidence',
] as const;
