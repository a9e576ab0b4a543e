import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { leftWord } from '../../../base/nameMark';
import type { HeldState, TreeLayer } from '../../../contracts/launch';
import type { RawChange } from '../../../core/observation/change';
import { foldersAbove } from '../../../base/fileState';
import type { LandRequest } from '../../../engine/ports/workspace';
import {
  folderNames,
  joinNative,
  lookAt,
  rawOf,
  readEntry,
  type ManifestEntry,
  type NativePath,
} from '../../files/entry';
import { shownFrom } from '../../files/inside';
import { heldBelow, isSame, opened, type Wanted } from '../../files/replacing';
import { isoOf } from '../../git/files';
import { isBelow, readableNames } from '../../sandbox/layers/delta';
import { mergedIn, wantedOf } from '../../sandbox/layers/landing';
import { added, compareEntries, deleted } from './compare';
import type { Manifest } from './manifest';

/**
 * Returns what a layer will change of the workspace, compared with a baseline: files and links, each once.
 *
 * @param live the launch goes on, so nothing that its worker closed is opened
 */
export async function layeredChanges(
  {
    layer,
    baseline: { entries },
    large_file_bytes,
    live = false,
  }: Omit<Judged, 'changes'> & { readonly live?: boolean },
  wanted?: readonly Wanted[],
): Promise<readonly RawChange[]> {
  const changes = new Map<string, RawChange | null>();
  for (const { name, from } of wanted ?? (await wantedOf(layer, live))) {
    const before = entries.get(name);
    if (from === null) changes.set(name, before ? deleted(before, null) : null);
    const at = path.join(layer.up, name);
    for (const entry of from === null ? [] : await entriesAt({ layer, at, live }, name, { large_file_bytes })) {
      // It changes what it took in of another task.
      const known = mergedIn(layer, entry.path)
        ? await readEntry(path.join(layer.at, entry.path), entry.path, { large_file_bytes })
        : entries.get(entry.path);
      changes.set(entry.path, known ? compareEntries(known, entry) : added(entry, isoOf(entry.ctime_ms)));
    }
  }
  return [...changes.values()].flatMap((change) => (change === null ? [] : [{ ...change, layered: true as const }]));
}

/** What was observed of waiting work and judged, with names as the journal stores them. */
interface Judged {
  readonly layer: TreeLayer;
  readonly baseline: Manifest;
  readonly changes: NonNullable<LandRequest['judged']>['changes'];
  readonly large_file_bytes: number;
}

/**
 * Returns what must not land: what was not judged so, and where the workspace has something else than the baseline. By
 * digest, because a clock may be set, and a file that a person removed has no time.
 */
export async function notAsJudged(judged: Judged, wanted: readonly Wanted[]): Promise<readonly string[]> {
  const { layer } = judged;
  const now = await layeredChanges(judged, wanted);
  const known = new Set(judged.changes.map(leftWord));
  const found = new Set(now.map(leftWord));
  const unjudged = now.filter((change) => !known.has(leftWord(change)));
  const lost = judged.changes.filter((change) => !found.has(leftWord(change)));
  const isHere = (change: Judged['changes'][number]): boolean =>
    isSame(heldBelow(layer.at, change.path), leftAs(change));
  const differ = [...unjudged, ...lost.filter((change) => !isHere(change))].map((change) => change.path);
  return [...new Set([...differ, ...(await notAsBefore(judged, wanted))])];
}

/** Returns what the workspace holds where it has a change already. */
export function leftAs({ kind, after_sha256, after_mode = '', after_link }: Judged['changes'][number]): HeldState {
  if (after_link !== undefined) return { kind: 'link', target: after_link };
  if (after_sha256 !== null) return { kind: 'file', sha256: after_sha256, mode: parseInt(after_mode, 8) };
  return { kind: kind === 'deleted' ? 'nothing' : 'other' };
}

/** The later steps of a name find what the first one left. */
async function notAsBefore({ layer, baseline, large_file_bytes }: Judged, wanted: readonly Wanted[]) {
  const names: string[] = [];
  const { entries, facts } = baseline;
  const leftOut = new Set([...facts.folder].flatMap(([at, fate]) => (fate === 'left_out' ? [at] : [])));
  const folders = new Set([...entries.keys()].flatMap(foldersAbove));
  for (const [name, was] of new Map(wanted.toReversed().map((one) => [one.name, one.was]))) {
    const before = entries.get(name);
    const merged = mergedIn(layer, name);
    if (merged) {
      if (!isSame(was, merged)) names.push(name);
    } else if (was.kind === 'nothing') {
      if (before !== undefined || folders.has(name)) names.push(name);
    } else if (was.kind !== 'folder' && !isBelow(name, leftOut)) {
      const entry = before && (await readEntry(path.join(layer.at, name), name, { large_file_bytes }));
      if (!before || !entry || compareEntries(before, entry) !== null) names.push(name);
    }
  }
  return names;
}

interface InLayer {
  readonly layer: TreeLayer;
  readonly at: NativePath;
  readonly live: boolean;
}

/** Reads an entry of a layer as it will be in the workspace. A folder stands for its content. */
async function entriesAt(
  { layer, at, live }: InLayer,
  name: string,
  options: { readonly large_file_bytes: number },
): Promise<readonly ManifestEntry[]> {
  const stats = lookAt(at);
  const close = !live && (stats?.isFile() || stats?.isDirectory()) ? opened(at) : null;
  try {
    const entry = await readEntry(at, name, options);
    if (entry === null) {
      const entries: ManifestEntry[] = [];
      for (const one of live ? readableNames(at) : folderNames(at)) {
        const inner = { layer, live, at: joinNative(at, one.name, one.bytes) };
        for (const found of await entriesAt(inner, path.posix.join(name, one.name), options)) entries.push(found);
      }
      return entries;
    }
    const raw = rawOf(layer.up, at);
    const mode = (stats?.mode ?? 0) & 0o7777;
    const found = raw === undefined ? { ...entry, mode } : { ...entry, mode, raw };
    if (entry.type === 'file') return [found];
    return entry.type === 'symlink' ? [{ ...found, resolved: await leadsTo(layer, name, entry.target ?? '') }] : [];
  } finally {
    close?.();
  }
}

/** The target of a link of the layer, where it will be: POSIX, relative inside the workspace, absolute outside. */
async function leadsTo({ at }: TreeLayer, name: string, target: string): Promise<string> {
  const named = path.resolve(at, path.dirname(name), target);
  const real = await realpath(named).catch(() => named);
  return shownFrom(at, real);
}
