import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A repository on disk, and a folder beside it. */
export interface RepositoryPlace {
  readonly root: string;
  readonly scratch: string;
  git(...args: readonly string[]): string;
}

export interface Reftable {
  /** Runs git in the repository. */
  readonly git: (...args: readonly string[]) => string;
  /** The program that does so for others. */
  readonly program: string;
  /** A folder that belongs first on PATH; null: none does. */
  readonly searched: string | null;
}

/**
 * Gives the repository a reftable. Git makes one since 2.46. For an older git this is a stand-in: the files are laid
 * down as git does, and a `git` on PATH keeps the refs in a repository elsewhere.
 */
export function withReftable(place: RepositoryPlace): Reftable {
  return isMadeByGit() ? byGit(place) : standIn(place);
}

function isMadeByGit(): boolean {
  try {
    execFileSync('git', ['refs', 'migrate', '-h'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return false;
  } catch (error) {
    // Git ends with 129 after it has listed its options, and with 1 where it has no such command.
    return (error as { readonly status?: unknown }).status === 129;
  }
}

function byGit(place: RepositoryPlace): Reftable {
  const git: Reftable['git'] = (...args) => place.git(...args);
  // Some versions migrate no reflogs.
  rmSync(path.join(place.root, '.git/logs'), { recursive: true, force: true });
  git('refs', 'migrate', '--ref-format=reftable');
  return { git, program: 'git', searched: null };
}

/** Moves the repository out of the workspace and leaves what git shows of one with a reftable. */
function standIn(place: RepositoryPlace): Reftable {
  const { root, scratch } = place;
  const [seen, kept] = [path.join(root, '.git'), path.join(scratch, 'kept')];
  const tables = path.join(seen, 'reftable/tables.list');
  renameSync(seen, kept);
  mkdirSync(path.join(seen, 'refs'), { recursive: true });
  mkdirSync(path.join(seen, 'reftable'));
  writeFileSync(path.join(seen, 'HEAD'), 'ref: refs/heads/.invalid\n');
  writeFileSync(path.join(seen, 'refs/heads'), 'this repository uses the reftable format\n');
  writeFileSync(tables, '0x000000000001-0x000000000001-00000000.ref\n');
  for (const name of ['objects', 'index']) symlinkSync(path.join(kept, name), path.join(seen, name));
  for (const name of ['config', 'info', 'hooks'])
    cpSync(path.join(kept, name), path.join(seen, name), { recursive: true });
  rmSync(path.join(kept, 'hooks'), { recursive: true });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const searched = path.join(scratch, 'bin');
  mkdirSync(searched, { recursive: true });
  const write = (name: string, lines: string): string => {
    const file = path.join(searched, name);
    writeFileSync(file, `#!/bin/sh\n${lines}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  write(
    'git',
    `for one do\n  shift\n  [ "$one" = '--git-dir=${seen}' ] && one='--git-dir=${kept}'\n  set -- "$@" "$one"\ndone\nexec ${real} "$@"`,
  );
  // Git writes another table for each change of a ref.
  const program = write(
    'git-of-reftable',
    `echo "0x$(date +%s%N).ref" > '${tables}' && exec ${real} '--git-dir=${kept}' '--work-tree=${root}' "$@"`,
  );
  let written = 1;
  return {
    program,
    searched,
    git: (...args) => {
      const answer = place.git(`--git-dir=${kept}`, `--work-tree=${root}`, ...args);
      if (!['rev-parse', 'commit-tree'].includes(args[0] ?? ''))
        writeFileSync(tables, `0x${String(++written).padStart(12, '0')}.ref\n`);
      return answer;
    },
  };
}
