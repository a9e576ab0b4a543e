import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/atomic';
import { readOnce } from '../files/opened';
import { done, refused, type Outcome } from '../../base/outcome';
import { keepYoung, programsFolder, removeOld } from './programs';
import { unavailable } from './folder';

/** A program of this installation that is started from a copy. */
export interface InstalledProgram {
  readonly file: string;
  /** The first part of the copy's name; version and digest follow. */
  readonly name: 'supervisor' | 'mcp';
  /** The name for people. */
  readonly title: string;
  readonly toolVersion: string;
  /** SHA-256 in hex. */
  readonly sha256: string;
}

/** Resolves with the file to start, checked just now. Rejects if it cannot be written. */
export type ProgramFile = () => Promise<string>;

/**
 * Keeps a copy of a program in the user's state folder, named by version and digest. Then an update
 * during a mission does no harm. Also, no program starts from a place that a worker may write.
 * Reads the installed file once. `state`: from `openUserStateFolder`.
 */
export async function openProgramCopy(program: InstalledProgram, state: string): Promise<Outcome<ProgramFile>> {
  const { name, toolVersion, sha256 } = program;
  const folder = programsFolder(state);
  const file = path.join(folder, `${name}-${toolVersion}-${sha256.slice(0, 16)}.cjs`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const bytes = (await readIntact(file, sha256)) ?? (await readIntact(program.file, sha256));
    if (bytes === null) return changed(program);
    const checked: ProgramFile = async () => {
      if ((await readIntact(file, sha256)) === null) await writeFileAtomic(file, bytes, { mode });
      return file;
    };
    await checked();
    await keepYoung(file);
    await removeOld(folder);
    return done(checked);
  } catch (error) {
    return unavailable(folder, error);
  }
}

/** On Windows the copy stays writable, because a file without write permission cannot be replaced there. */
const mode = process.platform === 'win32' ? 0o600 : 0o500;
const mostBytes = 64 * 1024 * 1024;

/** Null: absent, not regular, or with other bytes. Follows no link, because it could lead elsewhere a moment later. */
async function readIntact(file: string, sha256: string): Promise<Buffer | null> {
  const read = await readOnce(file, mostBytes);
  if (read.kind !== 'file') return null;
  return createHash('sha256').update(read.bytes).digest('hex') === sha256 ? read.bytes : null;
}

function changed({ file, title }: InstalledProgram): ReturnType<typeof refused> {
  return refused(
    'PROGRAM_CHANGED',
    `${file} is not the ${title} that this program was built with. Nothing was started.`,
    'After an update or a build, reload the window or run the command again.',
    'If you have not changed Mission Control, find out who wrote to that file, and install Mission Control anew.',
  );
}
