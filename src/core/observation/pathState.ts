import { sameMode, type Sides } from '../../base/fileState';
import type { RawChange } from './change';

export type StandingQuery = Pick<RawChange, 'path' | 'kind' | 'resolved_path' | 'after_sha256' | 'before_sha256'>;

/** What is at a path now, in the terms of manifests and their differences. */
export interface PathStanding {
  readonly path: string;
  readonly kind: RawChange['kind'];
  /** `fact`: of git. `unknown`: it could not be read, and does not count as unchanged. */
  readonly found: 'absent' | 'file' | 'symlink' | 'other' | 'fact' | 'unknown';
  /** Upper-case SHA-256 of the content, or of the fact. */
  readonly sha256: string | null;
  /** See `sameMode`; null when it has no mode. */
  readonly mode: string | null;
  /** Target of a link, flag of the index, or text of a fact of git. */
  readonly says: string | null;
  /** Null when git could not be asked. `used`: its configuration names the file, whether git tracks it or not. */
  readonly git: 'tracked' | 'ignored' | 'untracked' | 'used' | null;
}

export function isAsBefore(
  change: Pick<RawChange, 'kind' | 'before_sha256' | keyof Sides>,
  now: PathStanding,
): boolean {
  const before = change.before_sha256?.toUpperCase() ?? null;
  const sameContent = now.found === 'file' && before !== null && now.sha256?.toUpperCase() === before;
  switch (change.kind) {
    case 'added':
      return now.found === 'absent';
    case 'modified':
    case 'deleted':
    case 'type_changed': {
      if (change.before_link !== undefined) return now.found === 'symlink' && now.says === change.before_link;
      return sameContent && hasModeBefore(change, now);
    }
    case 'mode_changed':
      return sameContent && change.before_mode !== undefined && hasModeBefore(change, now);
    case 'git':
      if (before === null) return now.found === 'absent';
      return now.found === 'fact' && now.sha256?.toUpperCase() === before && (change.before_says ?? '') === now.says;
    case 'index_flag':
      return now.found === 'fact' && now.says === (change.before_says ?? null);
  }
}

function hasModeBefore({ before_mode: was }: Sides, now: PathStanding): boolean {
  return was === undefined || (now.mode !== null && sameMode(was, now.mode));
}
