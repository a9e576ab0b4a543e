import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { joinNative, folderNames } from '../../files/entry';
import type { Folder } from './walk';

/** A new folder whose name makes the next baseline leave it out. */
export interface NewFolder {
  readonly path: string;
  readonly files: number;
  /** Upper-case SHA-256 of its listing: one relative path on each line, in the order of `folderNames`. */
  readonly listing_sha256: string;
  readonly ctime_ms: number;
}

/** A new folder with too many files to report each, as one change; null: a smaller one. */
export async function listNew({ native, path }: Folder): Promise<NewFolder | null> {
  const hash = createHash('sha256');
  let files = 0;
  const waiting = [{ native, path: '' }];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { name, bytes, isFolder } of namesInNewFolder(folder.native)) {
      const relative = folder.path === '' ? name : `${folder.path}/${name}`;
      if (isFolder) waiting.push({ native: joinNative(folder.native, name, bytes), path: relative });
      else files += 1;
      hash.update(`${relative}${isFolder ? '/' : ''}\n`);
    }
    if (waiting.length % 64 === 0) await nextTurn();
  }
  if (files <= listedSingly) return null;
  return { path, files, listing_sha256: hash.digest('hex').toUpperCase(), ctime_ms: changedAt(native) };
}

const listedSingly = 200;

function namesInNewFolder(folder: Folder['native']) {
  try {
    return folderNames(folder);
  } catch {
    return []; // gone or closed: the walk reports it
  }
}

function changedAt(folder: Folder['native']): number {
  try {
    return lstatSync(folder).ctimeMs;
  } catch {
    return 0;
  }
}
