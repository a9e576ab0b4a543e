import type { GitFact } from '../../git/files';
import type { Manifest } from './manifest';

/** The version of a baseline's facts; a baseline without one is older than facts about ignore files. */
export const factsVersion = 2;

/**
 * The present facts that an older baseline can be compared with. It lacks ignore files outside the work tree, and has
 * the stub HEAD of a reftable. Both would look like a change, although only this version reads more.
 */
export function comparableFacts({ header, facts }: Manifest, now: ReadonlyMap<string, GitFact>): Map<string, GitFact> {
  if (header.facts_version !== undefined) return new Map(now);
  return new Map(
    [...now].flatMap(([path, fact]) => {
      const was = facts.git.get(path);
      if (was === undefined && /(^|\/)\.git\/(.*\/)?excludes at /.test(path)) return [];
      return [[path, path.endsWith('/HEAD') && was?.says === stubHead ? was : fact]] as const;
    }),
  );
}

/** The text of HEAD if a reftable holds the real one. */
const stubHead = 'ref: refs/heads/.invalid';
