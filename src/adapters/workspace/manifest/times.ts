import path from 'node:path';
import { changeTime, isoOf } from '../../git/files';
import type { ManifestEntry } from '../../files/entry';
import { wayInside } from '../../files/inside';

/**
 * Returns whether a file changed after a whole millisecond of the clock. Within the same one, the
 * change may have come before.
 */
export function isAfter(ctimeMs: number, startedMs: number): boolean {
  return Math.floor(ctimeMs) > startedMs;
}

/**
 * Finds when a path was added or deleted. Folders show it, because a moved file keeps its own time and a deleted one
 * has none.
 */
export class FolderTimes {
  private readonly known = new Map<string, string>();

  constructor(
    private readonly root: string,
    private readonly startedMs: number,
  ) {}

  /** The time of the moved folder counts, because a file in it keeps its own times. */
  ofAdded(found: Pick<ManifestEntry, 'path' | 'outside' | 'ctime_ms'>): string | null {
    const own = found.ctime_ms === 0 ? null : isoOf(found.ctime_ms);
    if (own === null || isAfter(found.ctime_ms, this.startedMs)) return own;
    const started = isoOf(this.startedMs);
    for (
      let folder = path.dirname(this.absolute(found));
      (wayInside(this.root, folder) ?? '') !== '';
      folder = path.dirname(folder)
    ) {
      const time = this.of(folder);
      if (time >= started) return time;
    }
    return own;
  }

  ofDeleted(entry: ManifestEntry): string {
    return this.of(path.dirname(this.absolute(entry)));
  }

  private absolute({ path: relative, outside }: Pick<ManifestEntry, 'path' | 'outside'>): string {
    return outside ?? path.join(this.root, relative);
  }

  private of(folder: string): string {
    const known = this.known.get(folder) ?? changeTime(folder);
    this.known.set(folder, known);
    return known;
  }
}
