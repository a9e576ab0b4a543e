import os from 'node:os';
import path from 'node:path';
import { realpath } from 'node:fs/promises';
import type { RawChange } from '../../core/observation/change';
import type { MakerSign } from '../../core/observation/likelyMakers';
import type { Makers } from '../../engine/ports/workspace';
import { editorLockOf } from '../files/editorLocks';
import { posix } from '../files/inside';
import { ownFolder } from '../files/leftOutFolders';
import { realOf } from '../files/outside';
import { askGit } from '../git/command';
import { locateRepository, type Repository } from '../git/locate';
import { processesAtWork } from '../processes/atWork';
import { isThere } from '../processes/table';
import { isSupervisorFile } from '../user/programCopy';

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
