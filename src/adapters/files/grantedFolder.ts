import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { done, refused, type Outcome } from '../../base/outcome';
import { realPlace, wayInside } from './inside';

export interface WantedGrant {
  readonly mission_id: string;
  /** Absolute. */
  readonly named: string;
  /** Absolute path that the worker was denied; null: unknown, or the workspace itself. */
  readonly denied: string | null;
}

/** `file`: nothing else of the directory is granted. */
export interface GrantedPlace {
  readonly directory: string;
  readonly file?: string;
}

/**
 * The real place that a person means by an absolute path: a directory, or a file. An absent path must be the denied one,
 * because a misspelled name must not grant the folder around it. Its folder is granted, because it is yet to be made.
 */
export async function grantedFolder({ mission_id, named, denied }: WantedGrant): Promise<Outcome<GrantedPlace>> {
  const no = (reason: string): Outcome<GrantedPlace> =>
    refused('GRANT_INVALID', reason, `mission status ${mission_id}`);
  const found = await stat(named).catch(() => null);
  const asked = denied !== null && path.resolve(named) === path.resolve(denied);
  const directory = found || asked ? await folderOf(named) : null;
  if (directory === null) return no(`There is no directory ${named}.`);
  if (denied !== null && wayInside(directory, await realPlace(denied)) === null)
    return no(`${directory} does not hold ${denied}, which the worker was denied.`);
  return done({ directory, ...(found?.isFile() && { file: await realpath(named) }) });
}

/** The real directory at an absolute path, or the one that holds, or would hold, it; null: neither exists. */
async function folderOf(place: string): Promise<string | null> {
  for (const candidate of [place, path.dirname(place)]) {
    const found = await stat(candidate).catch(() => null);
    if (found?.isDirectory() === true) return realpath(candidate);
  }
  return null;
}
