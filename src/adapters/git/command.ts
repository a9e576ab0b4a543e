import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Repository } from './locate';
import { inPackages, searchOutside, variablesOf } from '../files/inside';
import { homeFolder } from '../system/machine';

/** A repository, and the absolute folder to run in; absent: its top. */
export type GitPlace = Repository & { readonly folder?: string };

export type GitAnswer =
  | { readonly ok: true; readonly stdout: Buffer }
  | { readonly ok: false; readonly reason: string };

export interface AskedMore {
  readonly input?: string;
  /** Exit codes that are not failures, including 0. */
  readonly status?: readonly number[];
}

/**
 * Runs a git query in a repository that may be hostile. Git executes nothing that the repository names: no file-system
 * monitor, hook, transport (a partial clone could fetch), pager or prompt. It reads no settings of user or machine. It
 * takes no optional locks, so it never rewrites the index. Pass only plumbing commands that need no filter or textconv.
 * Never throws.
 */
export async function askGit(place: GitPlace, args: readonly string[], more: AskedMore = {}): Promise<GitAnswer> {
  const pipe = await firstPipe([place.gitDir, place.commonDir]);
  if (pipe !== null) return { ok: false, reason: `${pipe} is no regular file` };
  const protections = [
    'core.fsmonitor=false',
    `core.hooksPath=${nullDevice}`,
    `core.attributesFile=${nullDevice}`,
    'core.untrackedCache=false',
    'core.pager=',
    'core.sshCommand=false',
    'protocol.allow=never',
    'submodule.recurse=false',
    // Turns off git's owner check, because containers mount folders of other owners; the above protects instead.
    'safe.directory=*',
  ].flatMap((setting) => ['-c', setting]);
  const where = [
    '--no-optional-locks',
    '--no-pager',
    '--literal-pathspecs',
    // Given, so that git does not search and ignores `core.worktree`.
    `--git-dir=${place.gitDir}`,
    `--work-tree=${place.top}`,
  ];
  const all = [...where, ...protections, ...args];
  const { folder = place.top } = place;
  // Git refuses a configuration that names a path with `~` without a home, and reads nothing else there.
  const home = { HOME: homeFolder() ?? os.tmpdir(), XDG_CONFIG_HOME: nullDevice };
  return run(all, { cwd: folder, env: { ...gitEnvironment([folder]), ...home } }, more);
}

/**
 * Runs git on plain files in a folder, without a repository. Git reads no configuration, filter, attribute or hook of a
 * repository around the folder. `status`: exit codes that are not failures. Never throws.
 */
export async function gitOnFiles(
  folder: string,
  args: readonly string[],
  status: readonly number[] = [0],
): Promise<GitAnswer> {
  // Naming a repository that does not exist keeps git from looking for one.
  const env = { ...gitEnvironment([folder]), GIT_DIR: path.join(folder, '.no-repository', '.git') };
  return run(['--no-pager', '-c', 'core.quotePath=false', ...args], { cwd: folder, env }, { status });
}

async function run(
  args: readonly string[],
  where: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  { input, status = [0] }: AskedMore,
): Promise<GitAnswer> {
  // Loaded late: execa does not load on Node 20, where `mission check` has to run.
  const { execa } = await import('execa');
  const result = await execa('git', args, {
    ...where,
    extendEnv: false,
    encoding: 'buffer',
    ...(input === undefined ? { stdin: 'ignore' } : { input }),
    stripFinalNewline: false,
    reject: false,
    timeout: gitTimeoutMilliseconds,
    maxBuffer: 1_000_000_000,
  });
  const isFine = result.exitCode !== undefined && !result.timedOut && status.includes(result.exitCode);
  if (!result.failed || isFine) {
    // A view of the same bytes, because copying a list of all files is slow.
    const { buffer, byteOffset, byteLength } = result.stdout;
    return { ok: true, stdout: Buffer.from(buffer, byteOffset, byteLength) };
  }
  if (result.timedOut) return { ok: false, reason: `git did not answer within ${gitTimeoutMilliseconds / 1000} s` };
  // The stream is missing when the program could not be started.
  const stderr = Buffer.from((result.stderr as Uint8Array | undefined) ?? [])
    .toString('utf8')
    .trim();
  return {
    ok: false,
    reason: stderr === '' ? (result.originalMessage ?? 'git failed') : (stderr.split('\n')[0] ?? ''),
  };
}

/** The parts of a `-z` answer, as bytes, because names need not be UTF-8. Lazy, because an index is long. */
export function* splitNul(answer: Buffer): Generator<Buffer, undefined> {
  let start = 0;
  for (let end = answer.indexOf(0); end !== -1; end = answer.indexOf(0, start)) {
    yield answer.subarray(start, end);
    start = end + 1;
  }
}

export function partTexts(answer: Buffer): readonly string[] {
  return [...splitNul(answer)].map((part) => part.toString('utf8'));
}

/** The input that names each of these with a NUL behind it. */
export function nulEnded(names: readonly string[]): string {
  return names.map((name) => `${name}\0`).join('');
}

/**
 * Finds a pipe in place of a file that git reads, because git would wait for its writer for ever. For other such files
 * the time limit ends git.
 */
async function firstPipe(folders: readonly string[]): Promise<string | null> {
  for (const folder of new Set(folders)) {
    for (const name of ['HEAD', 'index', 'config', 'config.worktree', 'packed-refs', 'commondir', 'info/exclude']) {
      const kind = await stat(path.join(folder, name)).catch(() => null);
      if (kind !== null && !kind.isFile()) return name;
    }
  }
  return null;
}

const gitTimeoutMilliseconds = 60_000;
/** An empty file, for settings that name a file. */
export const nullDevice = process.platform === 'win32' ? 'NUL' : '/dev/null';

/** `folders`: no `git` in these is started, nor one among the packages of a project. */
export function gitEnvironment(folders: readonly string[]): Record<string, string> {
  const wanted = ['PATH', 'Path', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
  const { PATH, Path, ...kept } = variablesOf(searchOutside(process.env, folders), wanted);
  return {
    ...kept,
    ...(PATH !== undefined && { PATH: trustedFolders(PATH) }),
    ...(Path !== undefined && { Path: trustedFolders(Path) }),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: nullDevice,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_SSH_COMMAND: 'false',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

function trustedFolders(value: string): string {
  return value
    .split(path.delimiter)
    .filter((folder) => !inPackages(folder))
    .join(path.delimiter);
}

/** The name in the user's own git configuration; null: it names no user. */
export function gitUserName(folders: readonly string[]): Promise<string | null> {
  return ownSetting(['user.name'], folders, 200);
}

/** The file with the user's own ignore rules, which need not exist. */
export async function ownExcludesFile(folders: readonly string[]): Promise<string> {
  const named = await ownSetting(['--type=path', 'core.excludesFile'], folders, 4096);
  const { XDG_CONFIG_HOME: settings = '' } = process.env;
  const folder = settings === '' ? path.join(homeFolder() ?? os.tmpdir(), '.config') : settings;
  return named ?? path.join(folder, 'git', 'ignore');
}

/**
 * Reads the configuration of user and machine. Never reads a repository's, because it may come from another person.
 * `folders`: no program from these is started. Never throws.
 */
async function ownSetting(
  wanted: readonly string[],
  folders: readonly string[],
  longest: number,
): Promise<string | null> {
  const { GIT_CONFIG_NOSYSTEM, GIT_CONFIG_GLOBAL, ...environment } = gitEnvironment(folders);
  const names = ['HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'XDG_CONFIG_HOME', 'APPDATA'];
  const home = homeFolder() ?? os.tmpdir();
  const { execa } = await import('execa');
  const answer = await execa('git', ['config', '--get', ...wanted], {
    cwd: home,
    // Naming a repository that does not exist keeps git from finding one around the home folder.
    env: { ...environment, ...variablesOf(process.env, names), GIT_DIR: path.join(home, '.no-repository', '.git') },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: 10_000,
    maxBuffer: 10_000,
  });
  const value = answer.failed ? '' : answer.stdout.trim();
  return value === '' || value.length > longest ? null : value;
}
