import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { refused, done, type Outcome } from '../../base/outcome';
import { sha256Of } from '../files/bytes/sha256';
import { nullDevice } from './command';

/** A commit of a repository, and where its files go. */
export interface WantedCommit {
  readonly repository: string;
  readonly commit: string;
  /** Absolute; holds a bare repository for each that was asked for. */
  readonly repositories: string;
  /** Absolute; is not there yet. */
  readonly folder: string;
}

/**
 * Checks a commit out into a new folder, as a worktree. Git may use the credentials of this user, and runs no hook and
 * no transport but HTTPS, SSH and files. Never throws.
 */
export async function checkOut({ repository, commit, repositories, folder }: WantedCommit): Promise<Outcome<null>> {
  const bare = path.join(repositories, `${sha256Of(repository).slice(0, 32)}.git`);
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
  for (const args of [
    ['init', '--quiet', '--bare', bare],
    ['-C', bare, 'fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--', repository, commit],
    ['-C', bare, 'worktree', 'add', '--quiet', '--detach', folder, commit],
  ]) {
    const why = await fault(args, path.dirname(folder));
    if (why !== null)
      return refused(
        'FLEET_ORDER_REFUSED',
        `Commit ${commit} of ${repository} cannot be checked out: ${why}.`,
        'Look whether this user can fetch it, then submit the plan again.',
      );
  }
  return done(null);
}

const settings = [
  `core.hooksPath=${nullDevice}`,
  'core.fsmonitor=false',
  'protocol.allow=never',
  ...['https', 'ssh', 'file'].map((transport) => `protocol.${transport}.allow=always`),
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);
const tenMinutes = 600_000;

/** Runs git and says why it failed; null: it did not. */
async function fault(args: readonly string[], cwd: string): Promise<string | null> {
  const { execa } = await import('execa');
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:GIT_|PG|MISSION_FLEET_)/.test(name));
  const env = { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  const options = { cwd, env, extendEnv: false, reject: false, stdin: 'ignore', timeout: tenMinutes } as const;
  const result = await execa('git', [...settings, ...args], options);
  if (!result.failed) return null;
  return (result.stderr.trim().split('\n').at(-1) ?? '') || (result.originalMessage ?? 'git failed');
}
