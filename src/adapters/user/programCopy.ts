import { createHash } from 'node:crypto';
import { mkdir, copyFile, chmod, lstat, open, rename, rm, stat, readdir, unlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomic } from '../files/atomic';
import { readOnce } from '../files/opened';
import { done, errorWords, refused, type Outcome, errorCode, succeeds } from '../../base/outcome';
import type { McpProgram } from '../../workers/worker';
import { asNode } from '../system/ownProgram';
import { mcpDigest, supervisorDigest } from './programDigests';
import { unavailable } from './folder';
import { constants } from 'node:fs';
import { systemIds } from '../system/clock';
import { liesIn } from '../files/inside';
import { processTable } from '../processes/tree';

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

/** Resolves with the executable to start. Rejects if the file is gone, or has changed since it was opened here. */
export type NodeFile = () => Promise<string>;

/**
 * Returns the Node that runs our programs. Copies one inside the workspace, such as `node_modules/node`, because a
 * worker could replace it. The copy lies in the user's state folder, named by digest. VS Code's Electron cannot be
 * copied alone. So it is used in place as long as it stays the same file.
 */
export async function nodeOutside(
  execPath: string,
  workspaceDir: string,
  state: string,
  electron = process.versions['electron'] !== undefined,
): Promise<Outcome<NodeFile>> {
  if (!liesIn(execPath, [workspaceDir])) {
    return done(async () => {
      if (await succeeds(stat(execPath))) return execPath;
      throw new Error(`PROGRAM_CHANGED: ${goneWords(execPath, electron)}`);
    });
  }
  try {
    const place = electron ? execPath : await copyOf(execPath, programsFolder(state));
    if (!electron) await keepYoung(place);
    const first = await identityOf(place);
    return done(async () => {
      if ((await identityOf(place)) === first) return place;
      throw new Error(`PROGRAM_CHANGED: ${place} is no longer the program that it was when the mission was opened`);
    });
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !(await succeeds(stat(execPath))))
      return refused('PROGRAM_CHANGED', `${execPath}, which runs this, is gone.`, 'Run the command again.');
    return unavailable(state, error);
  }
}

/** The reason for people: a version manager or an update of VS Code removes the program under a running mission. */
function goneWords(execPath: string, electron: boolean): string {
  const step = electron
    ? 'Reload the window, then retry the task.'
    : 'End this command, then retry the task under the Node that is installed now.';
  return `${execPath}, which runs this mission, is gone, because an update or a person removed it. ${step}`;
}

/** Makes one copy for each content, which gets its name once it is complete and checked. */
async function copyOf(execPath: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sha256 = await digest(execPath);
  const extension = process.platform === 'win32' ? '.exe' : '';
  const file = path.join(folder, `node-${sha256.slice(0, 16)}${extension}`);
  if ((await lstat(file).catch(() => null))?.isFile() === true && (await digest(file)) === sha256) return file;
  const half = `${file}.${systemIds.uuid()}.tmp`;
  try {
    await copyFile(execPath, half, constants.COPYFILE_FICLONE);
    await chmod(half, 0o700);
    if ((await digest(half)) !== sha256) throw new Error(`${execPath} changes while it is copied`);
    await rename(half, file);
  } finally {
    await rm(half, { force: true });
  }
  return file;
}

/** Reads into one buffer, because a stream would take new memory for each piece. A Node has a hundred megabytes. */
async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file);
  try {
    const buffer = Buffer.allocUnsafe(1 << 20);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Identifies the file: no process can write or replace it and keep all of these. */
async function identityOf(file: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The only folder from which programs are started; each is named by its content. */
export function programsFolder(state: string): string {
  return path.join(state, 'programs');
}

/** Touches a program, because its age counts from its last use. */
async function keepYoung(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now);
}

/** Removes programs that were not used for 30 days and that no running process names. Ignores failures. */
async function removeOld(folder: string): Promise<void> {
  const old: string[] = [];
  for (const name of await readdir(folder)) {
    const stats = await lstat(path.join(folder, name)).catch(() => null); // gone: another owner was first
    if (stats?.isFile() === true && stats.mtimeMs < Date.now() - keptDays * 86_400_000) old.push(name);
  }
  if (old.length === 0) return;
  const named = new Set<string>();
  // Skips the running ones except on Windows, which returns one command line a second and never deletes a running
  // program. A script stays usable, because Node reads it whole at the start.
  const running = process.platform === 'win32' ? [] : (await processTable.list()).keys();
  for (const pid of running)
    for (const argument of await processTable.commandLine(pid)) named.add(path.basename(argument));
  for (const name of old) if (!named.has(name)) await unlink(path.join(folder, name)).catch(() => undefined);
}

const keptDays = 30;
