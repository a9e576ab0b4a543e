import type { SubagentResult } from '../../contracts/result';
import { dependencyFolders } from '../../contracts/vocabulary/files/dependencyFolders';
import { readClaimedPath } from '../paths/namedPath';
import { caseSensitive, nameKey, type PathComparison } from '../paths/compare';
import { foldersAbove } from '../../base/fileState';
import type { Change } from './change';

export interface ClaimOptions {
  /** Spellings of the workspace root (as given and as resolved), so that a claim may use absolute paths. */
  readonly roots?: readonly string[];
  readonly comparison?: PathComparison;
  /** Resources that are not compared, because they lie where nothing is observed. */
  readonly elsewhere?: readonly string[];
  /** Paths that earlier attempts of the task left so, which it may claim. */
  readonly earlier?: readonly string[] | undefined;
}

/** Differences between claimed and observed changes, one sentence each, sorted; empty when both are equal. */
export function claimDifferences(
  claims: SubagentResult['changes'],
  observed: readonly Change[],
  options: ClaimOptions = {},
): readonly string[] {
  const { unobserved, unclaimed } = compareClaims(claims, observed, options);
  return [...new Set([...unobserved, ...unclaimed])].sort();
}

/**
 * The same by direction: what is claimed and was not observed as claimed, and what was observed and is not claimed.
 *
 * Compared file by file: a claimed folder is observed where something below it is, and does not
 * cover it. A rename is two changes; where the content is the same, either may be claimed for both.
 * An action is compared when it is one of the usual words for creating, editing or deleting.
 * Changes that are not the worker's, such as files saved in the editor, may be claimed but need not
 * be. The same holds for scratch, and for what tools leave in folders of their own.
 */
export function compareClaims(
  claims: SubagentResult['changes'],
  observed: readonly Change[],
  options: ClaimOptions = {},
): { readonly unobserved: readonly string[]; readonly unclaimed: readonly string[] } {
  const comparison = options.comparison ?? caseSensitive;
  const keyOf = (path: string): string => nameKey(path, comparison);
  const found = new Map(observed.map((change) => [keyOf(change.path), change]));
  const earlier = (options.earlier ?? []).map(keyOf);
  const known = new Set([...earlier, ...[...found.keys(), ...earlier].flatMap(foldersAbove)]);
  const claimed = new Set<string>();
  const unobserved = new Set<string>();
  const unclaimed = new Set<string>();
  for (const claim of claims) {
    if (options.elsewhere?.includes(claim.resource) === true) continue;
    const place = readClaimedPath(claim.resource, options.roots ?? []);
    if (!place.ok) {
      unobserved.add(`claimed, but no path inside the workspace: ${claim.resource}`);
      continue;
    }
    const { path } = place;
    const key = keyOf(path);
    const change = found.get(key);
    claimed.add(key);
    if (change === undefined) {
      if (!known.has(key)) unobserved.add(`claimed, but not observed: ${path}`);
    } else if (contradicts(claim.action, change)) {
      unobserved.add(`claimed as ${claim.action}, but observed as ${change.kind}: ${path}`);
    }
  }
  const moved = new Set(observed.flatMap((change) => (claimed.has(keyOf(change.path)) ? otherEnd(change) : [])));
  for (const change of observed) {
    if (change.attribution !== 'worker' || change.scratch || claimed.has(keyOf(change.path))) continue;
    if (moved.has(`${change.kind} ${contentOf(change)}`)) continue;
    if (foldersAbove(change.path).some((folder) => dependencyFolders.has(folder.slice(folder.lastIndexOf('/') + 1))))
      continue;
    unclaimed.add(`observed, but not claimed: ${change.path} (${change.kind})`);
  }
  return { unobserved: [...unobserved].sort(), unclaimed: [...unclaimed].sort() };
}

/** The changes that the packet announces; either end of a move announces both. */
export function announcedChanges<C extends Content & { readonly path: string }>(
  claims: readonly { readonly resource: string }[],
  observed: readonly C[],
  options: Pick<ClaimOptions, 'roots' | 'comparison'> = {},
): ReadonlySet<C> {
  const keyOf = (path: string): string => nameKey(path, options.comparison ?? caseSensitive);
  const claimed = new Set(
    claims.flatMap(({ resource }) => {
      const place = readClaimedPath(resource, options.roots ?? []);
      return place.ok ? [keyOf(place.path)] : [];
    }),
  );
  const named = observed.filter(({ path }) => claimed.has(keyOf(path)));
  const moved = new Set(named.flatMap(otherEnd));
  return new Set(
    observed.filter((change) => named.includes(change) || moved.has(`${change.kind} ${contentOf(change)}`)),
  );
}

type Content = Pick<Change, 'kind' | 'before_sha256' | 'after_sha256'>;

function contentOf({ before_sha256, after_sha256 }: Content): string {
  return before_sha256 ?? after_sha256 ?? '';
}

/** Finds where the same content went, or came from, when the file was only moved. */
function otherEnd({ kind, before_sha256, after_sha256 }: Content): readonly string[] {
  if (kind === 'added' && after_sha256 !== null) return [`deleted ${after_sha256}`];
  return kind === 'deleted' && before_sha256 !== null ? [`added ${before_sha256}`] : [];
}

function contradicts(action: string, change: Change): boolean {
  const word = action.trim().toLowerCase();
  if (change.kind === 'deleted')
    return /^(add(ed)?|created?|new|edit(ed)?|modif(y|ied)|updated?|changed?|written|write)$/.test(word);
  return /^(deleted?|removed?|unlink(ed)?|rm)$/.test(word);
}
