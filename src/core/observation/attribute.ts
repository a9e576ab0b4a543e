import type { SandboxReach } from '../../contracts/launchEvidence';
import {
  caseSensitive,
  comparisonKey,
  inScope,
  nameKey,
  overlaps,
  within,
  type PathComparison,
} from '../paths/compare';
import { isDeskFile } from '../../base/leftovers';
import { reservedFolderOf } from '../paths/reserved';
import type { Change, ExternalSave, RawChange } from './change';
import { isBeyondReach } from './writablePlaces';

export interface AttributionInput {
  readonly changes: readonly RawChange[];
  /** Approved paths of the task, normalised. */
  readonly paths: readonly string[];
  readonly forbidden_paths: readonly string[];
  /** ISO-8601, not later than the attempt's first launch; null with `worker_ended_at` when no worker ever ran. */
  readonly worker_started_at: string | null;
  /** When the whole process tree of the last launch was proven gone. */
  readonly worker_ended_at: string | null;
  /** Between two launches of the worker, ISO-8601: what changed then is not the worker's. */
  readonly worker_paused?: readonly { readonly from: string; readonly until: string }[];
  readonly external_saves: readonly ExternalSave[];
  /** Attribution of changes after the worker's end; `external_change` when a person has the result validated again. */
  readonly later?: 'unattributed' | 'external_change';
  /** When verify commands of other tasks ran, which may write anywhere; ISO-8601, `until` null while one runs. */
  readonly verified_beside?: readonly { readonly from: string; readonly until: string | null }[];
  /** Paths that the task's own worker announced: their changes out of scope are attributed to this worker. */
  readonly announced?: readonly string[];
  /** Where the launches of the worker could write, each in its sandbox; absent: nothing of ours held all of them. */
  readonly reaches?: readonly SandboxReach[];
  /** Paths that hold nothing of the worker's, and nothing above or below them does: its layer has what it wrote there. */
  readonly unlanded?: readonly string[];
  /** Whether it is what the worker's layer held and Mission Control put there; absent: nothing is. */
  readonly hasLanded?: (change: RawChange) => boolean;
  /** Why the mission relies on a file that only others could change; null: it does not. */
  readonly reliedOn?: (change: RawChange) => string | null;
  /** Whether more than its time says that the worker made a change; absent: its time is enough. */
  readonly isCertain?: (change: RawChange) => boolean;
  /** Whether it is a change of the plan file, for which the mission waits by itself. */
  readonly isOfPlan?: (change: RawChange) => boolean;
  readonly isScratch?: (path: string) => boolean;
  readonly comparison?: PathComparison;
}

/**
 * Attributes every change and says whether it is a violation; ordered by path. Source: decision 6.
 *
 * 1. A file saved in this editor during the attempt, with exactly the content found, is `external_change`:
 *    recorded, never a violation.
 * 2. A change where the sandbox kept the worker from writing, at any time, is `external_change` as well. It blocks only
 *    where the mission relies on it. What the worker itself announced is left out. So is a change in an approved path
 *    of which a layer still holds what the worker wrote.
 * 3. A change before the worker started or after its tree was proven gone cannot be the worker's. It is `unattributed`
 *    and blocks, in scope as well as out of it: evidence would otherwise credit the worker with foreign bytes.
 * 4. A change out of scope while a verify command of another task ran is `unattributed` as well.
 *    So is one that nothing but its time gives to the worker: people, editors and other programs
 *    write at the same time.
 * 5. Every other change is the worker's, and a violation when it is out of scope.
 *
 * A file that an editor or a file manager leaves by itself is `external_change`. It is the worker's in the task's paths
 * at the worker's time, and where more than its time says so.
 *
 * A change of the plan file that is not certainly the worker's is `external_change`: the mission waits for the approved
 * bytes, and nothing else blocks by it.
 *
 * A change in a scratch path is recorded with its attribution, and neither blocks nor violates.
 */
export function attribute(input: AttributionInput): readonly Change[] {
  const savedInEditor = savedIn(input);
  return [...input.changes].sort(byPath).map((change) => attributeOne(change, input, savedInEditor(change)));
}

/**
 * A process record's start time can be slightly late. File systems stamp with a clock that lags by milliseconds, old
 * ones by up to 2 s. The baseline is taken right before the start, so hardly any other change falls into these seconds.
 */
const startSlackMilliseconds = 2_000;

function attributeOne(change: RawChange, input: AttributionInput, saved: boolean): Change {
  const reason = outOfScopeReason(change, input);
  const found = isOfLayer(change, input) ? 'worker' : saved ? 'external_change' : attributionOf(change, input);
  const ofPlan = input.isOfPlan?.(change) === true;
  if (isOfOthers(change, input)) {
    const isRecorded = found === 'external_change' || ofPlan || isUnlanded(change, input);
    const relied_on = isRecorded ? null : (input.reliedOn?.(change) ?? null);
    return {
      ...change,
      ...{ attribution: 'external_change', in_scope: reason === null, violation: null, by_others: true },
      ...(relied_on !== null && { relied_on }),
    };
  }
  if (ofPlan && (found !== 'worker' || isDoubtful(change, input)))
    return { ...change, attribution: 'external_change', in_scope: false, violation: null };
  if (reason !== null && isScratch(change, input))
    return { ...change, attribution: found, in_scope: false, violation: null, scratch: true };
  if ((reason !== null || found === 'unattributed') && isOfDesk(change, input))
    return { ...change, attribution: 'external_change', in_scope: reason === null, violation: null };
  if (reason === null || found !== 'worker')
    return { ...change, attribution: found, in_scope: reason === null, violation: null };
  // Nothing of it is in the workspace, so a person can decide, and the mission goes on.
  if (change.layered) return { ...change, attribution: 'worker', in_scope: false, violation: null, doubt: reason };
  return isDoubtful(change, input)
    ? { ...change, attribution: 'unattributed', in_scope: false, violation: null, doubt: reason }
    : { ...change, attribution: 'worker', in_scope: false, violation: reason };
}

/** Returns whether every launch's sandbox made the change impossible for the worker, or its layer kept its own. */
function isOfOthers(change: RawChange, input: AttributionInput): boolean {
  const { reaches = [], comparison = caseSensitive } = input;
  if (isOfLayer(change, input)) return false;
  if (isUnlanded(change, input)) return true;
  return reaches.length > 0 && !isAnnounced(change, input) && isBeyondReach(change, reaches, comparison);
}

/** Returns whether a layer shows the change to be the worker's: it lies there, or it landed and stayed as it was. */
function isOfLayer(change: RawChange, { hasLanded }: AttributionInput): boolean {
  return change.layered ?? hasLanded?.(change) ?? false;
}

/** Returns whether what the worker wrote there was not kept, which blocks by itself. */
function isUnlanded({ path }: RawChange, { unlanded = [], comparison = caseSensitive }: AttributionInput): boolean {
  return unlanded.some((one) => overlaps(path, one, comparison));
}

function attributionOf(change: RawChange, input: AttributionInput): Change['attribution'] {
  if (input.worker_started_at === null && input.worker_ended_at === null) return 'unattributed';
  // Index flags have no time of their own, because git rewrites its index at any time: they count as the worker's.
  if (change.kind === 'index_flag' && change.changed_at === null) return 'worker';
  const at = change.changed_at === null ? NaN : Date.parse(change.changed_at);
  if (Number.isNaN(at)) return 'unattributed';
  if (input.worker_started_at !== null && at < Date.parse(input.worker_started_at) - startSlackMilliseconds)
    return 'unattributed';
  if (input.worker_ended_at !== null && at > Date.parse(input.worker_ended_at)) return input.later ?? 'unattributed';
  const paused = (input.worker_paused ?? []).some(
    ({ from, until }) => at > Date.parse(from) && at < Date.parse(until) - startSlackMilliseconds,
  );
  return paused ? 'unattributed' : 'worker';
}

/** A link that leads out is no scratch where no sandbox held what was written through it. */
function isScratch(change: RawChange, input: AttributionInput): boolean {
  const isOne = input.isScratch?.(change.path) === true;
  return isOne && protectedReason(change, input) === null && (isHeld(input) || leadsOutReason(change) === null);
}

/** Returns whether an editor or file manager made it, by name and place; no tracked or executable file counts. */
function isOfDesk(change: RawChange, input: AttributionInput): boolean {
  if (change.kind === 'git' || change.kind === 'index_flag' || !isDeskFile(change.path)) return false;
  if (change.layered || change.tracked || (parseInt(change.after_mode ?? '0', 8) & 0o111) !== 0) return false;
  if (protectedReason(change, input) !== null || leadsOutReason(change) !== null) return false;
  return !isAnnounced(change, input) && input.isCertain?.(change) !== true;
}

/** Returns whether others may have made a change of the worker's time, a verify command of another task among them. */
function isDoubtful(change: RawChange, input: AttributionInput): boolean {
  // No launch in a sandbox can make such a link.
  if (change.linked && isHeld(input)) return true;
  if (isAnnounced(change, input)) return false;
  if (input.isCertain?.(change) === false) return true;
  const { changed_at } = change;
  const at = changed_at === null ? NaN : Date.parse(changed_at);
  return (input.verified_beside ?? []).some(
    ({ from, until }) => at >= Date.parse(from) && (until === null || at <= Date.parse(until)),
  );
}

function isAnnounced({ path }: RawChange, { announced = [], comparison = caseSensitive }: AttributionInput): boolean {
  const key = nameKey(path, comparison);
  return announced.some((one) => nameKey(one, comparison) === key);
}

/** Says whether a change was saved in this editor, with exactly the content found. */
export function savedIn({
  external_saves,
  comparison = caseSensitive,
}: Pick<AttributionInput, 'external_saves' | 'comparison'>): (
  change: Pick<RawChange, 'path' | 'kind' | 'after_sha256'>,
) => boolean {
  const place = (sha256: string, path: string): string => `${sha256.toUpperCase()} ${comparisonKey(path, comparison)}`;
  const saved = new Set(external_saves.map(({ sha256, path }) => place(sha256, path)));
  return ({ kind, path, after_sha256 }) =>
    after_sha256 !== null && (kind === 'added' || kind === 'modified') && saved.has(place(after_sha256, path));
}

function outOfScopeReason(change: RawChange, input: AttributionInput): string | null {
  const reason = protectedReason(change, input);
  if (reason !== null) return reason;
  const inside = inScope(change.path, input.paths, input.comparison ?? caseSensitive);
  const out = leadsOutReason(change, input);
  // Without a sandbox a link in scratch may lead to what the worker wrote through it.
  if (!inside) return (input.isScratch?.(change.path) ? out : null) ?? 'lies outside the approved paths of the task';
  return out ?? rightsReason(change);
}

/** Says that a file gives its rights to each person who starts it; null: it does not, or did before. */
function rightsReason({ before_mode = '0', after_mode = '0' }: RawChange): string | null {
  const gives = (mode: string): number => parseInt(mode, 8) & 0o6000;
  return (gives(after_mode) & ~gives(before_mode)) === 0
    ? null
    : 'is a program with the rights of its owner or group (setuid, setgid)';
}

/** Returns whether a sandbox of ours held every launch, so that nothing was written behind a link. */
function isHeld({ reaches = [] }: AttributionInput): boolean {
  return reaches.length > 0;
}

/** Says why no task may make this change, with any approved paths; null when one may. */
export function protectedReason(
  change: RawChange,
  input: Pick<AttributionInput, 'forbidden_paths' | 'comparison'>,
): string | null {
  if (change.kind === 'git') return gitReason(change);
  if (change.kind === 'index_flag') return 'hides changes of this file from git (assume-unchanged or skip-worktree)';
  const reserved = reservedFolderOf(change.path);
  if (reserved !== null) return `lies in ${reserved}, which is reserved: no task may write there`;
  const { forbidden_paths, comparison = caseSensitive } = input;
  if (within(change.path, forbidden_paths, comparison)) return 'lies in a forbidden path of the task';
  const below = isLink(change) ? forbidden_paths.find((one) => within(one, [change.path], comparison)) : undefined;
  return below === undefined ? null : `is a link on the way to ${below}, a forbidden path of the task`;
}

/** Returns whether a link may have been made, changed or removed there. */
export function isLink({ kind, resolved_path, before_sha256 }: RawChange): boolean {
  return resolved_path !== null || kind === 'type_changed' || (kind === 'deleted' && before_sha256 === null);
}

/**
 * Says why a link may not lead there; null: it may. From a sandbox it may lead to programs that lie where no launch
 * could write, below HOME as well.
 */
export function leadsOutReason(
  change: RawChange,
  { reaches = [], comparison = caseSensitive }: Pick<AttributionInput, 'reaches' | 'comparison'> = {},
): string | null {
  const held = reaches.length > 0;
  if (held && change.linked) return linkedReason;
  if (change.resolved_path === null || change.kind === 'deleted') return null;
  const target = { ...change, kind: 'added', path: change.resolved_path, resolved_path: null } as const;
  const isProgram = change.to_program ?? installed.test(target.path);
  if (held && isProgram && isBeyondReach(target, reaches, comparison)) return null;
  if (/^(?:\/|[A-Za-z]:)/.test(change.resolved_path)) return `leads out of the workspace to ${change.resolved_path}`;
  const leadsTo = reservedFolderOf(change.resolved_path);
  return leadsTo === null ? null : `leads to ${change.resolved_path}, which is reserved: no task may write there`;
}

export const linkedReason =
  'is a hard link that another program made meanwhile: a write to it reached the other file too';

/** Where packages of a machine lie. */
const installed = /^\/(?:(?:usr|bin|sbin|lib\w*|opt|nix\/store|gnu\/store|Library|System|Applications)\/|dev\/null$)/;

function gitReason({ path, before_sha256 }: RawChange): string {
  if (/(^|\/)\.git\/(.*\/)?refs\/replace\//.test(path)) return 'makes git show another object than the one it names';
  if (/(^|\/)\.git\/(.*\/)?(HEAD$|refs\/)/.test(path))
    return `${before_sha256 === null ? 'adds a repository, a branch or a tag' : 'moves a branch, a tag or HEAD'}, and a mission allows no commit`;
  if (/(^|\/)\.git\/(.*\/)?hooks($|\/| at )/.test(path))
    return 'changes a git hook, which git runs later with your rights';
  if (/(^|\/)\.git\/(.*\/)?(rebase-merge|rebase-apply|sequencer)\//.test(path))
    return 'changes what git runs when an interrupted rebase goes on';
  if (/(^|\/)\.git\/(.*\/)?(commondir|objects\/info\/(http-)?alternates)$/.test(path))
    return 'leads git to another repository';
  if (/(^|\/)\.git\/((.*\/)?info\/exclude$|excludes at )/.test(path)) return 'changes which files git ignores';
  if (/(^|\/)\.git\/(.*\/)?config(\.worktree)? (includes .*)?starts programs$/s.test(path))
    return 'changes which programs git starts later, with your rights';
  return 'changes the configuration of the repository';
}

/** Returns whether a change without a violation blocks: of unknown origin, relied on, or layered elsewhere. */
export function blocks({
  attribution,
  scratch,
  doubt,
  relied_on,
}: {
  readonly attribution: Change['attribution'];
  readonly scratch?: true | undefined;
  readonly doubt?: string | undefined;
  readonly relied_on?: string | undefined;
}): boolean {
  return (attribution === 'unattributed' && !scratch) || doubt !== undefined || relied_on !== undefined;
}

function byPath(left: RawChange, right: RawChange): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return left.kind < right.kind ? -1 : left.kind > right.kind ? 1 : 0;
}
