import type { StrayChange, Strays } from '../../../contracts/launch';
import type { Attempt, AttemptRecord } from '../../model/attempt';
import type { ObservedChanges } from '../../model/facts';
import type { TaskRow } from '../../model/state';
import { waitingWork } from '../../model/waitingWork';
import type { Change, RawChange } from '../../observation/change';
import { caseSensitive, inScope, overlaps, within, type PathComparison } from '../../paths/compare';
import { savedIn } from '../../observation/attribute';
import type { ApprovedPlan } from '../../plan/approvedPlan';

export type Scratched = Pick<ApprovedPlan, 'scratch'>;
type Launched = Pick<Attempt, 'launches'>;
type Observed = Pick<AttemptRecord, 'launches' | 'observed' | 'external_saves' | 'merged'>;

/** `path`: the name by which it may have been written. `lay_at`: where it lay in the layer. */
type NamedStray = StrayChange & { readonly lay_at: string };

export function strayed({ launches }: Launched, of: 'worker' | 'verify' = 'worker'): readonly Strays[] {
  return launches.flatMap(({ purpose, end }) => (purpose.kind === of && end?.strays ? [end.strays] : []));
}

export function straysOf(
  { scratch }: Scratched,
  attempt: Observed,
  of: 'worker' | 'verify' = 'worker',
): readonly NamedStray[] {
  const comparison = attempt.observed?.comparison ?? caseSensitive;
  return written(attempt, of).filter(({ path }) => !within(path, scratch, comparison));
}

/**
 * The part of these that lies outside the approved paths. The rest was to land in the workspace, and did not.
 *
 * @param doubtful true: the part that nothing shows to be the worker's; false: the rest
 */
export function outsideOf(
  plan: Scratched,
  { task, scope }: Pick<TaskRow, 'task' | 'scope'>,
  attempt: Observed,
  doubtful = false,
): readonly StrayChange[] {
  const comparison = attempt.observed?.comparison ?? caseSensitive;
  const doubts = new Set(attempt.observed?.doubtful);
  return straysOf(plan, attempt).filter(
    ({ path, lay_at }) => doubts.has(lay_at) === doubtful && (!task.writes || !inScope(path, scope.paths, comparison)),
  );
}

/** Returns what its worker wrote in its paths while another program changed the same: the layer still holds it. */
export function overwrittenOf(attempt: Observed): readonly StrayChange[] {
  const { changes = [], comparison = caseSensitive } = attempt.observed ?? {};
  const others = changes.filter((change) => (change.in_scope && change.by_others) || isMadeLink(change));
  return written(attempt).filter((stray) => others.some(({ path }) => overlaps(path, stray.path, comparison)));
}

/** The paths in the approved ones of which a layer still holds what the worker wrote: what stands there is not the worker's. */
export function unlandedOf(
  { scope, attempts }: Pick<TaskRow, 'scope' | 'attempts'>,
  attempt: Pick<Attempt, 'launches' | 'validates' | 'landing' | 'merged'>,
  comparison: PathComparison,
): readonly string[] {
  if (waitingWork({ attempts }, attempt)) return scope.paths;
  const { launches, validates } = attempt;
  const strays = strayed({ launches: validates ? [validates.launch, ...launches] : launches });
  const held = strays.flatMap(({ changes }) => changes.map(({ path }) => path));
  return held.filter((path) => inScope(path, scope.paths, comparison));
}

/**
 * Judges what the layer holds of files that something else changed meanwhile. It may have been copied between two saves.
 *
 * @param isWorkers whether the place was open to the worker, or more than the layer shows that it wrote there
 */
export function heldMeanwhile(
  attempt: Launched,
  found: readonly RawChange[],
  isWorkers: (change: RawChange) => boolean,
): Pick<ObservedChanges, 'touched' | 'doubtful'> {
  const others = new Map(found.flatMap((change) => (change.layered ? [] : [[change.path, change]])));
  const held = strayed(attempt).flatMap(({ changes }) => changes);
  const isTouched = ({ path, sha256 }: StrayChange): boolean =>
    sha256 !== null && others.get(path)?.before_sha256 === sha256;
  const isDoubtful = (stray: StrayChange): boolean => {
    const change = others.get(stray.path) ?? (stray.touched_below ? changeOf(stray) : undefined);
    // A layer keeps a deletion only of the launch itself.
    const isCopy = stray.kind !== 'deleted' && (stray.what === 'file' || stray.what === 'link');
    return change !== undefined && isCopy && !isTouched(stray) && !isWorkers(change);
  };
  const [touched, doubtful] = [isTouched, isDoubtful].map((is) => held.filter(is).map(({ path }) => path));
  return { ...(touched?.length && { touched }), ...(doubtful?.length && { doubtful }) };
}

/** Stands for a change of the workspace that a person or program made and took back. */
function changeOf({ path, kind, sha256 }: StrayChange): RawChange {
  const nothing = { before_sha256: null, resolved_path: null, changed_at: null, detail: null };
  return { path, kind, after_sha256: sha256, ...nothing };
}

/** Leaves out a file with the content that the real one had before a person changed it: it was only touched. */
function written(attempt: Observed, of: 'worker' | 'verify' = 'worker'): readonly NamedStray[] {
  const { changes: seen = [], touched, comparison = caseSensitive } = attempt.observed ?? {};
  const others = new Map(seen.map((change) => [change.path, change]));
  const saved = savedIn({ external_saves: attempt.external_saves, comparison });
  const onlyTouched = new Set(of === 'worker' ? touched : []);
  const isCopy = ({ path, sha256, lay_at, kind }: NamedStray): boolean => {
    const change = others.get(path);
    // A check begins with what the worker's end found.
    const before = [change?.before_sha256, ...(of === 'verify' ? [change?.after_sha256] : [])];
    return (
      onlyTouched.has(lay_at) ||
      (sha256 !== null && (before.includes(sha256) || saved({ path: lay_at, kind, after_sha256: sha256 })))
    );
  };
  const counted = strayed(attempt, of)
    .flatMap(({ changes }) => changes)
    .map((stray) => ({ ...stray, path: namedPath(attempt, stray.path), lay_at: stray.path }))
    .filter((stray) => !isCopy(stray) && attempt.merged?.some(({ name }) => name === stray.lay_at) !== true);
  return [...new Map(counted.map((stray) => [stray.path, stray])).values()];
}

export function isBehindLink({ observed }: Pick<AttemptRecord, 'observed'>, path: string): boolean {
  const links = (observed?.changes ?? []).filter(isMadeLink).map((change) => change.path);
  return within(path, links, observed?.comparison);
}

/**
 * Returns the name by which a launch may have written a file: it wrote to an approved path that became a link meanwhile.
 * Such a link never lends its target's name, because no plan approves that.
 */
function namedPath({ observed }: Observed, path: string): string {
  const { changes = [], comparison = caseSensitive } = observed ?? {};
  const link = changes.find((one) => isMadeLink(one) && within(path, [one.resolved_path ?? ''], comparison));
  return link ? link.path + path.slice(link.resolved_path?.length) : path;
}

/** Returns whether an approved path became a link within the workspace, which no layer shows to be the worker's. */
function isMadeLink({ in_scope, kind, layered, resolved_path }: Change): boolean {
  return (
    in_scope && kind !== 'deleted' && !layered && resolved_path !== null && !/^(?:\/|\.$|[A-Za-z]:)/.test(resolved_path)
  );
}
