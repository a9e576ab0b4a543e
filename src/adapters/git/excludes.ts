import path from 'node:path';
import process from 'node:process';
import { askGit, nullDevice, type GitPlace } from './command';
import { statsThrough } from './files';
import { readShort } from './locate';
import { ownExcludesFile } from './user';
import { homeFolder } from '../system/machine';

/** The file with ignore rules that lies outside the work tree's own ones; it need not exist. */
export interface ExcludesFile {
  /** Absolute. */
  readonly file: string;
  /** Whose configuration names it. Git reads one file: the repository's where it names one. */
  readonly by: 'repository' | 'user';
}

/**
 * Options with which git reads the ignore rules of the user and the machine as well, as it does for a person. It runs
 * nothing that their configuration names.
 */
export async function ownRules(place: GitPlace): Promise<readonly string[]> {
  const { file, by } = await excludesFile(place);
  // Git would wait for the writer of a pipe.
  const isFile = statsThrough(file)?.isFile() === true;
  if (by === 'repository') return isFile ? [] : ['-c', `core.excludesFile=${nullDevice}`];
  return isFile ? ['-c', `core.excludesFile=${file}`] : [];
}

export async function excludesFile(place: GitPlace): Promise<ExcludesFile> {
  const named = await namedByRepository(place);
  if (named !== null) return { file: path.resolve(place.workTree, named), by: 'repository' };
  return { file: path.resolve(place.workTree, await knownOwnFile(place.folder)), by: 'user' };
}

async function namedByRepository(place: GitPlace): Promise<string | null> {
  const files = [path.join(place.commonDir, 'config'), path.join(place.gitDir, 'config.worktree')];
  // Few repositories have any of these, and starting git takes longer than reading.
  if (!files.some((file) => /excludesfile|\[\s*include/i.test(readShort(file) ?? ''))) return null;
  const question = ['config', '--type=path', '--get', 'core.excludesFile'];
  const answer = await askGit(place, question, { status: [0, 1] });
  if (!answer.ok || answer.stdout.length === 0) return null;
  const value = answer.stdout.toString('utf8').replace(/\n$/, '');
  // A repository that names none by an empty value has none.
  return value === '' ? nullDevice : value;
}

let known: { readonly key: string; readonly file: string } | null = null;

/** Asks git once, and again when a file of its configuration changed. */
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
