import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { TreeLayer } from '../../../contracts/launch';
import type { RawChange } from '../../../core/observation/change';
import { isoOf } from '../../git/files';
import { readEntry, type ManifestEntry } from '../../files/entry';
import { shownFrom } from '../../files/inside';
import { openedNames } from '../../files/replacing';
import { wantedOf } from '../../sandbox/layers/landing';
import { added, compareEntries, deleted } from './compare';

/** Returns what a layer will change of the workspace, compared with a baseline: files and links, each once. */
export async function layeredChanges(
  layer: TreeLayer,
  baseline: ReadonlyMap<string, ManifestEntry>,
  large_file_bytes: number,
): Promise<readonly RawChange[]> {
  const changes = new Map<string, RawChange | null>();
  for (const { name, from } of await wantedOf(layer)) {
    const before = baseline.get(name);
    if (from === null) changes.set(name, before ? deleted(before, null) : null);
    for (const entry of from === null ? [] : await entriesAt(layer, name, { large_file_bytes })) {
      const known = baseline.get(entry.path);
      changes.set(entry.path, known ? compareEntries(known, entry) : added(entry, isoOf(entry.ctime_ms)));
    }
  }
  return [...changes.values()].flatMap((change) => (change === null ? [] : [{ ...change, layered: true as const }]));
}

/** Reads an entry of a layer as it will be in the workspace. A folder stands for its content. */
async function entriesAt(
  layer: TreeLayer,
  name: string,
  options: { readonly large_file_bytes: number },
): Promise<readonly ManifestEntry[]> {
  const at = path.join(layer.up, name);
  const entry = await readEntry(at, name, options);
  if (entry === null) {
    const inner = openedNames(at).map((one) => entriesAt(layer, path.posix.join(name, one), options));
    return (await Promise.all(inner)).flat();
  }
  if (entry.type === 'file') return [entry];
  return entry.type === 'symlink' ? [{ ...entry, resolved: await leadsTo(layer, name, entry.target ?? '') }] : [];
}

/** The target of a link of the layer, where it will be: POSIX, relative inside the workspace, absolute outside. */
async function leadsTo({ at }: TreeLayer, name: string, target: string): Promise<string> {
  const named = path.resolve(at, path.dirname(name), target);
  const real = await realpath(named).catch(() => named);
  return shownFrom(at, real);
}
