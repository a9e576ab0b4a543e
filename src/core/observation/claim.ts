import type { SubagentResult } from '../../contracts/result';
import { readClaimedPath } from '../paths/claimedPath';
import { caseSensitive, comparisonKey, type PathComparison } from '../paths/compare';
import type { Change } from './change';

export interface ClaimOptions {
  /** Spellings of the workspace root (as given and as resolved), so that a claim may use absolute paths. */
  readonly roots?: readonly string[];
  readonly comparison?: PathComparison;
  /** Resources that are not compared, because they lie where nothing is observed. */
  readonly elsewhere?: readonly string[];
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
 * Compared file by file: a claimed folder does not cover the changes below it. A rename is two changes; an action is
 * compared when it is one of the usual words for creating, editing or deleting. Files saved in the editor may be
 * claimed but need not be. Source: decisions.md section 9.
 */
export function compareClaims(
  claims: SubagentResult['changes'],
  observed: readonly Change[],
  options: ClaimOptions = {},
): { readonly unobserved: readonly string[]; readonly unclaimed: readonly string[] } {
  const comparison = options.comparison ?? caseSensitive;
  const found = new Map(observed.map((change) => [comparisonKey(change.path, comparison), change]));
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
    const key = comparisonKey(path, comparison);
    const change = found.get(key);
    claimed.add(key);
    if (change === undefined) unobserved.add(`claimed, but not observed: ${path}`);
    else if (contradicts(claim.action, change)) {
      unobserved.add(`claimed as ${claim.action}, but observed as ${change.kind}: ${path}`);
    }
  }
  for (const change of observed) {
    if (change.attribution !== 'worker' || claimed.has(comparisonKey(change.path, comparison))) continue;
    unclaimed.add(`observed, but not claimed: ${change.path} (${change.kind})`);
  }
  return { unobserved: [...unobserved].sort(), unclaimed: [...unclaimed].sort() };
}

function contradicts(action: string, change: Change): boolean {
  const word = action.trim().toLowerCase();
  if (change.kind === 'deleted')
    return /^(add(ed)?|created?|new|edit(ed)?|modif(y|ied)|updated?|changed?|written|write)$/.test(word);
  return /^(deleted?|removed?|unlink(ed)?|rm)$/.test(word);
}
