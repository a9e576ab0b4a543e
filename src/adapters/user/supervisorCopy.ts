import path from 'node:path';
import type { Outcome } from '../../base/outcome';
import { openProgramCopy, type ProgramFile } from './programCopy';
import { supervisorDigest } from './programDigests';

export interface InstalledSupervisor {
  /** The built `supervisor.cjs` of this installation. */
  readonly supervisorFile: string;
  readonly toolVersion: string;
  /** SHA-256 in hex. Default: of the supervisor built with this program. */
  readonly sha256?: string;
}

export type SupervisorFile = ProgramFile;

export function openSupervisorCopy(
  { supervisorFile, toolVersion, sha256 = supervisorDigest }: InstalledSupervisor,
  state: string,
): Promise<Outcome<SupervisorFile>> {
  return openProgramCopy({ file: supervisorFile, name: 'supervisor', title: 'supervisor', toolVersion, sha256 }, state);
}

/** Returns whether a command-line argument is a supervisor of ours, of this version or an earlier one. */
export function isSupervisorFile(argument: string): boolean {
  return /^supervisor(?:-[^\\/]+)?\.c?js$/.test(path.basename(argument));
}
