import { createHash } from 'node:crypto';
import { lstatSync, type BigIntStats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { askGit, type GitPlace } from './gitCommand';
import { withoutEditorKeys } from './gitConfigText';
import { gitDirOf, readShort, type Repository } from './gitLocate';
import { errorCode, readEntry } from './manifestEntry';
import { folderNames } from './manifestNames';
import { textLines } from './textLines';

/** One fact about a repository that nobody may change during a mission. Objects, remote branches, index and logs are none. */
export interface GitFact {
  /** `<folder>/.git/<part>` as POSIX path relative to the workspace; a packed branch has the path of a loose one. */
  readonly path: string;
  readonly sha256: string;
  /** What it says, where that is short: the commit of a branch, the mode of a hook. */
  readonly says: string;
  readonly changed_at: string;
}

/** The facts of a repository: HEAD, branches, tags, configuration, hooks, info. `prefix` is `.git`, or `sub/.git`. */
export async function gitFacts(repository: Repository, prefix: string): Promise<readonly GitFact[]> {
  const { gitDir, commonDir } = repository;
  const facts: GitFact[] = [];
  await addText(facts, path.join(gitDir, 'HEAD'), `${prefix}/HEAD`, (text) => text.trim(), true);
  await addText(facts, path.join(commonDir, 'config'), `${prefix}/config`, withoutEditorKeys, false);
  await addText(facts, path.join(gitDir, 'config.worktree'), `${prefix}/config.worktree`, withoutEditorKeys, false);
  await addTree(facts, path.join(commonDir, 'hooks'), `${prefix}/hooks`);
  await addTree(facts, path.join(commonDir, 'info'), `${prefix}/info`);
  if (gitDir !== commonDir) await addTree(facts, path.join(gitDir, 'info'), `${prefix}/worktree-info`);
  if (isThere(path.join(commonDir, 'reftable'))) await addReftable(facts, repository, prefix);
  else await addRefs(facts, commonDir, prefix);
  await addModules(facts, path.join(commonDir, 'modules'), `${prefix}/modules`);
  return facts.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
}

/** The commit HEAD names; null without one. */
export async function headCommit(repository: Repository): Promise<string | null> {
  if (isThere(path.join(repository.commonDir, 'reftable'))) {
    const answer = await askGit(placeOf(repository), ['rev-parse', '--verify', '--quiet', 'HEAD']);
    return answer.ok ? answer.stdout.toString('utf8').trim() : null;
  }
  const head = readShort(path.join(repository.gitDir, 'HEAD'))?.trim() ?? '';
  const branch = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (branch === undefined) return isCommit(head) ? head : null;
  if (branch.split('/').includes('..')) return null;
  const loose = readShort(path.join(repository.commonDir, branch))?.trim() ?? '';
  if (isCommit(loose)) return loose;
  for await (const [name, commit] of packedRefs(repository.commonDir)) if (name === branch) return commit;
  return null;
}

export function placeOf(repository: Repository): GitPlace {
  const { top, gitDir, commonDir } = repository;
  return { folder: top, gitDir, commonDir, workTree: top };
}

/** Branches and tags as `refs/... -> what it names`; remote branches and stashes move by themselves. */
async function addRefs(facts: GitFact[], commonDir: string, prefix: string): Promise<void> {
  const byPath = new Map<string, GitFact>();
  const packedAt = changeTime(path.join(commonDir, 'packed-refs'));
  for await (const [name, commit] of packedRefs(commonDir)) {
    if (!/^refs\/(heads|tags)\//.test(name)) continue;
    byPath.set(`${prefix}/${name}`, {
      path: `${prefix}/${name}`,
      sha256: digest(commit),
      says: commit,
      changed_at: packedAt,
    });
  }
  for (const kind of ['heads', 'tags']) {
    for (const file of filesBelow(path.join(commonDir, 'refs', kind))) {
      if (file.endsWith('.lock')) continue;
      const says = (readShort(path.join(commonDir, 'refs', kind, file)) ?? '(unreadable)').trim();
      const shown = `${prefix}/refs/${kind}/${file.split(path.sep).join('/')}`;
      const changed_at = changeTime(path.join(commonDir, 'refs', kind, file));
      byPath.set(shown, { path: shown, sha256: digest(says), says: says.slice(0, 200), changed_at });
    }
  }
  facts.push(...byPath.values());
}

async function addReftable(facts: GitFact[], repository: Repository, prefix: string): Promise<void> {
  const format = '%(refname) %(objectname)';
  const answer = await askGit(placeOf(repository), ['for-each-ref', `--format=${format}`, 'refs/heads', 'refs/tags']);
  const changed_at = changeTime(path.join(repository.commonDir, 'reftable', 'tables.list'));
  const lines = answer.ok ? answer.stdout.toString('utf8').split('\n').filter(Boolean) : [`refs ${answer.reason}`];
  for (const line of lines) {
    const [name = '', says = ''] = line.split(/ (.*)/s);
    facts.push({ path: `${prefix}/${name}`, sha256: digest(says), says, changed_at });
  }
}

async function* packedRefs(commonDir: string): AsyncGenerator<readonly [name: string, commit: string]> {
  const file = path.join(commonDir, 'packed-refs');
  const kind = statsOf(file);
  if (kind === null || !kind.isFile()) return;
  for await (const line of textLines(file)) {
    const [, commit, name] = /^([0-9a-f]{40,64}) (refs\/.+)$/.exec(line) ?? [];
    if (commit !== undefined && name !== undefined) yield [name, commit];
  }
}

/** Submodules keep their repository inside ours; a hook there runs just as well. */
async function addModules(facts: GitFact[], folder: string, prefix: string): Promise<void> {
  for (const name of foldersIn(folder)) {
    const inner = path.join(folder, name);
    const gitDir = await gitDirOf(inner);
    if (gitDir === null) await addModules(facts, inner, `${prefix}/${name}`);
    else facts.push(...(await gitFacts({ top: inner, gitDir, commonDir: gitDir }, `${prefix}/${name}/.git`)));
  }
}

/** Every file below; `info/refs` is derived from the refs by every clean-up. A link is resolved and read as what it leads to. */
async function addTree(facts: GitFact[], folder: string, prefix: string): Promise<void> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) return;
  if (real !== folder && path.dirname(real) !== path.dirname(folder)) {
    facts.push({ path: prefix, sha256: digest(real), says: `leads to ${real}`, changed_at: changeTime(folder) });
  }
  for (const file of filesBelow(real)) {
    const shown = `${prefix}/${file.split(path.sep).join('/')}`;
    if (!shown.endsWith('.git/info/refs')) await addFile(facts, path.join(real, file), shown);
  }
}

/** A file as it is: digest, and whether it can be executed. */
async function addFile(facts: GitFact[], file: string, shown: string): Promise<void> {
  const entry = await readEntry(file, shown, {
    known: null,
    fresh_since_ns: 0n,
    large_file_bytes: largestFileBytes,
    often: true,
  });
  if (entry === null) return;
  const executable = (entry.mode & 0o111) === 0 ? '' : 'executable';
  const says = entry.type === 'file' ? executable : `${entry.type} ${entry.target ?? ''}`.trim();
  const sha256 = entry.sha256 ?? digest(`${entry.type} ${entry.target ?? ''} ${entry.problem ?? ''} ${entry.size}`);
  facts.push({ path: shown, sha256, says, changed_at: isoOf(entry.ctime_ns) });
}

/** A short file by the part of its text that counts. */
async function addText(
  facts: GitFact[],
  file: string,
  shown: string,
  meaning: (text: string) => string,
  say: boolean,
): Promise<void> {
  const text = readShort(file);
  if (text === null) return addFile(facts, file, shown);
  const says = say ? meaning(text).slice(0, 200) : '';
  facts.push({ path: shown, sha256: digest(meaning(text)), says, changed_at: changeTime(file) });
}

const largestFileBytes = 256 * 1024 * 1024;

/** Relative paths of what is below a folder and no folder itself. */
function filesBelow(folder: string): readonly string[] {
  const found: string[] = [];
  const waiting = [''];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    for (const entry of namesIn(path.join(folder, inner))) {
      const relative = path.join(inner, entry.name);
      if (entry.isFolder) waiting.push(relative);
      else found.push(relative);
    }
  }
  return found;
}

function foldersIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter((entry) => entry.isFolder)
    .map((entry) => entry.name);
}

function namesIn(folder: string) {
  try {
    return folderNames(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errorCode(error))) return [];
    throw error;
  }
}

function isThere(file: string): boolean {
  return statsOf(file) !== null;
}

/** Last change of a file, of the nearest folder above it where it is gone; ISO-8601. */
export function changeTime(file: string): string {
  const stats = statsOf(file);
  if (stats !== null) return isoOf(stats.ctimeNs.toString());
  const above = path.dirname(file);
  return above === file ? isoOf('0') : changeTime(above);
}

function statsOf(file: string): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true });
  } catch {
    return null; // gone, or in a place that cannot be entered
  }
}

export function isoOf(nanoseconds: string): string {
  return new Date(Number(BigInt(nanoseconds) / 1_000_000n)).toISOString();
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(text);
}
