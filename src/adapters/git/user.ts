import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { gitEnvironment } from './command';
import { variablesOf } from '../files/outside';
import { homeFolder } from '../system/machine';

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
