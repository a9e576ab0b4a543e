import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { refused, done, type Outcome } from '../../base/outcome';
import { sha256Of } from '../files/bytes/sha256';
import { liesIn } from '../files/inside';
import type { PushedWork } from '../../engine/ports/fleet';
import { inScratchFolder } from '../files/scratch';
import { nullDevice } from './command';

export interface WantedCommit {
  readonly repository: string;
  readonly commit: string;
  /** Absolute; the folder of the host, which holds a bare repository for each that was asked for. */
  readonly root: string;
  /** Absolute; is not there yet. */
  readonly folder: string;
}

/**
 * Checks a commit out into a new folder, as a worktree, with the credentials of this user. Runs no hook. Never throws.
 */
export async function checkOut(wanted: WantedCommit): Promise<Outcome<null>> {
  const { repository, commit, folder } = wanted;
  const bare = bareOf(wanted);
  if (isOfHost(wanted)) {
    const reason = `The repository ${repository} lies in the folder of the host, where missions write files.`;
    return refused('FLEET_ORDER_REFUSED', reason, 'Submit the plan again with another repository.');
  }
  await mkdir(path.dirname(folder), { recursive: true, mode: 0o700 });
  for (const args of [
    ['init', '--quiet', '--bare', bare],
    ['-C', bare, 'fetch', '--quiet', '--no-tags', '--no-recurse-submodules', '--', repository, commit],
    ['-C', bare, 'worktree', 'add', '--quiet', '--detach', folder, commit],
  ]) {
    const { fault } = await git(args, path.dirname(folder));
    if (fault !== null) {
      const reason = `Commit ${commit} of ${repository} cannot be checked out: ${fault}.`;
      return refused('FLEET_ORDER_REFUSED', reason, 'Look whether this user can fetch it, then submit the plan again.');
    }
  }
  return done(null);
}

/**
 * Pushes the changes since its commit, as one commit on a new branch of the repository it came from. Git uses the
 * credentials of this user. Index, HEAD and files of the folder stay as they are. Submodules stay at their commits:
 * git would look into one by the settings that a worker wrote there, and these can start programs. Never throws.
 */
export async function pushWork(
  from: WantedCommit,
  { branch, evidence, message, author, held }: PushedWork,
): Promise<Outcome<string>> {
  const { repository, commit, folder } = from;
  return inScratchFolder('mission-push', async (scratch) => {
    // Not by the file `.git` of the folder, which a worker without a sandbox can write.
    const of = ['--git-dir', path.join(bareOf(from), 'worktrees', path.basename(folder)), '--work-tree', folder];
    const email = `mission-control@${os.hostname()}`;
    const env = {
      GIT_INDEX_FILE: path.join(scratch, 'index'),
      ...{ GIT_AUTHOR_NAME: author, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: author, GIT_COMMITTER_EMAIL: email },
    };
    const ref = `refs/heads/${branch}`;
    const steps: readonly ((last: string) => { readonly args: readonly string[]; readonly input?: string })[] = [
      () => ({ args: ['read-tree', commit] }),
      () => ({ args: ['ls-files', '--stage', '-z'] }),
      (staged) => {
        const links = partsOf(staged).flatMap((entry) => /^160000 [^\t]*\t(.*)$/s.exec(entry)?.[1] ?? []);
        const paths = ['.', ...links.map((name) => `:(exclude,literal)${name}`)];
        return { args: ['add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'], input: paths.join('\0') };
      },
      () => ({ args: ['ls-files', '--others', '-z', '--', `:(literal)${evidence}`] }),
      // A name with `/` at its end is a repository.
      (others) => ({
        args: ['update-index', '--add', '-z', '--stdin'],
        input: partsOf(others)
          .map((name) => (name.endsWith('/') ? '' : `${name}\0`))
          .join(''),
      }),
      () => ({ args: ['write-tree'] }),
      (tree) => ({ args: ['commit-tree', tree, '-p', commit, '-m', message] }),
      (made) => ({ args: [...pushing(repository), `--force-with-lease=${ref}:`, '--', repository, `${made}:${ref}`] }),
    ];
    let last = '';
    for (const [index, step] of steps.entries()) {
      if (index === steps.length - 1 && !(await held()))
        return refused(
          'FLEET_NOT_PUSHED',
          `The fleet counts this host as lost, so the work of the mission is in ${folder} and on no branch.`,
          'Look what the host that has the mission now pushes.',
        );
      const { args, input } = step(last);
      const { output, fault } = await git([...of, ...args], folder, env, input);
      if (fault !== null)
        return refused(
          'FLEET_NOT_PUSHED',
          `The work of the mission is in ${folder} and on no branch of ${repository}: ${fault}.`,
          'Fetch it from that folder, and look whether the user of the host can push.',
        );
      last = output;
    }
    return done(branch);
  });
}

/** A repository in a folder of this machine could have programs of its own, which git would start. */
function pushing(repository: string): readonly string[] {
  const receiver = `git -c core.hooksPath=${nullDevice} -c core.alternateRefsCommand=true receive-pack`;
  return [
    ...['push', '--quiet', '--no-verify', '--recurse-submodules=no'],
    ...(isFolder(repository) ? [`--receive-pack=${receiver}`] : []),
  ];
}

function isFolder(repository: string): boolean {
  return repository.startsWith('file://');
}

/** True: missions of the host may write the repository, so they could bring settings and programs of git. */
function isOfHost({ repository, root }: WantedCommit): boolean {
  if (!isFolder(repository)) return false;
  try {
    const named = decodeURIComponent(repository.slice('file://'.length));
    // Git looks for these three.
    return [named, `${named}.git`, path.join(named, '.git')].some((place) => liesIn(place, [root]));
  } catch {
    return true;
  }
}

function partsOf(output: string): readonly string[] {
  return output.split('\0').filter((name) => name !== '');
}

function bareOf({ repository, root }: WantedCommit): string {
  return path.join(root, 'repositories', `${sha256Of(repository).slice(0, 32)}.git`);
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

/** Runs git; names in `input` and `output` have a character for each byte. `fault` says why it failed; null: it did not. */
async function git(
  args: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
  input = '',
): Promise<{ readonly output: string; readonly fault: string | null }> {
  const { execa } = await import('execa');
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:GIT_|PG|MISSION_FLEET_)/.test(name));
  const env = { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...more };
  const result = await execa('git', [...settings, ...args], {
    ...{ cwd, env, extendEnv: false, reject: false, timeout: tenMinutes },
    ...{ input: Buffer.from(input, 'latin1'), encoding: 'latin1' },
  });
  if (!result.failed) return { output: result.stdout, fault: null };
  const said = result.stderr.trim().split('\n').at(-1) ?? '';
  return { output: '', fault: said === '' ? (result.originalMessage ?? 'git failed') : said };
}
