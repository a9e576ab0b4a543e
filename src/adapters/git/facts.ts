import path from 'node:path';
import { realpath } from 'node:fs/promises';
import { configuredPlaces } from './configPlaces';
import { excludesFile } from './excludes';
import {
  changeTime,
  foldersIn,
  isoOf,
  isThere,
  folderNamesOrCode,
  folderReadError,
  thingsBelow,
  type GitFact,
} from './files';
import { posix } from '../files/inside';
import { statsOf } from '../files/regular';
import { sha256Of } from '../files/bytes/sha256';
import { bareRepositoryAt, commonDirOf, readShort, type Repository } from './locate';
import { hasReftable, headText, refFacts, tablesOf } from './refs';
import { readEntry } from '../files/entry';

/** A repository and its name: `.git`, `sub/.git`, `.git/modules/sub/.git`. */
export interface NamedRepository {
  readonly prefix: string;
  readonly repository: Repository;
}

export interface RepositoryFacts extends NamedRepository {
  readonly facts: readonly GitFact[];
  /** `refs/remotes/...` to the commit. A fetch changes them, so they are no facts. */
  readonly remotes: ReadonlyMap<string, string>;
}

/** The end of a fact's path; the fact holds the settings of a configuration file that make git start programs. */
export const startsPrograms = ' starts programs';

/**
 * The facts of a repository and of the submodule repositories it keeps: HEAD, branches, tags, replaced objects,
 * configuration, hooks, info, alternates, and what an interrupted rebase would run. `isSeen` returns whether the
 * workspace manifest covers an absolute path anyway.
 */
export async function gitFacts(
  { repository, prefix }: NamedRepository,
  isSeen: (absolute: string) => boolean,
): Promise<readonly RepositoryFacts[]> {
  const { top, gitDir, commonDir } = repository;
  const facts: GitFact[] = [];
  const modules: RepositoryFacts[] = [];
  // A folder that is its own repository leads git nowhere.
  const isOwn = gitDir === path.join(top, '.git') || gitDir === top;
  if (commonDir !== gitDir || !isOwn) addPlace(facts, repository, prefix);
  await addHead(facts, repository, prefix);
  await addConfig(facts, path.join(commonDir, 'config'), `${prefix}/config`);
  await addConfig(facts, path.join(gitDir, 'config.worktree'), `${prefix}/config.worktree`);
  const { includes, hooks } = await configuredPlaces(repository);
  for (const file of includes.filter((file) => !isSeen(file))) {
    await addConfig(facts, file, `${prefix}/config includes ${posix(file)}`);
  }
  if (hooks !== null && !isSeen(hooks)) await addHooks(facts, hooks, `${prefix}/hooks at ${posix(hooks)}`);
  const rules = await excludesFile(repository);
  // The user's file is one fact, of the repository around the workspace.
  if ((rules.by === 'repository' || prefix === '.git') && !isSeen(rules.file))
    await addFile(facts, rules.file, `${prefix}/excludes at ${posix(rules.file)}`);
  await addTree(facts, path.join(commonDir, 'hooks'), `${prefix}/hooks`);
  await addTree(facts, path.join(commonDir, 'info'), `${prefix}/info`);
  if (gitDir !== commonDir) await addTree(facts, path.join(gitDir, 'info'), `${prefix}/worktree-info`);
  for (const name of ['alternates', 'http-alternates'])
    await addText(facts, path.join(commonDir, 'objects', 'info', name), `${prefix}/objects/info/${name}`, same, true);
  for (const name of ['rebase-merge', 'rebase-apply', 'sequencer'])
    await addTree(facts, path.join(gitDir, name), `${prefix}/${name}`);
  // Adds these files, because a person's next commit would become a merge or take their message.
  for (const name of ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'MERGE_MSG', 'SQUASH_MSG'])
    await addText(facts, path.join(gitDir, name), `${prefix}/${name}`, same, false);
  await addWorktrees(facts, commonDir, prefix);
  const refs = await refFacts(repository, prefix);
  facts.push(...refs.facts);
  await addModules(facts, modules, path.join(commonDir, 'modules'), `${prefix}/modules`);
  return [{ repository, prefix, facts, remotes: refs.remotes }, ...modules];
}

/** With a reftable the file HEAD is a stub that says nothing. */
async function addHead(facts: GitFact[], repository: Repository, prefix: string): Promise<void> {
  const file = path.join(repository.gitDir, 'HEAD');
  if (!hasReftable(repository)) return addText(facts, file, `${prefix}/HEAD`, (text) => text.trim(), true);
  const says = (await headText(repository)).slice(0, 200);
  facts.push(factOf(`${prefix}/HEAD`, says, changeTime(tablesOf(repository, 'HEAD'))));
}

/** Adds where a `.git` file, a link or a `commondir` leads git. */
function addPlace(facts: GitFact[], { top, gitDir, commonDir }: Repository, prefix: string): void {
  const says = commonDir === gitDir ? `is ${posix(gitDir)}` : `is ${posix(gitDir)}, shares ${posix(commonDir)}`;
  const redirects = [path.join(gitDir, 'commondir'), path.join(top, '.git')].filter(isThere);
  const changed_at = redirects.map(changeTime).sort().at(-1) ?? changeTime(gitDir);
  facts.push(factOf(`${prefix}/commondir`, says, changed_at));
}

/**
 * Adds a `commondir` file of another worktree only if it leads git elsewhere. Leaves out the
 * others, because people make and remove worktrees as they like.
 */
async function addWorktrees(facts: GitFact[], commonDir: string, prefix: string): Promise<void> {
  const folder = path.join(commonDir, 'worktrees');
  for (const name of foldersIn(folder)) {
    const shared = await commonDirOf(path.join(folder, name));
    if (shared === commonDir || shared === path.join(folder, name)) continue;
    const changed_at = changeTime(path.join(folder, name, 'commondir'));
    facts.push(factOf(`${prefix}/worktrees/${name}/commondir`, `shares ${posix(shared)}`, changed_at));
  }
}

/** Submodules keep their repositories here; git runs their hooks as well. */
async function addModules(facts: GitFact[], found: RepositoryFacts[], folder: string, prefix: string): Promise<void> {
  if (folderReadError(folder) !== null) await addTree(facts, folder, prefix);
  for (const name of foldersIn(folder)) {
    const inner = path.join(folder, name);
    const repository = await bareRepositoryAt(inner);
    if (repository === null) await addModules(facts, found, inner, `${prefix}/${name}`);
    else found.push(...(await gitFacts({ repository, prefix: `${prefix}/${name}/.git` }, () => false)));
  }
}

/** A configured hooks folder may be any folder, so only names that git could run as hooks are read. */
async function addHooks(facts: GitFact[], folder: string, prefix: string): Promise<void> {
  const names = folderNamesOrCode(folder);
  if (typeof names === 'string') {
    addClosed(facts, folder, prefix, names);
    return;
  }
  const hooks = names.filter(({ name, isFolder }) => !isFolder && isHookName(name));
  for (const { name } of hooks.slice(0, mostHooks)) await addFile(facts, path.join(folder, name), `${prefix}/${name}`);
}

/** Says whether git could run a name as a hook, or a hook could source it. */
export function isHookName(name: string): boolean {
  return /^[a-z0-9-]+(\.exe)?$/i.test(name);
}

/** Adds every file below that git may use. Follows a linked folder. */
async function addTree(facts: GitFact[], folder: string, prefix: string): Promise<void> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) return;
  if (real !== folder && path.dirname(real) !== path.dirname(folder)) {
    facts.push({ path: prefix, sha256: sha256Of(real), says: `leads to ${real}`, changed_at: changeTime(folder) });
  }
  for (const { path: file, problem } of thingsBelow(real)) {
    const shown = file === '' ? prefix : `${prefix}/${posix(file)}`;
    if (problem !== null) addClosed(facts, path.join(real, file), shown, problem);
    else if (!isUnused(shown)) await addFile(facts, path.join(real, file), shown);
  }
}

/** Leaves out `info/refs`, because clean-ups derive it from the refs, and samples of hooks, because git runs none. */
function isUnused(shown: string): boolean {
  return shown.endsWith('.git/info/refs') || /\.git\/(.*\/)?hooks\/.*\.sample$/.test(shown);
}

/** Adds a folder that cannot be read by its times, which show that an entry of it came or went. */
function addClosed(facts: GitFact[], folder: string, shown: string, problem: string): void {
  const stats = statsOf(folder);
  const sha256 = sha256Of(`${problem} ${stats?.ino ?? 0} ${stats?.mtimeMs ?? 0} ${stats?.ctimeMs ?? 0}`);
  facts.push({ path: shown, sha256, says: `folder that cannot be read (${problem})`, changed_at: changeTime(folder) });
}

async function addFile(facts: GitFact[], file: string, shown: string): Promise<void> {
  const entry = await readEntry(file, shown, { large_file_bytes: largestFileBytes, often: true });
  if (entry === null) return;
  const executable = (entry.mode & 0o111) === 0 ? '' : 'executable';
  const says = entry.type === 'file' ? executable : `${entry.type} ${entry.target ?? ''}`.trim();
  const { type, target = '', problem = '', size, mtime_ms, ctime_ms } = entry;
  const sha256 =
    entry.sha256 ?? sha256Of(`${type} ${target} ${problem} ${size} ${problem && `${mtime_ms} ${ctime_ms}`}`);
  facts.push({ path: shown, sha256, says, changed_at: isoOf(ctime_ms) });
}

/** Adds a short file by the part of its text that counts; `say`: the fact shows that part. */
async function addText(
  facts: GitFact[],
  file: string,
  shown: string,
  meaning: (text: string) => string,
  say: boolean,
): Promise<void> {
  const text = readShort(file);
  if (text === null) return addFile(facts, file, shown);
  const says = say ? meaning(text).trim().slice(0, 200) : '';
  facts.push({ ...factOf(shown, meaning(text), changeTime(file)), says });
}

/** Adds a file of configuration, and its own fact for the parts that make git start a program. */
async function addConfig(facts: GitFact[], file: string, shown: string): Promise<void> {
  await addText(facts, file, shown, withoutEditorKeys, false);
  const programs = programSettings(readShort(file) ?? '').join('\n');
  if (programs === '') return;
  facts.push({ ...factOf(`${shown}${startsPrograms}`, programs, changeTime(file)), says: programs.slice(0, 200) });
}

function factOf(shown: string, says: string, changed_at: string): GitFact {
  return { path: shown, sha256: sha256Of(says), says, changed_at };
}

const mostHooks = 200;
const largestFileBytes = 256 * 1024 * 1024;

function same(text: string): string {
  return text;
}

/**
 * Drops from a `config` file the keys that editors keep per branch: the Git extension's
 * `branch.<name>.vscode-merge-base`, those of pull-request and Git tools. Git itself ignores them. Drops only whole
 * one-line entries below a `[branch "..."]` header, and headers that become empty.
 */
function withoutEditorKeys(text: string): string {
  const kept: string[] = [];
  let inBranch = false;
  let continued = false;
  for (const line of text.split('\n')) {
    const wasContinued = continued;
    continued = /\\\r?$/.test(line);
    if (wasContinued) {
      kept.push(line);
      continue;
    }
    if (/^\s*\[/.test(line)) inBranch = /^\s*\[\s*branch\s+"(?:[^"\\]|\\.)*"\s*\]\s*$/i.test(line);
    if (inBranch && !continued && editorKey.test(line)) continue;
    kept.push(line);
  }
  return withoutEmptyBranches(kept).join('\n');
}

const editorKey = /^\s*(?:vscode-[a-z0-9-]+|gk-[a-z0-9-]+|github-pr-[a-z0-9-]+)\s*=/i;
const branchHeader = /^\s*\[\s*branch\s+"(?:[^"\\]|\\.)*"\s*\]\s*$/i;

function withoutEmptyBranches(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let entriesFollow = false;
  for (const line of lines.toReversed()) {
    if (branchHeader.test(line) && !entriesFollow) continue;
    kept.push(line);
    if (/^\s*\[/.test(line)) entriesFollow = false;
    else if (line.trim() !== '') entriesFollow = true;
  }
  return kept.toReversed();
}

/**
 * The settings of a `config` file that make git start a program or read another place: one `section.key=value` each, in
 * order. People and tools change all other settings (a remote, an upstream, a name) in passing.
 */
export function programSettings(text: string): readonly string[] {
  const found: string[] = [];
  let section = '';
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\](.*)$/.exec(line);
    const [, name = '', sub, rest = line] = header ?? [];
    if (header) section = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`;
    const [, key, value = ''] = /^\s*([A-Za-z][\w-]*)\s*(?:=(.*))?$/.exec(rest) ?? [];
    if (key === undefined) continue;
    const setting = `${section}.${key.toLowerCase()}`;
    if (programs.test(setting) && !(setting === 'core.fsmonitor' && isSwitch.test(value.trim())))
      found.push(`${setting}=${value.trim()}`);
  }
  return found;
}

/** A value of `core.fsmonitor` that starts git itself or nothing. */
const isSwitch = /^(?:true|false|yes|no|on|off|[01])?$/i;

const programs = new RegExp(
  `^(?:${[
    String.raw`core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|attributesfile|alternaterefscommand)`,
    String.raw`(?:alias|pager)\..+`,
    String.raw`filter\..+\.(?:clean|smudge|process)`,
    String.raw`diff\.(?:external|.+\.(?:command|textconv))`,
    String.raw`merge\..+\.driver`,
    String.raw`(?:difftool|mergetool|man|browser)\..+\.(?:cmd|path)`,
    String.raw`include(?:if\..+)?\.path`,
    String.raw`credential\.(?:.+\.)?helper`,
    String.raw`gpg\.(?:.+\.)?(?:program|defaultkeycommand)`,
    String.raw`(?:sequence\.editor|interactive\.difffilter|uploadpack\.packobjectshook)`,
    String.raw`remote\..+\.(?:uploadpack|receivepack|vcs)`,
    String.raw`url\..+\.(?:insteadof|pushinsteadof)`,
    String.raw`submodule\..+\.update`,
  ].join('|')})$`,
  's',
);
