import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/atomic';
import { readOnce } from '../files/opened';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import type { McpProgram } from '../../workers/worker';
import { asNode } from '../system/ownProgram';
import type { NodeFile } from './node';
import { mcpDigest, supervisorDigest } from './programDigests';
import { keepYoung, programsFolder, removeOld } from './programs';
import { unavailable } from './folder';

interface InstalledProgram {
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
export type SupervisorFile = () => Promise<string>;

export interface InstalledSupervisor {
  /** The built `supervisor.cjs` of this installation. */
  readonly supervisorFile: string;
  readonly toolVersion: string;
  /** SHA-256 in hex. Default: of the supervisor built with this program. */
  readonly sha256?: string;
}

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

/** Says how the copy of the server of the mission tools is started, with the Node that runs our programs. */
export async function missionTools(
  { mcpFile: file, toolVersion }: { readonly mcpFile: string; readonly toolVersion: string },
  state: string,
  node: NodeFile,
): Promise<Outcome<McpProgram>> {
  const title = 'server of the mission tools';
  const copy = await openProgramCopy({ file, name: 'mcp', title, toolVersion, sha256: mcpDigest }, state);
  if (!copy.ok) return copy;
  try {
    const electron = 'ELECTRON_RUN_AS_NODE' in asNode ? { environment: { ...asNode } } : {};
    return done({ command: await node(), args: [await copy.value()], ...electron });
  } catch (error) {
    const step = 'Reload the window or run the command again; if it stays so, install Mission Control anew.';
    return refused('PROGRAM_CHANGED', `The server of the mission tools cannot be started: ${errorWords(error)}.`, step);
  }
}

/** The path of `mcp.js`, because all built programs of an installation lie in one folder. */
export function mcpFileBeside(supervisorFile: string): string {
  return path.join(path.dirname(supervisorFile), 'mcp.js');
}

/**
 * Keeps a copy of a program in the user's state folder, named by version and digest. Then an update
 * during a mission does no harm. Also, no program starts from a place that a worker may write.
 * Reads the installed file once. `state`: from `openUserStateFolder`.
 */
async function openProgramCopy(program: InstalledProgram, state: string): Promise<Outcome<SupervisorFile>> {
  const { name, toolVersion, sha256 } = program;
  const folder = programsFolder(state);
  const file = path.join(folder, `${name}-${toolVersion}-${sha256.slice(0, 16)}.cjs`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const bytes = (await readIntact(file, sha256)) ?? (await readIntact(program.file, sha256));
    if (bytes === null) return changed(program);
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
