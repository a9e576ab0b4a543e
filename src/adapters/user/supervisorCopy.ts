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
  /** SHA-256 in hex. Default: of the one that was built with this program. */
  readonly sha256?: string;
}

/** Answers with the file to start, whose bytes were checked just now. Rejects where it cannot be put in place. */
export type SupervisorFile = () => Promise<string>;

/**
 * The supervisor as it is started: a copy in the user's state folder, by version and digest, so that an update in
 * mid-mission harms nothing and no program is started from where a worker may write. Its bytes are read once; what
 * becomes of the installed file afterwards does not matter. `state`: from `openUserStateFolder`.
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

/** Whether an argument of a command line is a supervisor of ours, in this version's words or an earlier one's. */
export function isSupervisorFile(argument: string): boolean {
  return /^supervisor(?:-[^\\/]+)?\.c?js$/.test(path.basename(argument));
}

/** On Windows a file without write permission could not be replaced. */
const mode = process.platform === 'win32' ? 0o600 : 0o500;
const mostBytes = 64 * 1024 * 1024;

/** Null: absent, no regular file of its own, or with other bytes. Follows no link: it could lead elsewhere a moment later. */
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
