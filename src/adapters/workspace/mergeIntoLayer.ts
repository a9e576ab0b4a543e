import {
  chmodSync,
  existsSync,
  lstatSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { HeldState, TreeLayer } from '../../contracts/launch';
import type { LandFacts, LandRequest } from '../../engine/ports/workspace';
import { sha256Of } from '../files/bytes/sha256';
import { removeTree } from '../files/removeTree';
import { heldBelow, isSame, opened } from '../files/replacing';
import { gitOnFiles } from '../git/command';
import { endedLayer, keepsMode, readDelta, type LayerChange } from '../sandbox/layers/delta';
import { mergedIn } from '../sandbox/layers/landing';
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
  /** Name of the note by which a later merge knows what this one took in. */
  readonly note: string;
}

/**
 * Merges what other tasks put into the workspace into a layer, by `git merge-file`: all of it, or nothing. Both
 * sides are compared with what the file took in last, else with the baseline. Each file of the layer is replaced by one
 * rename. A merge that was killed is made again: a note says what each file took in.
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
      const held = heldBelow(layer.at, one.path);
      const isFolder = held.kind === 'folder' && merges.some(({ path: at }) => at.startsWith(`${one.path}/`));
      if (!isSame(isFolder ? { kind: 'nothing' } : held, was)) changed.push(one.path);
      else if (near.length > 0) {
        const found = await mergeOne(merging, { was, near, name: one.path, own });
        if (found === null) conflicts.push(one.path);
        else merged.push(found);
      }
    }
    if (changed.length > 0) return { changed };
    if (conflicts.length > 0) return { changed: [], conflicts };
    for (const [index, { at, bytes, theirs, note }] of merged.entries()) {
      put(copies, sha256Of(theirs), theirs);
      put(copies, note, sha256Of(theirs));
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
  { layer, baseline, before, copies }: Merging,
  {
    was,
    near: [mine, ...more],
    name,
    own,
  }: { readonly was: HeldState; readonly near: readonly LayerChange[]; readonly name: string; readonly own: string },
): Promise<Merged | null> {
  const base = mergedIn(layer, name) ?? heldBefore(baseline, name);
  const isFile = mine?.path === name && mine.raw === undefined && mine.what === 'file' && mine.kind === 'modified';
  if (!isFile || more.length > 0 || was.kind !== 'file' || base?.kind !== 'file') return null;
  const at = path.join(layer.up, name);
  if (base.mode !== was.mode || (lstatSync(at).mode & 0o7777) !== was.mode) return null;
  const close = opened(at);
  const [ours, theirs] = [at, path.join(layer.at, name)].map((file) => readFileSync(file));
  close();
  if (!ours || !theirs || sha256Of(theirs) !== was.sha256) return null;
  const noteOf = (bytes: Buffer): string => `taken-${sha256Of(`${String(layer.since)} ${name} ${sha256Of(bytes)}`)}`;
  const note = path.join(copies, noteOf(ours));
  const old = await before(name, existsSync(note) ? readFileSync(note, 'utf8') : base.sha256);
  if (!old) return null;
  const files = [ours, old, theirs].map((bytes, index) => {
    const file = path.join(own, `side-${index}`);
    writeFileSync(file, bytes);
    return file;
  });
  const answer = await gitOnFiles(own, ['merge-file', '-p', '-q', ...files]);
  return answer.ok ? { at, bytes: answer.stdout, theirs, note: noteOf(answer.stdout) } : null;
}

function heldBefore({ entries }: Manifest, name: string): HeldState | null {
  const { type, sha256 = null, mode = -1 } = entries.get(name) ?? {};
  return type === 'file' && sha256 !== null ? { kind: 'file', sha256, mode } : null;
}
