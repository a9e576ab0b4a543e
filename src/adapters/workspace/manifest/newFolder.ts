import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { joinNative, folderNames } from '../../files/names';
import type { Folder } from './walk';

/** A folder of a kind that is left out once it is there, and that was not there before. */
export interface NewFolder {
  readonly path: string;
  readonly files: number;
  /** Upper-case SHA-256 of its listing: one relative path a line, in the order of `folderNames`. */
  readonly listing_sha256: string;
  readonly ctime_ms: number;
}

/** A new folder that holds more than is told one by one, as one thing; null for a smaller one. */
export async function listNew({ native, path }: Folder): Promise<NewFolder | null> {
  const hash = createHash('sha256');
  let files = 0;
  const waiting = [{ native, path: '' }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { name, bytes, isFolder } of namesIn(folder.native)) {
      const relative = folder.path === '' ? name : `${folder.path}/${name}`;
      if (isFolder) waiting.push({ native: joinNative(folder.native, name, bytes), path: relative });
      else files += 1;
      hash.update(`${relative}${isFolder ? '/' : ''}\n`);
    }
    if (waiting.length % 64 === 0) await nextTurn();
  }
  if (files <= toldOneByOne) return null;
  return { path, files, listing_sha256: hash.digest('hex').toUpperCase(), ctime_ms: changedAt(native) };
}

const toldOneByOne = 200;

function namesIn(folder: Folder['native']) {
  try {
    return folderNames(folder);
  } catch {
    return []; // gone or closed: the walk tells
  }
}

function changedAt(folder: Folder['native']): number {
  try {
    return lstatSync(folder).ctimeMs;
  } catch {
    return 0;
  }
}
