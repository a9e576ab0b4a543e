import { statSync } from 'node:fs';
import { access, chmod, constants, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { done, errorWords, refused, type Outcome } from '../../base/outcome';
import { makeFolder } from '../files/makeFolder';

/** Overrides the place of the folder; absolute path. */
const stateFolderVariable = 'MISSION_CONTROL_HOME';

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: () => string;
}

/** The folder with this user's copies of our programs, outside of every workspace. Only computes the path. */
export function userStateFolder(around: Surroundings = here()): Outcome<string> {
  const { environment, platform } = around;
  const names = platform === 'win32' ? path.win32 : path.posix;
  const named = environment[stateFolderVariable] ?? '';
  if (named !== '') {
    if (names.isAbsolute(named)) return done(named);
    const step = `Set ${stateFolderVariable} to an absolute path, or unset it.`;
    return refused('STATE_FOLDER_UNAVAILABLE', `${stateFolderVariable} is not an absolute path: ${named}.`, step);
  }
  const base = (variable: string, ...below: string[]): string => {
    const value = environment[variable] ?? '';
    // The XDG specification says that relative values are ignored.
    return names.join(names.isAbsolute(value) ? value : names.join(around.home(), ...below), 'mission-control');
  };
  try {
    switch (platform) {
      case 'win32':
        return done(base('LOCALAPPDATA', 'AppData', 'Local'));
      case 'darwin':
        return done(names.join(around.home(), 'Library', 'Application Support', 'mission-control'));
      default:
        return done(base('XDG_STATE_HOME', '.local', 'state'));
    }
  } catch (error) {
    return unavailable('This user has no home folder', error);
  }
}

/**
 * Finds the usable places for what holds for the whole machine, the best first: below home, then the own folder. Home
 * comes first, because a desktop session and a shell may set XDG_STATE_HOME differently. A home of another user (after
 * `su`, or in a container) does not count. MISSION_CONTROL_HOME names one place on purpose.
 */
export function sharedSurroundings(): readonly Surroundings[] {
  const around = here();
  const { environment } = around;
  if ((environment[stateFolderVariable] ?? '') !== '' || isOfAnother(around)) return [around];
  return [{ ...around, environment: { ...environment, XDG_STATE_HOME: undefined } }, around];
}

export function sharedStateFolders(): readonly string[] {
  const named = sharedSurroundings().map((around) => userStateFolder(around));
  return [...new Set(named.flatMap((one) => (one.ok ? [one.value] : [])))];
}

function isOfAnother({ home }: Surroundings): boolean {
  try {
    const uid = statSync(home(), { throwIfNoEntry: false })?.uid;
    return uid !== undefined && process.getuid !== undefined && uid !== process.getuid();
  } catch {
    return true; // no file of this user can lie there
  }
}

/** The folder of the `mission` command that VS Code's terminals get. */
export function launcherFolder(state: string): string {
  return path.join(state, 'bin');
}

/** The launcher folders that workers do not get on PATH; several, because a shell may set another variable. */
export function launcherFolders(state: string): readonly string[] {
  const around = here();
  const usual = userStateFolder({
    ...around,
    environment: { ...around.environment, [stateFolderVariable]: undefined },
  });
  return [state, ...(usual.ok ? [usual.value] : [])].map(launcherFolder);
}

/** Creates the folder if it is missing, for this user only. Refuses with STATE_FOLDER_UNAVAILABLE. */
export async function openUserStateFolder(around: Surroundings = here()): Promise<Outcome<string>> {
  const named = userStateFolder(around);
  if (!named.ok) return named;
  try {
    await makeFolder(named.value, 0o700);
    const folder = await realpath(named.value);
    const { uid } = await stat(folder);
    const user = process.getuid?.();
    if (user !== undefined && uid !== user)
      return unavailable(named.value, `it belongs to user ${uid}, not to user ${user}`);
    if (process.platform !== 'win32') await chmod(folder, 0o700);
    await access(folder, constants.W_OK);
    return done(folder);
  } catch (error) {
    return unavailable(named.value, error);
  }
}

export function unavailable(folder: string, error: unknown): ReturnType<typeof refused> {
  return refused(
    'STATE_FOLDER_UNAVAILABLE',
    `The folder for Mission Control's own programs cannot be used: ${folder}: ${errorWords(error)}.`,
    `Make it a folder that your user can write, or set ${stateFolderVariable} to the absolute path of one.`,
  );
}

function here(): Surroundings {
  return { environment: process.env, platform: process.platform, home: os.homedir };
}
