import path from 'node:path';
import process from 'node:process';
import { askGit, nulEnded, nullDevice, type GitAnswer, type GitPlace, ownExcludesFile } from './command';
import { statsThrough } from '../files/regular';
import { readShort } from './locate';
import { homeFolder } from '../system/machine';

/** The file with ignore rules outside those of the work tree; it need not exist. */
export interface ExcludesFile {
  /** Absolute. */
  readonly file: string;
  /** Says whose configuration names it. Git reads one such file: the repository's if it names one. */
  readonly by: 'repository' | 'user';
}

/** Options that make git read the ignore rules of user and machine too. It runs nothing that those name. */
export async function ownRules(place: GitPlace): Promise<readonly string[]> {
  const { file, by } = await excludesFile(place);
  // Skips a pipe, because git would wait for its writer.
  const isFile = statsThrough(file)?.isFile() === true;
  if (by === 'repository') return isFile ? [] : ['-c', `core.excludesFile=${nullDevice}`];
  return isFile ? ['-c', `core.excludesFile=${file}`] : [];
}

export async function excludesFile(place: GitPlace): Promise<ExcludesFile> {
  const named = await namedByRepository(place);
  if (named !== null) return { file: path.resolve(place.top, named), by: 'repository' };
  return { file: path.resolve(place.top, await knownOwnFile(place.folder ?? place.top)), by: 'user' };
}

async function namedByRepository(place: GitPlace): Promise<string | null> {
  const files = [path.join(place.commonDir, 'config'), path.join(place.gitDir, 'config.worktree')];
  // Reads the files first, because starting git takes longer and few repositories have these settings.
  if (!files.some((file) => /excludesfile|\[\s*include/i.test(readShort(file) ?? ''))) return null;
  const question = ['config', '--type=path', '--get', 'core.excludesFile'];
  const answer = await askGit(place, question, { status: [0, 1] });
  if (!answer.ok || answer.stdout.length === 0) return null;
  const value = answer.stdout.toString('utf8').replace(/\n$/, '');
  // An empty value means that the repository has no such file.
  return value === '' ? nullDevice : value;
}

/**
 * Asks which of these names git ignores. `./` in front of a name keeps git from reading it as a pattern.
 *
 * @param rules `ownRules`, or none
 * @param how `--no-index`: also names that git tracks
 */
export function askIgnored(
  place: GitPlace,
  rules: readonly string[],
  names: readonly string[],
  how: '--no-index' | '--verbose',
): Promise<GitAnswer> {
  // `check-ignore` rejects literal pathspecs. Exit code 1 means that git ignores none.
  const question = [...rules, '--no-literal-pathspecs', 'check-ignore', how, '-z', '--stdin'];
  return askGit(place, question, { input: nulEnded(names), status: [0, 1] });
}

let known: { readonly key: string; readonly file: string } | null = null;

/** Asks git once, and again when a file of its configuration has changed. */
async function knownOwnFile(folder: string): Promise<string> {
  const { XDG_CONFIG_HOME: settings = '' } = process.env;
  const home = homeFolder() ?? '';
  const files = ['/etc/gitconfig', path.join(home, '.gitconfig'), path.join(home, '.config', 'git', 'config')];
  if (settings !== '') files.push(path.join(settings, 'git', 'config'));
  const stats = files.map(statsThrough).map((one) => [one?.ino, one?.size, one?.mtimeMs, one?.ctimeMs]);
  const key = JSON.stringify([home, settings, stats]);
  if (known?.key !== key) known = { key, file: await ownExcludesFile([folder]) };
  return known.file;
}
