import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { readIndex, type IndexFacts } from './index';
import type { Repository } from './locate';
import { freshMilliseconds } from '../files/entry';

/**
 * Keeps git's facts about the index as long as the index, the repository's configuration and HEAD are the same. They
 * mostly are between two workers. Starting git takes most of the time in a small workspace. The change time proves a
 * file the same, because no program can write and keep that time. A file that changed a moment ago is not cached,
 * because it may change again within the same tick.
 */
export class CachedIndex {
  #kept: { readonly key: string; readonly facts: IndexFacts } | null = null;

  async read(repository: Repository, folder: string, head: string | null, now = Date.now()): Promise<IndexFacts> {
    const key = keyOf(repository, folder, head, BigInt(now - freshMilliseconds) * 1_000_000n);
    if (key !== null && this.#kept?.key === key) return this.#kept.facts;
    const facts = await readIndex(repository, folder, head);
    this.#kept = key !== null && facts.ok ? { key, facts } : null;
    return facts;
  }
}

/** The stats of every file that the facts depend on; null: one is too fresh, or parts of the index lie elsewhere. */
function keyOf(
  { gitDir, commonDir }: Repository,
  folder: string,
  head: string | null,
  freshSinceNs: bigint,
): string | null {
  const parts = [folder, head ?? ''];
  const files = [path.join(gitDir, 'index'), path.join(commonDir, 'config'), path.join(gitDir, 'config.worktree')];
  try {
    if (readdirSync(gitDir).some((name) => name.startsWith('sharedindex.'))) return null;
    for (const file of files) {
      const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (stats !== undefined && (!stats.isFile() || stats.ctimeNs >= freshSinceNs)) return null;
      parts.push(
        stats === undefined ? '-' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':'),
      );
    }
  } catch {
    return null; // git says what is wrong with it
  }
  return parts.join(' ');
}
