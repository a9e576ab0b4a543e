import type { SandboxReach } from '../../contracts/launchEvidence';
import type { SubagentResult } from '../../contracts/result';
import { readClaimedPath } from '../paths/namedPath';
import { inScope, nameKey, within, type PathComparison } from '../paths/compare';
import { isLink, leadsOutReason } from './attribute';
import type { RawChange } from './change';
import { isBeyondReach } from './writablePlaces';

export interface Proofs {
  /** Approved paths of the task, normalised. */
  readonly paths: readonly string[];
  /** Approved paths of all other tasks, normalised. */
  readonly locked: readonly string[];
  /** What the worker itself says it changed; empty without a valid result. */
  readonly claims: SubagentResult['changes'];
  /** Where its launches could write; empty: no sandbox of ours held all of them. */
  readonly reaches: readonly SandboxReach[];
  readonly comparison: PathComparison;
}

/**
 * Says whether more than its time shows that a change out of scope is the worker's. A stream that announced the path is
 * a proof as well, which `attribute` knows by itself. One of these shows it:
 *
 * - Its result packet claims the path.
 * - A hook, a program that git starts, or another repository that git is led to was planted.
 * - It is a way out that was made in its approved paths: a link, or a folder that looks like one of git's or ours.
 * - It lies in approved paths of another task, and the worker's own sandbox let it write there. A folder that is open
 *   only because a file in it is approved does not count: people and editors make files there too.
 */
export function certainIn(proofs: Proofs): (change: RawChange) => boolean {
  const proofOf = proofIn(proofs);
  return (change) => proofOf(change) !== null;
}

/** What shows it; only a claim is the worker's own word. */
export type Proof = 'planted' | 'claimed' | 'way_out' | 'let_by_sandbox';

/** The first of these that holds; null: its time alone. */
export function proofIn(proofs: Proofs): (change: RawChange) => Proof | null {
  const { paths, locked, claims, reaches, comparison } = proofs;
  const claimed = new Set(claims.flatMap(({ resource }) => claimedKey(resource, comparison)));
  return (change) => {
    // What is gone starts nothing, and people remove hooks and settings.
    if (isPlanted(change.path) && change.after_sha256 !== null) return 'planted';
    if (claimed.has(nameKey(change.path, comparison))) return 'claimed';
    // A sandbox let nothing be written behind such a link, so a person decides about it.
    const isHarmless = reaches.length > 0 && change.resolved_path !== null && leadsOutReason(change) !== null;
    if (within(change.path, paths, comparison) && isWayOut(change) && !isHarmless) return 'way_out';
    const let_by_sandbox =
      reaches.length > 0 &&
      inScope(change.path, locked, comparison) &&
      reaches.every((reach) => !isBeyondReach(change, [reach], comparison) && !isBeside(change, reach, proofs));
    return let_by_sandbox ? 'let_by_sandbox' : null;
  };
}

/** Returns whether the place is open to the launch only because it lies beside an approved file. */
function isBeside({ path }: RawChange, { writable }: SandboxReach, { paths, comparison }: Proofs): boolean {
  const folders = new Set(paths.map((one) => one.slice(0, Math.max(0, one.lastIndexOf('/'))) || '.'));
  const around = writable.filter((place) => place === '.' || within(path, [place], comparison));
  return around.length > 0 && around.every((place) => folders.has(place) && !within(place, paths, comparison));
}

/** Leaves out what git itself says of a repository: people commit in nested ones and in submodules. */
function isWayOut(change: RawChange): boolean {
  if (change.kind === 'git' || change.kind === 'index_flag') return false;
  return /\/\.(?:git|mission-control)(?:\/|$)/i.test(change.path) || isLink(change) || leadsOutReason(change) !== null;
}

/** Returns whether the fact makes git start a program or show another history; no tool writes that in passing. */
function isPlanted(fact: string): boolean {
  return (
    /(^|\/)\.git\/(.*\/)?hooks($|\/| at )/.test(fact) ||
    /(^|\/)\.git\/(.*\/)?config(\.worktree)? (includes .*)?starts programs$/s.test(fact) ||
    /(^|\/)\.git\/(.*\/)?(refs\/replace\/|commondir$|objects\/info\/(http-)?alternates$)/.test(fact)
  );
}

function claimedKey(resource: string, comparison: PathComparison): readonly string[] {
  const place = readClaimedPath(resource, []);
  return place.ok ? [nameKey(place.path, comparison)] : [];
}
