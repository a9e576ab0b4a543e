import { stat } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { Repository } from './locate';
import { inPackages, searchOutside } from '../files/outside';

export interface GitPlace {
  /** Absolute folder to run in. */
  readonly folder: string;
  /** Absolute, from `locateRepository`: git does not search, and does not believe `core.worktree`. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: string;
}

export function placeOf({ top, gitDir, commonDir }: Repository): GitPlace {
  return { folder: top, gitDir, commonDir, workTree: top };
}

export type GitAnswer =
  { readonly ok: true; readonly stdout: Buffer } | { readonly ok: false; readonly reason: string };

export interface AskedMore {
  /** For its standard input; without it there is none. */
  readonly input?: string;
  /** Exit codes that are no failure, 0 among them. */
  readonly status?: readonly number[];
}

/**
 * Asks git something in a repository that may be hostile. Nothing the repository names is executed: no
 * file-system monitor, no hook, no transport (a partial clone could fetch), no pager, no prompt; settings of the
 * user and the machine are not read; optional locks are not taken, so the index is not rewritten under anybody.
 * Only plumbing that needs no filter or textconv is asked. Never throws.
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
    // Our protections replace the check of who owns the folder: containers mount folders of other owners.
    'safe.directory=*',
  ].flatMap((setting) => ['-c', setting]);
  const where = [
    '--no-optional-locks',
    '--no-pager',
    '--literal-pathspecs',
    `--git-dir=${place.gitDir}`,
    `--work-tree=${place.workTree}`,
  ];
  // Loaded when it is needed: execa does not load on Node 20, where `mission check` has to.
  const { execa } = await import('execa');
  const result = await execa('git', [...where, ...protections, ...args], {
    cwd: place.folder,
    env: gitEnvironment([place.folder]),
    extendEnv: false,
    encoding: 'buffer',
    ...(more.input === undefined ? { stdin: 'ignore' } : { input: more.input }),
    stripFinalNewline: false,
    reject: false,
    timeout: gitTimeoutMilliseconds,
    maxBuffer: 1_000_000_000,
  });
  const isFine = result.exitCode !== undefined && !result.timedOut && more.status?.includes(result.exitCode) === true;
  if (!result.failed || isFine) return { ok: true, stdout: bytesOf(result.stdout) };
  if (result.timedOut) return { ok: false, reason: `git did not answer within ${gitTimeoutMilliseconds / 1000} s` };
  // There is no stream at all when the program could not be started.
  const stderr = Buffer.from((result.stderr as Uint8Array | undefined) ?? [])
    .toString('utf8')
    .trim();
  return {
    ok: false,
    reason: stderr === '' ? (result.originalMessage ?? 'git failed') : (stderr.split('\n')[0] ?? ''),
  };
}

/**
 * Runs git on plain files in a folder, as if there were no repository: no configuration, filter, attribute or hook of
 * one is read, whatever lies around. `status`: exit codes that are no failure. Never throws.
 */
export async function gitOnFiles(
  folder: string,
  args: readonly string[],
  status: readonly number[] = [0],
): Promise<GitAnswer> {
  const { execa } = await import('execa');
  const result = await execa('git', ['--no-pager', '-c', 'core.quotePath=false', ...args], {
    cwd: folder,
    // A repository that is named and not there keeps git from looking for one.
    env: { ...gitEnvironment([folder]), GIT_DIR: path.join(folder, '.no-repository', '.git') },
    extendEnv: false,
    encoding: 'buffer',
    stdin: 'ignore',
    stripFinalNewline: false,
    reject: false,
    timeout: gitTimeoutMilliseconds,
    maxBuffer: 1_000_000_000,
  });
  if (result.exitCode !== undefined && status.includes(result.exitCode) && !result.timedOut)
    return { ok: true, stdout: bytesOf(result.stdout) };
  const stderr = Buffer.from((result.stderr as Uint8Array | undefined) ?? [])
    .toString('utf8')
    .trim();
  return {
    ok: false,
    reason: stderr === '' ? (result.originalMessage ?? 'git failed') : (stderr.split('\n')[0] ?? ''),
  };
}

/** The same bytes: a copy of a list of all files would count. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The parts of a `-z` answer, as bytes: names need not be UTF-8. One after the other: an index has hundreds of thousands. */
export function* splitNul(answer: Buffer): Generator<Buffer, undefined> {
  let start = 0;
  for (let end = answer.indexOf(0); end !== -1; end = answer.indexOf(0, start)) {
    yield answer.subarray(start, end);
    start = end + 1;
  }
}

/** Git would wait for a writer for ever. What else it may wait for (an included file, an ignore file) ends by the time limit. */
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
const nullDevice = process.platform === 'win32' ? 'NUL' : '/dev/null';

/** `folders`: a `git` that lies there, or among the packages of some project, is not ours to start. */
export function gitEnvironment(folders: readonly string[]): Record<string, string> {
  const outside = searchOutside(process.env, folders);
  const kept = ['PATH', 'Path', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'].flatMap((name) => {
    const value = outside[name];
    return value === undefined ? [] : [[name, name.toLowerCase() === 'path' ? trustedFolders(value) : value] as const];
  });
  return {
    ...Object.fromEntries(kept),
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
