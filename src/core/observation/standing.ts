import type { RawChange } from './change';

/** A path whose state now is asked for: as a change named it. */
export type StandingQuery = Pick<RawChange, 'path' | 'kind' | 'resolved_path' | 'after_sha256' | 'before_sha256'>;

/** What is at a path now, in the words in which a manifest and its difference speak. */
export interface PathStanding {
  readonly path: string;
  readonly kind: RawChange['kind'];
  /** `fact`: of git. `unknown`: it could not be read, so nobody may say that it is as it was. */
  readonly found: 'absent' | 'file' | 'symlink' | 'other' | 'fact' | 'unknown';
  /** Upper-case SHA-256 of the content, or of what the fact says. */
  readonly sha256: string | null;
  /** As a difference writes it (`644`); null where there is none. */
  readonly mode: string | null;
  /** Target of a link, flag of the index, what a fact of git says. */
  readonly says: string | null;
  /**
   * What git makes of the path; null when nobody could ask it. `used`: whether it tracks it or not, its configuration
   * names it as a hook or as more configuration.
   */
  readonly git: 'tracked' | 'ignored' | 'untracked' | 'used' | null;
}

/** Whether a path is as it was before the change. What cannot be told is not. */
export function isAsBefore(change: Pick<RawChange, 'kind' | 'before_sha256' | 'detail'>, now: PathStanding): boolean {
  const before = change.before_sha256?.toUpperCase() ?? null;
  const sameContent = now.found === 'file' && before !== null && now.sha256?.toUpperCase() === before;
  const detail = change.detail ?? '';
  switch (change.kind) {
    case 'added':
      return now.found === 'absent';
    case 'modified':
    case 'deleted':
    case 'type_changed': {
      const link = /^link to (.*?)(?: -> .*)?$/s.exec(detail)?.[1];
      if (before === null && link !== undefined) return now.found === 'symlink' && now.says === link;
      return sameContent && sameMode(detail, now);
    }
    case 'mode_changed':
      return sameContent && sameMode(detail, now) && /^mode /.test(detail);
    case 'git': {
      if (before === null) return now.found === 'absent';
      const said = / -> /.test(detail) ? detail.split(' -> ')[0] : null;
      return now.found === 'fact' && now.sha256?.toUpperCase() === before && (said === null || said === now.says);
    }
    case 'index_flag': {
      const [was] = detail.split(' -> ');
      return now.found === 'fact' && / -> /.test(detail) && (now.says ?? 'no flag') === was;
    }
  }
}

function sameMode(detail: string, now: PathStanding): boolean {
  const was = /^mode (\d+) -> /.exec(detail)?.[1];
  return was === undefined || was === now.mode;
}
