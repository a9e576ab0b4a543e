import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { gitEnvironment } from './command';
import { homeFolder } from '../system/machine';

/**
 * The name in the user's own git configuration; null when there is none. Never reads a repository's configuration,
 * which may come from another person. `folders`: no program is started from these. Never throws.
 */
export async function gitUserName(folders: readonly string[]): Promise<string | null> {
  const { GIT_CONFIG_NOSYSTEM, GIT_CONFIG_GLOBAL, ...environment } = gitEnvironment(folders);
  const own = ['HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'XDG_CONFIG_HOME', 'APPDATA'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const home = homeFolder() ?? os.tmpdir();
  const { execa } = await import('execa');
  const answer = await execa('git', ['config', '--get', 'user.name'], {
    cwd: home,
    // Naming a repository that does not exist keeps git from finding one around the home folder.
    env: { ...environment, ...Object.fromEntries(own), GIT_DIR: path.join(home, '.no-repository', '.git') },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: 10_000,
    maxBuffer: 10_000,
  });
  const name = answer.failed ? '' : answer.stdout.trim();
  return name === '' || name.length > 200 ? null : name;
}
