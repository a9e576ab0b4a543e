import os from 'node:os';
import path from 'node:path';
import { realpath, lstat, readlink } from 'node:fs/promises';
import type { RawChange } from '../../core/observation/change';
import type { MakerSign } from '../../core/observation/likelyMakers';
import type { Makers } from '../../engine/ports/workspace';
import { posix, realOf } from '../files/inside';
import { ownFolder } from '../files/leftOutFolders';
import { askGit } from '../git/command';
import { locateRepository, type Repository } from '../git/locate';
import { isThere, processTable, ancestorsIn } from '../processes/tree';
import { isSupervisorFile } from '../user/programCopy';
import { opendirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { breaths } from '../system/clock';
import { quietly } from '../processes/linux';
import { readOnce, readPart } from '../files/opened';

type Made = Pick<RawChange, 'path' | 'kind'>;

/**
 * Looks for makers of changes at the repository's worktrees, at swap and lock files, and at the process table.
 *
 * @param commandFile the program of the command line, whose processes a person starts in the workspace; absolute
 */
export function createMakers(workspace: string, commandFile: string): Makers {
  return {
    async signsOf(changes) {
      const root = await realpath(workspace).catch(() => workspace);
      const [facts, files] = [changes.filter(isOfGit), changes.filter((change) => !isOfGit(change))];
      const looks = [worktreesOf(root, facts), editorsOf(root, files), processesOf(root, files, commandFile)];
      // A look that fails finds no sign.
      const found = await Promise.all(looks.map((look) => look.catch((): readonly MakerSign[] => [])));
      return found.flat();
    },
  };
}

/** Number of files, and of signs of a kind, because a person reads few. */
const most = 50;

function isOfGit({ kind }: Made): boolean {
  return kind === 'git' || kind === 'index_flag';
}

async function worktreesOf(root: string, facts: readonly Made[]): Promise<readonly MakerSign[]> {
  const refs = facts.flatMap(({ path: fact }) => {
    const [, branch] = /^\.git\/refs\/heads\/(.+)$/.exec(fact) ?? [];
    return branch === undefined ? [] : [{ path: fact, branch }];
  });
  const repository = refs.length === 0 ? null : await locateRepository(root);
  if (repository === null) return [];
  const elsewhere = await checkedOutElsewhere(repository);
  return refs.slice(0, most).flatMap(({ path: fact, branch }): readonly MakerSign[] => {
    const folder = elsewhere.get(`refs/heads/${branch}`);
    if (folder === undefined) return [];
    return [{ kind: 'worktree', path: fact, branch, folder: posix(path.relative(root, folder)) || '.' }];
  });
}

/** Maps `refs/heads/...` to the absolute folder of another worktree that has the branch checked out. */
async function checkedOutElsewhere(repository: Repository): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const answer = await askGit(repository, ['worktree', 'list', '--porcelain']);
  if (!answer.ok) return found;
  for (const part of answer.stdout.toString('utf8').split('\n\n').slice(0, mostWorktrees)) {
    const [, folder = ''] = /^worktree (.+)$/m.exec(part) ?? [];
    const [, branch = ''] = /^branch (refs\/heads\/.+)$/m.exec(part) ?? [];
    if (branch === '' || !path.isAbsolute(folder) || folder.length > longestFolder) continue;
    const real = await realpath(folder).catch(() => folder);
    if (real !== repository.top) found.set(branch, real);
  }
  return found;
}

const mostWorktrees = 200;
const longestFolder = 1_000;

async function editorsOf(root: string, files: readonly Made[]): Promise<readonly MakerSign[]> {
  const found: MakerSign[] = [];
  for (const { path: file } of files.slice(0, most)) {
    const lock = await editorLockOf(path.join(root, ...file.split('/')));
    if (lock === null) continue;
    const { editor, pid, host } = lock;
    const isHere = host === os.hostname() || host === os.hostname().slice(0, vimHostBytes);
    // A lock of an editor that is gone proves nothing about now.
    if (isHere && pid !== null && !isThere(pid)) continue;
    found.push({ kind: 'editor', path: file, editor, lock: lock.lock, process: isHere ? pid : 'of_another_machine' });
  }
  return found;
}

/** Bytes; Vim cuts a longer name. */
const vimHostBytes = 39;

async function processesOf(root: string, files: readonly Made[], commandFile: string): Promise<readonly MakerSign[]> {
  const asked = new Map<string, string>();
  for (const { path: file } of files.slice(0, most)) {
    const place = path.join(root, ...file.split('/'));
    asked.set(await realpath(place).catch(() => place), file);
  }
  const own = path.join(root, ownFolder);
  const command = realOf(commandFile);
  const found = await processesAtWork(root, new Set(asked.keys()), {
    folder: (folder) => folder === own || folder.startsWith(`${own}/`),
    // A terminal shows a worker with the supervisor's program, and a person may call the command through a link.
    script: (file) => isSupervisorFile(file) || realOf(file) === command,
  });
  const open = found.flatMap(({ pid, program, has }) =>
    has.map((place): MakerSign => ({ kind: 'open', path: asked.get(place) ?? place, pid, program })),
  );
  const here = found.flatMap((one): readonly MakerSign[] =>
    one.here ? [{ kind: 'here', pid: one.pid, program: one.program }] : [],
  );
  return [...open.slice(0, most), ...here.slice(0, most)];
}

export interface ProcessAtWork {
  readonly pid: number;
  /** Its name, which the process may have chosen itself. */
  readonly program: string;
  /** The asked files that it has open for writing. */
  readonly has: readonly string[];
  /** Its working folder is the folder, or lies in it. */
  readonly here: boolean;
}

/** Recognises our own programs, because they may work in the folder as well. */
export interface OurPrograms {
  /** Returns whether our programs run with this working folder. */
  readonly folder: (folder: string) => boolean;
  /** Returns whether a script that a process runs is one of ours. Absolute. */
  readonly script: (file: string) => boolean;
}

/**
 * Finds processes that have some of these files open for writing now, or that work in the folder.
 * Leaves out those of a launch. This process, its ancestors, its children and our other programs do
 * not count as working there. Empty where the system does not say, and without processes of other
 * users. Looks for a limited time at a limited number of processes.
 */
export async function processesAtWork(
  folder: string,
  files: ReadonlySet<string>,
  ours: OurPrograms,
): Promise<readonly ProcessAtWork[]> {
  if (process.platform !== 'linux') return [];
  const found: ProcessAtWork[] = [];
  const until = performance.now() + mostMilliseconds;
  const breathe = breaths();
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const name of pids.slice(-mostProcesses)) {
    const pid = Number(name);
    const has = files.size === 0 ? [] : await openIn(pid, files, breathe);
    const cwd = quietly(() => readlinkSync(`/proc/${pid}/cwd`));
    const here = cwd !== null && (cwd === folder || cwd.startsWith(`${folder}/`)) && !isOurs(pid, cwd, ours);
    if (has.length > 0 || here) found.push({ pid, program: processName(pid), has, here });
    await breathe();
    if (performance.now() > until) break;
  }
  return found.length === 0 ? found : withoutLaunches(found);
}

const mostMilliseconds = 1_000;
const mostProcesses = 4_096;
const mostOpen = 1_024;

async function withoutLaunches(found: readonly ProcessAtWork[]): Promise<readonly ProcessAtWork[]> {
  const carriers = new Set(await processTable.carriers(null));
  const table = await processTable.list();
  const line = new Set([process.pid, ...ancestorsIn(table, process.pid)]);
  return found.flatMap((one) => {
    const above = ancestorsIn(table, one.pid);
    if ([one.pid, ...above].some((pid) => carriers.has(pid))) return [];
    const here = one.here && !line.has(one.pid) && !above.includes(process.pid);
    return one.has.length > 0 || here ? [{ ...one, here }] : [];
  });
}

function isOurs(pid: number, cwd: string, { folder, script }: OurPrograms): boolean {
  if (folder(cwd)) return true;
  const [, ...words] = wordsOf(pid);
  const first = words.find((word) => !word.startsWith('-')) ?? '';
  return first !== '' && script(path.resolve(cwd, first));
}

async function openIn(pid: number, files: ReadonlySet<string>, breathe: Breathe): Promise<readonly string[]> {
  const found = new Set<string>();
  const folder = quietly(() => opendirSync(`/proc/${pid}/fd`));
  if (folder === null) return [];
  try {
    for (let read = 0; read < mostOpen; read += 1) {
      const entry = quietly(() => folder.readSync());
      if (entry === null) break;
      const file = quietly(() => readlinkSync(`/proc/${pid}/fd/${entry.name}`));
      if (file !== null && files.has(file) && isForWriting(pid, entry.name)) found.add(file);
      await breathe();
    }
  } finally {
    folder.closeSync();
  }
  return [...found];
}

type Breathe = ReturnType<typeof breaths>;

/** The file is open for writing if the last digit of the flags is 1 or 2. */
function isForWriting(pid: number, descriptor: string): boolean {
  const says = quietly(() => readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8')) ?? '';
  return /^flags:\s*\d*[12]$/m.test(says);
}

function processName(pid: number): string {
  const name = (quietly(() => readFileSync(`/proc/${pid}/comm`, 'utf8')) ?? '').trim();
  const shown = name === nodeThread ? nodeProgram(pid) : name;
  return /^[\w .:+/()@-]{1,64}$/.test(shown) ? shown : 'a program';
}

/** Node names its main thread so, which hides what it runs. */
const nodeThread = 'MainThread';

/** Such as `node vite.js`. */
function nodeProgram(pid: number): string {
  const [file = '', script = '-'] = wordsOf(pid);
  return [file, ...(script.startsWith('-') ? [] : [script])].map((word) => path.basename(word)).join(' ');
}

function wordsOf(pid: number): readonly string[] {
  return (quietly(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').split('\0');
}

/** Facts from a swap or lock file of an editor. They prove nothing, because any process can write such a file. */
export interface EditorLock {
  readonly editor: 'vim' | 'Emacs' | 'LibreOffice';
  readonly lock: string;
  /** Null: the file names no process. */
  readonly pid: number | null;
  readonly host: string;
}

/** The swap or lock file beside a file, or the file itself if it is one; null: no such file can be read. */
async function editorLockOf(file: string): Promise<EditorLock | null> {
  const folder = path.dirname(file);
  const name = path.basename(file);
  for (const { lock, read } of [...asLock(name), ...besides(name)]) {
    const found = await read(path.join(folder, lock)).catch(() => null);
    if (found !== null) return { ...found, lock };
  }
  return null;
}

type Read = (file: string) => Promise<Omit<EditorLock, 'lock'> | null>;
interface Candidate {
  readonly lock: string;
  readonly read: Read;
}

function asLock(name: string): readonly Candidate[] {
  if (/^\..+\.sw[a-p]$/.test(name)) return [{ lock: name, read: readVim }];
  if (/^\.#./.test(name)) return [{ lock: name, read: readEmacs }];
  return /^\.~lock\..+#$/.test(name) ? [{ lock: name, read: readLibreOffice }] : [];
}

function besides(name: string): readonly Candidate[] {
  const hidden = name.startsWith('.') ? name : `.${name}`;
  return [
    ...['swp', 'swo', 'swn'].map((end) => ({ lock: `${hidden}.${end}`, read: readVim })),
    { lock: `.#${name}`, read: readEmacs },
    { lock: `.~lock.${name}#`, read: readLibreOffice },
  ];
}

/** Block 0 of a swap file: `b0`, the version, and at fixed places the process, the user and the host. */
const readVim: Read = async (file) => {
  const block = (await readPart(file, 108, 0))?.bytes;
  if (block?.length !== 108 || block.toString('latin1', 0, 5) !== 'b0VIM') return null;
  const pid = pidOf(block.readUInt32LE(24));
  return pid === null ? null : { editor: 'vim', pid, host: textUntilNul(block.subarray(68)) };
};

/** A link to `user@host.pid`, with the boot time where it is known. */
const readEmacs: Read = async (file) => {
  if (!(await lstat(file)).isSymbolicLink()) return null;
  const [, host = '', digits = ''] =
    /^[^@]{1,100}@(.{1,255})\.(\d{1,10})(?::\d{1,20})?$/s.exec(await readlink(file)) ?? [];
  const pid = pidOf(Number(digits));
  return pid === null ? null : { editor: 'Emacs', pid, host };
};

/** Name, user, host, time and place of its settings, separated by commas. */
const readLibreOffice: Read = async (file) => {
  const read = await readOnce(file, 4_096);
  if (read.kind !== 'file') return null;
  const fields = read.bytes.toString('utf8').split(',');
  const [, , host = ''] = fields;
  return fields.length < 4 ? null : { editor: 'LibreOffice', pid: null, host: host.slice(0, 255) };
};

function pidOf(number: number): number | null {
  return Number.isSafeInteger(number) && number > 0 && number <= 0x7fffffff ? number : null;
}

function textUntilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}
