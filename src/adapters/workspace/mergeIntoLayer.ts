import { chmodSync, lstatSync, lchownSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { HeldState, TreeLayer } from '../../contracts/launch';
import type { LandFacts, LandRequest } from '../../engine/ports/workspace';
import { sha256Of } from '../files/bytes/sha256';
import { removeTree } from '../files/removeTree';
import { heldBelow, isSame, opened } from '../files/replacing';
import { gitOnFiles } from '../git/command';
import { endedLayer, keepsMode, readDelta, type LayerChange } from '../sandbox/layers/delta';
import { put } from './copies';
import { leftAs } from './manifest/layered';
import type { Manifest } from './manifest/manifest';

interface Merging {
  readonly layer: TreeLayer;
  /** The one of the attempt that made the layer. */
  readonly baseline: Manifest;
  readonly merges: NonNullable<NonNullable<LandRequest['judged']>['merges']>;
  /** Reads the bytes that the baseline had; null: they are not kept. */
  readonly before: (file: string, sha256: string) => Promise<Buffer | null>;
  /** Keeps the bytes that were merged, which a review shows and an undo puts back. */
  readonly copies: string;
}

interface Merged {
  readonly at: string;
  readonly bytes: Buffer;
  readonly theirs: Buffer;
}

/**
 * Merges what other tasks put into the workspace into a layer, by `git merge-file` with the baseline: all of it, or
 * nothing. Each file of the layer is replaced by one rename. A merge that was killed is made again: what one side has
 * of the other already changes nothing.
 */
export async function mergeIntoLayer(merging: Merging): Promise<LandFacts> {
  const { layer, merges, copies } = merging;
  const delta = (await readDelta(endedLayer(layer))).filter((change) => !keepsMode(change));
  const own = path.join(path.dirname(layer.up), 'merging');
  const [changed, conflicts, states]: [string[], string[], HeldState[]] = [[], [], []];
  const merged: Merged[] = [];
  await removeTree(own);
  mkdirSync(own, { mode: 0o700 });
  try {
    for (const one of merges) {
      const was = leftAs(one);
      states.push(was);
      const near = delta.filter(
        ({ path: at }) => at === one.path || at.startsWith(`${one.path}/`) || one.path.startsWith(`${at}/`),
      );
      if (!isSame(heldBelow(layer.at, one.path), was)) changed.push(one.path);
      else if (near.length > 0) {
        const found = await mergeOne(merging, { was, near, name: one.path, own });
        if (found === null) conflicts.push(one.path);
        else merged.push(found);
      }
    }
    if (changed.length > 0) return { changed };
    if (conflicts.length > 0) return { changed: [], conflicts };
    for (const [index, { at, bytes, theirs }] of merged.entries()) {
      put(copies, sha256Of(theirs), theirs);
      const stats = lstatSync(at);
      const file = path.join(own, `new-${index}`);
      writeFileSync(file, bytes);
      if (process.geteuid?.() === 0) lchownSync(file, stats.uid, stats.gid);
      chmodSync(file, stats.mode & 0o7777);
      renameSync(file, at);
    }
    return { changed: [], merged: states };
  } finally {
    await removeTree(own).catch(() => undefined); // the next merge removes it
  }
}

/** Merges a file that three sides have with one mode. Null: it has no clean merge. */
async function mergeOne(
  { layer, baseline, before }: Merging,
  {
    was,
    near: [mine, ...more],
    name,
    own,
  }: { readonly was: HeldState; readonly near: readonly LayerChange[]; readonly name: string; readonly own: string },
): Promise<Merged | null> {
  const base = baseline.entries.get(name);
  const isFile = mine?.path === name && mine.raw === undefined && mine.what === 'file' && mine.kind === 'modified';
  if (!isFile || more.length > 0 || was.kind !== 'file' || base?.type !== 'file' || !base.sha256) return null;
  const at = path.join(layer.up, name);
  if (base.mode !== was.mode || (lstatSync(at).mode & 0o7777) !== was.mode) return null;
  const close = opened(at);
  const [ours, theirs] = [at, path.join(layer.at, name)].map((file) => readFileSync(file));
  close();
  const old = await before(name, base.sha256);
  if (!old || !ours || !theirs || sha256Of(theirs) !== was.sha256) return null;
  const files = [ours, old, theirs].map((bytes, index) => {
    const file = path.join(own, `side-${index}`);
    writeFileSync(file, bytes);
    return file;
  });
  const answer = await gitOnFiles(own, ['merge-file', '-p', '-q', ...files]);
  return answer.ok ? { at, bytes: answer.stdout, theirs } : null;
}
