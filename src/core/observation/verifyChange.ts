import { sidesOf, type Sides } from '../../base/fileState';
import type { VerifyChangeEvidence } from '../../contracts/record/changeEvidence';
import type { Change, RawChange } from './change';
import { placeKey } from './outstanding';

/** What verify commands changed since the worker was judged; `before_sha256` is that of the baseline. */
export type VerifyChange = RawChange &
  VerifyChangeEvidence & {
    /** The path is as at the baseline again: the worker's change is undone. */
    readonly undone: boolean;
    /** In a scratch path of the plan. */
    readonly scratch?: true;
  };

export type VerifyDifference = RawChange & Pick<VerifyChange, 'left_sha256' | 'undone'>;

/** Compares two lists of changes since the same baseline: at the end of the worker, and after the verify commands. */
export function changedSince(first: readonly RawChange[], last: readonly RawChange[]): readonly VerifyDifference[] {
  const before = new Map(first.map((change) => [placeKey(change), change]));
  const after = new Map(last.map((change) => [placeKey(change), change]));
  const found: VerifyDifference[] = [];
  for (const [place, change] of after) {
    const left = before.get(place);
    if (!left) found.push({ ...change, left_sha256: change.before_sha256, undone: false });
    else if (!isSame(left, change)) found.push({ ...change, left_sha256: left.after_sha256, undone: false });
  }
  for (const [place, left] of before) {
    if (after.has(place)) continue;
    const { path, kind, before_sha256, resolved_path, lies_at } = left;
    found.push({
      path,
      kind,
      before_sha256,
      after_sha256: before_sha256,
      ...restored(left),
      resolved_path,
      ...(lies_at && { lies_at }),
      changed_at: null,
      detail: 'as it was before the worker',
      left_sha256: left.after_sha256,
      undone: true,
    });
  }
  return found.sort((left, right) => (placeKey(left) < placeKey(right) ? -1 : 1));
}

/** The change of a verify command, compared with what the worker left. @param left what the worker changed there */
export function sinceWorker(change: VerifyChange, left: RawChange | undefined): RawChange {
  if (!left) return change;
  const { after_sha256: before_sha256, after_mode: before_mode, after_link: before_link, after_says } = left;
  const since = { ...change, before_sha256, ...sidesOf({ before_mode, before_link, before_says: after_says }) };
  if (change.kind === 'git' || change.kind === 'index_flag') return since;
  const isGone = change.undone ? left.kind === 'added' : change.kind === 'deleted';
  return { ...since, kind: isGone ? 'deleted' : left.kind === 'deleted' ? 'added' : 'modified' };
}

/** The sides of a change that is undone: what was there before it is there again. */
function restored({ before_sha256, before_mode, before_link, before_says, after_mode }: RawChange): Sides {
  const mode = before_sha256 === null ? undefined : (before_mode ?? after_mode);
  const before = { before_mode, before_link, before_says };
  return sidesOf({ ...before, after_mode: mode, after_link: before_link, after_says: before_says });
}

/** The changes of an attempt after its verify commands, with the digests of the bytes on disk. */
export function changesAtEnd(ofWorker: readonly Change[], verify: readonly VerifyChange[]): readonly Change[] {
  if (verify.length === 0) return ofWorker;
  const later = new Map(verify.map((change) => [placeKey(change), change]));
  const kept = ofWorker.filter((change) => !later.has(placeKey(change)));
  const changed = verify
    .filter(({ undone }) => !undone)
    .map(({ left_sha256: _left, undone: _undone, blocks: _blocks, ...change }): Change => ({
      ...change,
      violation: null,
    }));
  return [...kept, ...changed].sort((left, right) => (placeKey(left) < placeKey(right) ? -1 : 1));
}

/**
 * Leaves out what verify commands left and did not block, because it is no part of the result.
 * Caches and reports are examples.
 */
export function withoutLeftovers<C extends Pick<RawChange, 'path' | 'kind'>>(
  changes: readonly C[],
  verify: { readonly changes: readonly Pick<VerifyChange, 'path' | 'kind' | 'blocks'>[] } | undefined,
): readonly C[] {
  const left = new Set((verify?.changes ?? []).filter(({ blocks }) => blocks === null).map(placeKey));
  return changes.filter((change) => !left.has(placeKey(change)));
}

function isSame(left: RawChange, right: RawChange): boolean {
  // What a record says of a link may be redacted, and its target tells two apart.
  const isSameLink = left.after_link !== undefined && left.after_link === right.after_link;
  return (
    left.kind === right.kind &&
    left.after_sha256 === right.after_sha256 &&
    left.resolved_path === right.resolved_path &&
    (isSameLink || left.detail === right.detail)
  );
}
