import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/atomic';
import { readOnce } from '../files/opened';
import { done, refused, type Outcome } from '../../base/outcome';
import { keepYoung, programsFolder, removeOld } from './programs';
import { supervisorDigest } from './supervisorDigest';
import { unavailable } from './folder';

export interface InstalledSupervisor {
  /** The built `supervisor.cjs` of this installation. */
  readonly supervisorFile: string;
  readonly toolVersion: string;
  /** SHA-256 in hex. Default: of the supervisor built with this program. */
  readonly sha256?: string;
}

/** Resolves with the file to start, checked just now. Rejects when it cannot be written. */
export type SupervisorFile = () => Promise<string>;

/**
 * Keeps a copy of the supervisor in the user's state folder, named by version and digest, so that an update during a
 * mission does no harm and no program starts from where a worker may write. Reads the installed file once. `state`:
 * from `openUserStateFolder`.
 */
export async function openSupervisorCopy(
  installed: InstalledSupervisor,
  state: string,
): Promise<Outcome<SupervisorFile>> {
  const sha256 = installed.sha256 ?? supervisorDigest;
  const folder = programsFolder(state);
  const file = path.join(folder, `supervisor-${installed.toolVersion}-${sha256.slice(0, 16)}.cjs`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const bytes = (await readIntact(file, sha256)) ?? (await readIntact(installed.supervisorFile, sha256));
    if (bytes === null) return changed(installed.supervisorFile);
    const checked: SupervisorFile = async () => {
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

/** Whether a command-line argument is a supervisor of ours, as this version or an earlier one names it. */
export function isSupervisorFile(argument: string): boolean {
  return /^supervisor(?:-[^\\/]+)?\.c?js$/.test(path.basename(argument));
}

/** Windows cannot replace a file without write permission. */
const mode = process.platform === 'win32' ? 0o600 : 0o500;
const mostBytes = 64 * 1024 * 1024;

/** Null when absent, not regular, or with other bytes. Follows no link, which could lead elsewhere a moment later. */
async function readIntact(file: string, sha256: string): Promise<Buffer | null> {
  const read = await readOnce(file, mostBytes);
  if (read.kind !== 'file') return null;
  return createHash('sha256').update(read.bytes).digest('hex') === sha256 ? read.bytes : null;
}

function changed(file: string): ReturnType<typeof refused> {
  return refused(
    'PROGRAM_CHANGED',
    `${file} is not the supervisor that this program was built with. Nothing was started.`,
    'After an update or a build, reload the window or run the command again.',
    'If nobody has changed Mission Control, find out who wrote to that file, and install Mission Control anew.',
  );
}
